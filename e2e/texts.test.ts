import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { letPass } from '../bin/pass.ts'
import { isWhole } from '../bin/slice.ts'
import { rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { Innkeeper } from './innkeeper.ts'

/** The specification requires 10,000 messages in 60 s. A short run sends a tenth, because other tests run beside it. */
const MESSAGES = isWhole ? 10_000 : 1000
const LIMIT_MS = isWhole ? 60_000 : 15_000
const KILLS = isWhole ? 8 : 3

/** A gateway on this machine, which accepts each message (with `keys`, once per key) and answers after `delayMs`. */
async function openGateway(keys: boolean, delayMs: number) {
  const sent = new Map<string, number>()
  const known = new Set<string>()
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const key = String(request.headers['idempotency-key'] ?? '')
      const to = keys
        ? String(JSON.parse(String(Buffer.concat(parts))).to)
        : (new URL(request.url ?? '/', 'http://gateway').searchParams.get('to') ?? '')
      if (!keys || !known.has(key)) sent.set(to, (sent.get(to) ?? 0) + 1)
      known.add(key)
      setTimeout(() => response.writeHead(202, { connection: 'close' }).end(keys ? '{}' : '0: Accepted'), delayMs)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    sent,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function prepared(gateway: 'http' | 'kannel', delayMs: number) {
  const line = await openGateway(gateway === 'http', delayMs)
  closing.push(line.close)
  const innkeeper = await Innkeeper.open()
  closing.push(() => innkeeper.close())
  await innkeeper.must('PATCH', '/sms/settings', { gateway, url: line.url, username: 'ink', secret: 'of-the-gateway' })
  const numbers = Array.from({ length: MESSAGES }, (_, n) => `+4790${String(100_000 + n)}`)
  const send = () => innkeeper.must('POST', '/sms/messages', { to: numbers, body: 'web-1 is down' })
  return { line, innkeeper, numbers, send }
}

async function inDatabase<T>(
  { env, dataDir }: Innkeeper,
  work: (db: Parameters<typeof rows>[0]) => Promise<T>,
): Promise<T> {
  const { db, close } = await openDatabase(env.DATABASE_URL ?? join(dataDir, 'db'), { schema: 'as-is' })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

const countsOf = async (innkeeper: Innkeeper, id: number) => {
  const { items } = await innkeeper.must('GET', '/sms/batches?itemsPerPage=10')
  return items.find((one: { id: number }) => one.id === id).counts
}

/** Kills the process repeatedly while it sends messages, until none waits. Answers how many kills interrupted a claim. */
async function handOverWithKills(
  innkeeper: Innkeeper,
  line: { sent: Map<string, number> },
  id: number,
): Promise<number> {
  let met = 0
  for (let n = 0; n < KILLS; n++) {
    const before = line.sent.size
    await expect.poll(() => line.sent.size, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before + 20 + n * 7)
    await innkeeper.kill()
    met += await inDatabase(innkeeper, async (db) => {
      // ages the claims instead of waiting the minute after which a claim counts as abandoned
      const left = await rows(
        db,
        sql`update sms_messages set claimed_at = claimed_at - interval '5 minutes' where claimed_at is not null returning 1`,
      )
      return left.length
    })
    await innkeeper.start()
  }
  await expect.poll(async () => (await countsOf(innkeeper, id)).queued, { timeout: 120_000, interval: 200 }).toBe(0)
  return met
}

it('kill -9 neither doubles nor loses a message, if the gateway supports keys', async () => {
  const { line, innkeeper, numbers, send } = await prepared('http', 20)
  const { id } = await send()
  const met = await handOverWithKills(innkeeper, line, id)
  expect(met).toBeGreaterThan(0)
  expect([...line.sent.keys()].sort()).toEqual(numbers)
  expect([...line.sent].filter(([, times]) => times !== 1)).toEqual([])
  expect(await countsOf(innkeeper, id)).toMatchObject({ sent: MESSAGES, failed: 0 })
})

it('kill -9 doubles no message of Kannel, and each message that may be lost is marked', async () => {
  const { line, innkeeper, numbers, send } = await prepared('kannel', 20)
  const { id } = await send()
  const met = await handOverWithKills(innkeeper, line, id)
  expect(met).toBeGreaterThan(0)
  expect([...line.sent].filter(([, times]) => times !== 1)).toEqual([])
  const failed = await inDatabaseOf(innkeeper)
  const named = new Set(failed.map(({ number }) => number))
  expect(failed.every(({ code }) => code === 'unknown')).toBe(true)
  expect(numbers.filter((number) => !line.sent.has(number) && !named.has(number))).toEqual([])
  expect(failed.length).toBe(met)
})
const inDatabaseOf = async (innkeeper: Innkeeper) => {
  await innkeeper.kill()
  return inDatabase(innkeeper, (db) =>
    rows<{ number: string; code: string }>(
      db,
      sql`select number, error_code as code from sms_messages where status = 'failed'`,
    ),
  )
}

it(`sends ${MESSAGES} messages within ${LIMIT_MS / 1000} s`, async () => {
  const { line, innkeeper, send } = await prepared('http', 1)
  const began = performance.now()
  const { id } = await send()
  while (line.sent.size < MESSAGES && performance.now() - began < LIMIT_MS) await letPass(20, 'between two looks')
  const ms = performance.now() - began
  console.log(`${line.sent.size} messages in ${Math.round(ms)} ms`)
  expect(line.sent.size).toBe(MESSAGES)
  await expect.poll(async () => (await countsOf(innkeeper, id)).sent).toBe(MESSAGES)
})

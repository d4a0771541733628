import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { isWhole } from '../bin/slice.ts'
import { rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import type { Innkeeper } from './innkeeper.ts'
import { MESSAGES, openTexts, type Texts } from './texts.ts'

const KILLS = isWhole ? 8 : 3

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function opened(gateway: 'http' | 'kannel'): Promise<Texts> {
  const texts = await openTexts(gateway, 20)
  closing.push(texts.close)
  return texts
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

/** Kills the process repeatedly while it sends messages, until none waits. Answers how many kills interrupted a claim. */
async function handOverWithKills({ innkeeper, line, countsOf }: Texts, id: number): Promise<number> {
  let met = 0
  for (let n = 0; n < KILLS; n++) {
    const before = line.sent.size
    await expect.poll(() => line.sent.size, { interval: 5 }).toBeGreaterThan(before + 20 + n * 7)
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
  await expect.poll(async () => (await countsOf(id)).queued, { interval: 200 }).toBe(0)
  return met
}

it('kill -9 neither doubles nor loses a message, if the gateway supports keys', async () => {
  const texts = await opened('http')
  const { line, numbers } = texts
  const { id } = await texts.send()
  const met = await handOverWithKills(texts, id)
  expect(met).toBeGreaterThan(0)
  expect([...line.sent.keys()].sort()).toEqual(numbers)
  expect([...line.sent].filter(([, times]) => times !== 1)).toEqual([])
  expect(await texts.countsOf(id)).toMatchObject({ sent: MESSAGES, failed: 0 })
})

it('kill -9 doubles no message of Kannel, and each message that may be lost is marked', async () => {
  const texts = await opened('kannel')
  const { line, numbers } = texts
  const { id } = await texts.send()
  const met = await handOverWithKills(texts, id)
  expect(met).toBeGreaterThan(0)
  expect([...line.sent].filter(([, times]) => times !== 1)).toEqual([])
  const failed = await inDatabaseOf(texts.innkeeper)
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

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { isWhole } from '../bin/slice.ts'
import { type Db, rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { freePorts, Innkeeper, scratch } from './innkeeper.ts'
import { openKannel } from './kannel.ts'
import { type Deed, openOperator, type Submitted } from './operator.ts'

/** Real Kannel between Innkeeper and an operator: their logs are compared with ours. */
const has = existsSync('/usr/sbin/bearerbox')
const MESSAGES = isWhole ? 10_000 : 400
const KILLS = isWhole ? 6 : 2

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(act?: (message: Submitted) => Deed) {
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, 'kannel-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const operator = await openOperator(act)
  closing.push(operator.close)
  const innkeeper = await Innkeeper.open()
  closing.push(() => innkeeper.close())
  const must = innkeeper.must.bind(innkeeper)
  const { replyUrl } = await must('PATCH', '/sms/settings', { publicUrl: innkeeper.url })
  const kannel = await openKannel({
    ...{
      folder,
      operator,
      secret: 'of-the-gateway',
      replies: `${replyUrl}&from=%p&text=%a&ref=%I`,
      port: await freePorts(),
    },
  })
  closing.push(kannel.close)
  await must('PATCH', '/sms/settings', {
    ...{ gateway: 'kannel', url: kannel.url, username: 'innkeeper', secret: 'of-the-gateway', sender: 'Fjellhost' },
    ...{ perDay: 1000, quietFrom: null, quietTo: null },
  })
  const messages = async (query: string) => (await must('GET', `/sms/messages?itemsPerPage=200&${query}`)).items
  return { operator, innkeeper, kannel, must, messages }
}

type Ours = { number: string; status: string; code: string | null }
async function inDatabase<T>({ env, dataDir }: Innkeeper, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(env.DATABASE_URL ?? join(dataDir, 'db'), { schema: 'as-is' })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

test.skipIf(!has)(
  `${MESSAGES} messages through Kannel under kill -9: none doubled, and each lost one is named`,
  async () => {
    const { operator, innkeeper, kannel, must } = await open()
    const to = Array.from({ length: MESSAGES }, (_, n) => `+4790${String(100_000 + n)}`)
    const began = performance.now()
    const { id } = await must('POST', '/sms/messages', { to, body: 'web-1 is down: €[1]' })
    for (let n = 0; n < KILLS; n++) {
      const before = operator.got.length
      await expect
        .poll(() => operator.got.length, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(before + 20 + n * 7)
      await innkeeper.kill()
      // instead of the minute after which a claim counts as left
      await inDatabase(innkeeper, (db) =>
        rows(
          db,
          sql`update sms_messages set claimed_at = claimed_at - interval '5 minutes' where claimed_at is not null`,
        ),
      )
      await innkeeper.start()
    }
    const counts = async () => {
      const { items } = await must('GET', '/sms/batches?itemsPerPage=10')
      return items.find((one: { id: number }) => one.id === id).counts
    }
    await expect.poll(async () => (await counts()).queued, { timeout: 240_000, interval: 250 }).toBe(0)
    console.log(`${operator.got.length} messages with ${KILLS} kills in ${Math.round(performance.now() - began)} ms`)
    // reports that came while Innkeeper was down come again
    await expect.poll(async () => (await counts()).sent, { timeout: 60_000, interval: 500 }).toBe(0)
    await innkeeper.kill()
    const numbers = operator.got.map(({ to: number }) => `+${number.replace(/^\+/, '')}`).sort()
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(
      kannel
        .sent()
        .map((number) => `+${number.replace(/^\+/, '')}`)
        .sort(),
    ).toEqual(numbers)
    const rowsOfOurs = await inDatabase(innkeeper, (db) =>
      rows<Ours>(
        db,
        sql`select number, status, error_code as code from sms_messages where sms_batch_id = ${id} order by number`,
      ),
    )
    expect(rowsOfOurs.flatMap(({ number, status }) => (status === 'delivered' ? [number] : []))).toEqual(numbers)
    const rest = rowsOfOurs.filter(({ status }) => status !== 'delivered')
    expect(rest.every(({ status, code }) => status === 'failed' && code === 'unknown')).toBe(true)
    expect(new Set(operator.got.map(({ text }) => text))).toEqual(new Set(['web-1 is down: €[1]']))
  },
)

test.skipIf(!has)('an operator that rejects, is slow, answers twice or never, and parts of a long text', async () => {
  const deeds: Record<string, Deed> = {
    1: { does: { error: 0x0b } },
    2: { does: 'deliver', delayMs: 3000 },
    3: { does: 'deliver-twice' },
    4: { does: 'fail' },
    5: { does: 'accept' },
  }
  const { operator, must, messages } = await open(({ to }) => deeds[to.slice(-1)] ?? { does: 'deliver' })
  const to = [1, 2, 3, 4, 5].map((n) => `+479000000${n}`)
  const { id } = await must('POST', '/sms/messages', { to, body: 'Disk full' })
  const states = async () =>
    Object.fromEntries(
      (await messages(`batchId=${id}`)).map((one: { to: string; status: string; reason: string | null }) => [
        one.to.slice(-1),
        [one.status, one.reason],
      ]),
    )
  await expect.poll(states, { timeout: 30_000, interval: 250 }).toEqual({
    1: ['undelivered', 'Rejected: the number does not exist (code 11)'],
    2: ['delivered', null],
    3: ['delivered', null],
    4: ['undelivered', 'The operator could not deliver the message (code 001)'],
    5: ['sent', null],
  })
  expect(operator.got.length).toBe(5)
  const body = `Ærlig talt {€}: ${'0123456789'.repeat(30)}`.replace(/[{}]/g, '')
  const long = await must('POST', '/sms/messages', { to: ['+4790000009'], body })
  await expect
    .poll(async () => (await messages(`batchId=${long.id}`))[0].status, { timeout: 20_000, interval: 250 })
    .toBe('delivered')
  const parts = operator.got.filter(({ to: number }) => number.endsWith('09'))
  expect(parts.map(({ text }) => text).join('')).toBe(body)
  expect(parts.length).toBe((await messages(`batchId=${long.id}`))[0].segments)
})

test.skipIf(!has)('answers from a telephone acknowledge, take out and bring back, each once', async () => {
  const { operator, must } = await open()
  await must('POST', '/sms/messages', { to: ['+4790000007'], body: 'One' })
  await expect.poll(() => operator.got.length, { timeout: 20_000 }).toBe(1)
  operator.answer('4790000007', '2600', 'STOP')
  const effects = async () => (await must('GET', '/sms/replies')).items.map(({ effect }: { effect: string }) => effect)
  await expect.poll(effects, { timeout: 20_000 }).toEqual(['opted-out'])
  const { recipients } = await must('POST', '/sms/messages/preview', { to: ['+4790000007'], body: 'Two' })
  expect(recipients[0].skipped).toBe('Asked for no more messages')
  operator.answer('4790000007', '2600', 'start')
  await expect.poll(effects, { timeout: 20_000 }).toEqual(['opted-in', 'opted-out'])
})

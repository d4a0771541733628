import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterEach, expect, test } from 'vitest'
import { isWhole } from '../bin/slice.ts'
import { type Db, rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { freePorts, Innkeeper, scratch } from './innkeeper.ts'
import { openKannel } from './kannel.ts'
import { onPostgres } from './nodes/cluster.ts'
import { type Node, startNode } from './nodes/node.ts'
import { type Behaviour, openOperator, type Submitted } from './operator.ts'
import { untilNone } from './until.ts'

/** Real Kannel between Innkeeper and an operator: the tests compare Kannel's logs with Innkeeper's rows. */
const onKannel = existsSync('/usr/sbin/bearerbox') ? {} : { skip: true, meta: { why: 'Kannel is not installed' } }
/** The embedded database allows only one process, so its worker cannot be killed while the server runs on. */
const onBoth = 'skip' in onKannel ? onKannel : onPostgres
const MESSAGES = isWhole ? 10_000 : 400
const KILLS = (['worker', 'kannel', 'server'] as const).flatMap((one) => (isWhole ? [one, one] : one))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function open(act?: (message: Submitted) => Behaviour) {
  mkdirSync(scratch, { recursive: true })
  const folder = mkdtempSync(join(scratch, 'kannel-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  const operator = await openOperator(act)
  closing.push(operator.close)
  // the embedded database has one process, which is the worker too
  const innkeeper = await Innkeeper.open({
    people: { anna: [], nils: ['internal-ticket:ticket:read'] },
    args: process.env.TEST_POSTGRES ? ['--role=api'] : [],
  })
  closing.push(() => innkeeper.close())
  const work = process.env.TEST_POSTGRES
    ? await openWorker(innkeeper.env)
    : { kill: () => innkeeper.kill(), start: () => innkeeper.start() }
  closing.push(work.kill)
  const must = innkeeper.must.bind(innkeeper)
  await must('PATCH', '/sms/settings', { publicUrl: innkeeper.url })
  const { replyUrl } = await must('POST', '/sms/settings/key')
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
  return { operator, innkeeper, kannel, must, messages, work }
}

async function openWorker(env: Record<string, string>) {
  const PORT = String(await freePorts())
  let worker: Node
  const start = async () => {
    worker = await startNode('worker', env, Number(PORT))
  }
  await start()
  return { start, kill: () => worker.signal('SIGKILL') }
}

const plus = (number: string) => `+${number.replace(/^\+/, '')}`
type Ours = { number: string; status: string; code: string | null }
async function inDatabase<T>({ env, dataDir }: Innkeeper, work: (db: Db) => Promise<T>): Promise<T> {
  const { db, close } = await openDatabase(env.DATABASE_URL ?? join(dataDir, 'db'), { schema: 'as-is' })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

test(
  `${MESSAGES} messages through Kannel, with kill -9 of worker, Kannel and server: none doubled, each lost one named`,
  onBoth,
  async () => {
    // it waits for progress
    const { operator, innkeeper, kannel, must, work } = await open()
    const victims = {
      worker: { kill: work.kill, start: work.start },
      kannel: { kill: kannel.kill, start: kannel.open },
      server: { kill: () => innkeeper.kill(), start: () => innkeeper.start() },
    }
    const to = Array.from({ length: MESSAGES }, (_, n) => `+4790${String(100_000 + n)}`)
    const began = Date.now()
    const { id } = await must('POST', '/sms/messages', { to, body: 'web-1 is down: €[1]' })
    for (const name of KILLS) {
      const before = operator.got.length
      await expect.poll(() => operator.got.length, { interval: 5 }).toBeGreaterThan(before + 30)
      await victims[name].kill()
      await victims[name].start()
    }
    const counts = async () => {
      const { items } = await must('GET', '/sms/batches?itemsPerPage=10')
      return items.find((one: { id: number }) => one.id === id).counts
    }
    const isHanded = sql`select count(*)::int as n from sms_messages where sms_batch_id = ${id} and status = 'queued' and claimed_at is null`
    const waiting = () => inDatabase(innkeeper, async (db) => (await rows<{ n: number }>(db, isHanded))[0]?.n ?? 0)
    await untilNone('messages for Kannel', waiting)
    console.log(`${MESSAGES} messages with ${KILLS.length} kills were handed over in ${Date.now() - began} ms`)
    await inDatabase(innkeeper, (db) =>
      // ages the claims instead of waiting the minute after which a claim counts as abandoned
      rows(
        db,
        sql`update sms_messages set claimed_at = claimed_at - interval '5 minutes' where claimed_at is not null`,
      ),
    )
    await expect.poll(async () => (await counts()).queued, { interval: 250 }).toBe(0)
    // Kannel repeats reports that arrived while Innkeeper was down, but not those that Kannel lost when it was killed
    let before = -1
    const isQuiet = async () => {
      const last = before
      before = (await counts()).sent
      return before === 0 || before === last
    }
    await expect.poll(isQuiet, { interval: 3000 }).toBe(true)
    await inDatabase(innkeeper, (db) => rows(db, sql`update sms_messages set sent_at = sent_at - interval '2 days'`))
    await work.kill()
    await work.start()
    const missing = async () => (await must('GET', `/sms/messages?report=missing&batchId=${id}`)).total
    await expect.poll(missing, { interval: 250 }).toBe(before)
    await innkeeper.kill()
    const asked = kannel.asked()
    expect(new Set(asked).size).toBe(asked.length)
    const got = operator.got.map((one) => plus(one.to))
    expect(new Set(got).size).toBe(got.length)
    const ours = await inDatabase(innkeeper, (db) =>
      rows<Ours>(
        db,
        sql`select number, status, error_code as code from sms_messages where sms_batch_id = ${id} order by number`,
      ),
    )
    const numbersOf = (status: string) => ours.flatMap((one) => (one.status === status ? [one.number] : []))
    const figures = { asked: asked.length, got: got.length, delivered: numbersOf('delivered').length }
    console.log(JSON.stringify({ ...figures, silent: numbersOf('sent').length, failed: numbersOf('failed').length }))
    expect(numbersOf('delivered').filter((number) => !got.includes(number))).toEqual([])
    const named = new Set([...numbersOf('sent'), ...numbersOf('failed')])
    expect([...new Set([...numbersOf('delivered'), ...named])].sort()).toEqual(to)
    expect(to.filter((number) => !got.includes(number) && !named.has(number))).toEqual([])
    const codes = new Set(ours.flatMap(({ status, code }) => (status === 'delivered' ? [] : [code])))
    expect(codes.isSubsetOf(new Set(['unknown', 'no-report']))).toBe(true)
    expect(new Set(operator.got.map(({ text }) => text))).toEqual(new Set(['web-1 is down: €[1]']))
  },
)

test(
  'repeats at most one message for each connection that the operator drops before its answer',
  onKannel,
  async () => {
    let drops = 0
    const { operator, must } = await open(() => ({ does: drops++ < 3 ? 'drop' : 'deliver' }))
    const to = Array.from({ length: 10 }, (_, n) => `+47900000${String(50 + n)}`)
    const { id } = await must('POST', '/sms/messages', { to, body: 'Disk full' })
    const counts = async () =>
      (await must('GET', '/sms/batches?itemsPerPage=10')).items.find((one: { id: number }) => one.id === id).counts
    await expect.poll(async () => (await counts()).delivered, { interval: 250 }).toBe(to.length)
    expect(operator.got.length).toBe(to.length + 3)
  },
)

test('handles an operator that rejects, is slow or answers twice or never, and long texts', onKannel, async () => {
  const behaviours: Record<string, Behaviour> = {
    1: { does: { error: 0x0b } },
    2: { does: 'deliver', delayMs: 3000 },
    3: { does: 'deliver-twice' },
    4: { does: 'fail' },
    5: { does: 'accept' },
  }
  const { operator, must, messages } = await open(({ to }) => behaviours[to.slice(-1)] ?? { does: 'deliver' })
  const to = [1, 2, 3, 4, 5].map((n) => `+479000000${n}`)
  const { id } = await must('POST', '/sms/messages', { to, body: 'Disk full' })
  const states = async () =>
    Object.fromEntries(
      (await messages(`batchId=${id}`)).map((one: { to: string; status: string; reason: string | null }) => [
        one.to.slice(-1),
        [one.status, one.reason],
      ]),
    )
  await expect.poll(states, { interval: 250 }).toEqual({
    1: ['undelivered', 'Rejected: the number does not exist (code 11)'],
    2: ['delivered', null],
    3: ['delivered', null],
    4: ['undelivered', 'The operator could not deliver the message (code 001)'],
    5: ['sent', null],
  })
  expect(operator.got.length).toBe(5)
  const body = `Ærlig talt {€}: ${'0123456789'.repeat(30)}`.replace(/[{}]/g, '')
  const long = await must('POST', '/sms/messages', { to: ['+4790000009'], body })
  await expect.poll(async () => (await messages(`batchId=${long.id}`))[0].status, { interval: 250 }).toBe('delivered')
  const parts = operator.got.filter(({ to: number }) => number.endsWith('09'))
  expect(parts.map(({ text }) => text).join('')).toBe(body)
  expect(parts.length).toBe((await messages(`batchId=${long.id}`))[0].segments)
})

test('answers from a telephone acknowledge an alert, opt out and opt in, each once', onKannel, async () => {
  const { operator, must } = await open()
  await must('POST', '/sms/messages', { to: ['+4790000007'], body: 'One' })
  await expect.poll(() => operator.got.length).toBe(1)
  operator.answer('4790000007', '2600', 'STOP')
  const effects = async () => (await must('GET', '/sms/replies')).items.map(({ effect }: { effect: string }) => effect)
  await expect.poll(effects).toEqual(['opted-out'])
  const { recipients } = await must('POST', '/sms/messages/preview', { to: ['+4790000007'], body: 'Two' })
  expect(recipients[0].skipped).toBe('Asked for no more messages')
  operator.answer('4790000007', '2600', 'start')
  await expect.poll(effects).toEqual(['opted-in', 'opted-out'])
})

test('an alert follows a reassigned shift and a changed number, and one answer acknowledges it', onKannel, async () => {
  const { operator, must } = await open()
  const { items: people } = await must('GET', '/auth/users?itemsPerPage=50')
  const [anna, nils] = ['anna', 'nils'].map(
    (name) => people.find((one: { username: string }) => one.username === name).id,
  )
  const { id: departmentId } = await must('POST', '/auth/departments', { name: 'Operations' })
  for (const id of [anna, nils]) await must('PATCH', `/auth/users/${id}`, { departmentId })
  await must('POST', '/employee-controller/profile', { userId: anna, phone: '+4790000011' })
  await must('POST', '/employee-controller/profile', { userId: nils, phone: '+4790000012' })
  const type = await must('POST', '/calendar/shifts/type', { name: 'Watch', startTime: '00:00', endTime: '00:00' })
  // tomorrow too, because the test may pass midnight
  const days = [0, 1].map((n) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10))
  const shifts: { id: number }[] = []
  for (const date of days)
    shifts.push(await must('POST', '/calendar/shifts', { userId: anna, date, shiftTypeId: type.id }))
  await must('PATCH', '/sms/settings', { alertReasons: ['tracker'], alertLevel: 'info' })
  let known = 0
  const alerted = async (title: string) => {
    known = operator.got.length
    await must('POST', '/internal-tickets/tickets', { title, assigneeId: nils })
    await expect.poll(() => operator.got.length).toBe(known + 1)
    return operator.got[known] ?? { to: '', text: '' }
  }
  expect(await alerted('Smoke in rack 4')).toMatchObject({ to: '4790000011' })
  // only a planner can reassign a shift that has begun
  for (const { id } of shifts) await must('PATCH', `/calendar/shifts/${id}`, { userId: nils })
  await must('PATCH', `/employee-controller/profile/user/${nils}`, { personalDetails: { phone: '+4790000013' } })
  const { to, text } = await alerted('Smoke in rack 5')
  expect(to).toBe('4790000013')
  const answer = /OK \d+$/.exec(text)?.[0] ?? ''
  operator.answer('4790000011', '2600', answer)
  operator.answer('4790000013', '2600', answer.toLowerCase())
  const replies = async () =>
    (await must('GET', '/sms/replies')).items.map((one: { effect: string }) => one.effect).sort()
  await expect.poll(replies).toEqual(['acknowledged', 'none'])
  const { items: alerts } = await must('GET', '/sms/batches?kind=alert')
  expect(alerts.map((one: { acknowledgedBy: string | null }) => one.acknowledgedBy)).toEqual(['Some nils', null])
})

import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { letPass } from '../bin/pass.ts'
import { Innkeeper } from '../e2e/innkeeper.ts'
import { type Db, rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { addConversations } from './fill/conversations.ts'
import { ensureDatabase } from './fill/database.ts'
import { percentiles, single } from './load.ts'
import type { Options } from './options.ts'
import { atMost, known, type Line, short } from './table.ts'

const MILLION = 1_000_000
/** Ticks of a second, in which Linux counts the time of processes. */
const TICKS = 100
const rulesPath = '/qa-controller-v2/checks'
/** What people open meanwhile. */
const asks = [
  '/api/chat-controller-v2/chats/archive?itemsPerPage=50',
  '/api/chat-controller-v2/chats/archive?itemsPerPage=50&sort=failedChecks',
  '/api/qa-controller-v2/checks',
  '/api/auth/users?itemsPerPage=50',
].map((path) => ({ path }))

/**
 * Changes a rule through the API of a running Innkeeper, and measures how long its worker judges all conversations again, and how
 * much longer the calls of people take meanwhile.
 */
export async function* rechecked(server: string, { rows: wanted }: Options): AsyncGenerator<Line> {
  const count = Math.min(wanted, MILLION)
  const url = await ensureDatabase(server, `bench_rechecked_${count}`)
  const { db, close } = await openDatabase(url)
  const innkeeper = await fill(db, count).then(() => Innkeeper.open({ database: url }))
  try {
    await idle(innkeeper)
    const quiet = await work(innkeeper, Date.now() + 10_000)
    const { items } = await innkeeper.must('GET', `${rulesPath}?itemsPerPage=50`)
    const rule = items.find(({ check }: { check: string }) => check === 'forbidden')
    const before = await processorOf(db, innkeeper)
    const began = performance.now()
    const words = [...rule.words, `word ${Date.now()}`]
    await innkeeper.must('PATCH', `${rulesPath}/${rule.id}`, { words, version: rule.version })
    const busy: number[] = []
    for (let progress = 0; progress < 100; ) {
      busy.push(...(await work(innkeeper, Date.now() + 2000)))
      ;({ progress } = await innkeeper.must('GET', `${rulesPath}/${rule.id}`))
    }
    const seconds = (performance.now() - began) / 1000
    const after = await processorOf(db, innkeeper)
    const each = (used: number) => `${short((used / count) * 1000)} s`
    const minutes = (seconds / count) * (MILLION / 60)
    const story = 'rechecked'
    yield atMost(
      story,
      'one million conversations after a rule changed',
      minutes,
      60,
      ' min',
      `${count} took ${short(seconds)} s`,
    )
    yield known(
      story,
      'processor for 1,000, of Innkeeper',
      each(after.own - before.own),
      'with the calls of people beside it',
    )
    yield known(story, 'processor for 1,000, of PostgreSQL', each(after.database - before.database), 'likewise')
    for (const [n, { path }] of asks.entries()) {
      const at = (times: number[]) => percentiles(times.filter((_, each) => each % asks.length === n))
      const [calm, strained] = [at(quiet), at(busy)]
      const detail = `p99 ${short(calm.p99)} and ${short(strained.p99)} ms, max ${short(calm.max)} and ${short(strained.max)} ms`
      const what = `p50 of ${path.split('/').slice(3).join(' ')}, to quiet`
      yield atMost(story, what, strained.p50 / calm.p50, 3, '', detail)
    }
  } finally {
    await innkeeper.close()
    await close()
  }
}

/** Conversations that all rules have judged. A kept database has them already. */
async function fill(db: Db, count: number): Promise<void> {
  await addConversations(db, count)
  await db.execute(sql`update qc_check_rules set cursor = null where cursor is not null`)
  if ((await rows(db, sql`select from qc_check_results limit 1`)).length) return
  await db.execute(sql`insert into qc_check_results (conversation_id, kind, passed, failed, failed_count, checked_at)
    select qc_conversation_id, kind, (select array_agg(qc_check_rule_id order by 1) from qc_check_rules), '{}', 0, now() from qc_conversations`)
  await db.execute(sql`vacuum analyze`)
}

/** Lets the first rounds of the worker end. */
async function idle(innkeeper: Innkeeper): Promise<void> {
  await work(innkeeper, Date.now() + 5000)
  await letPass(5000, 'the first rounds of the worker')
}

/** Latencies in ms of people who work until then. */
async function work(innkeeper: Innkeeper, until: number): Promise<number[]> {
  const times: number[] = []
  while (Date.now() < until) times.push(...(await single(innkeeper.port, asks, innkeeper.token)))
  return times
}

/** Seconds of a processor that Innkeeper and the connections of its database have used. */
async function processorOf(db: Db, { pid }: Innkeeper): Promise<{ own: number; database: number }> {
  const found = await rows<{ pid: number }>(
    db,
    sql`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  )
  return { own: usedBy(pid ?? 0), database: found.reduce((sum, one) => sum + usedBy(one.pid), 0) }
}

function usedBy(pid: number): number {
  // the fields after the name of the program, which may have spaces
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

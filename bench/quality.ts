import { sql } from 'drizzle-orm'
import { Innkeeper } from '../e2e/innkeeper.ts'
import type { App } from '../server/kit/app/app.ts'
import { type Db, rows } from '../server/kit/db/db.ts'
import { openDatabase } from '../server/kit/db/open.ts'
import { packDays } from '../server/quality/qc/statistics/days.ts'
import { ensureDatabase } from './fill/database.ts'
import { median, single } from './load.ts'
import { atMost, type Line, short } from './table.ts'

const [FEW, MANY] = [100, 100_000]
const ROUNDS = 30
/** What people open: lists in their usual orders, and figures of a month. */
const asks: Record<string, string> = {
  'archive of chats': '/api/chat-controller-v2/chats/archive?itemsPerPage=50',
  'chats of an agent': '/api/chat-controller-v2/chats/archive?itemsPerPage=50&agent=2',
  'chats that failed a check': '/api/chat-controller-v2/chats/archive?itemsPerPage=50&failed=1&sort=failedChecks',
  'figures of a month': `/api/qa-statistics-v2/statistics/overall?from=${daysAgo(31)}&to=${daysAgo(1)}`,
  'figures of agents': `/api/qa-statistics-v2/statistics/users?from=${daysAgo(31)}&to=${daysAgo(1)}`,
  'reviews behind a figure': `/api/qa-statistics-v2/statistics/reviews?itemsPerPage=50&from=${daysAgo(31)}&to=${daysAgo(1)}`,
  leaves: '/api/leave-calendar/requests?itemsPerPage=50',
  'leaves of a month': `/api/leave-calendar/requests?itemsPerPage=50&from=${daysAgo(31)}&to=${daysAgo(1)}`,
}

/** Compares lists and statistics of conversations, checks and leaves with 100 and with 100,000 of each. */
export async function* quality(server: string): AsyncGenerator<Line> {
  const times = new Map<string, number[]>()
  for (const size of [FEW, MANY]) {
    const url = await ensureDatabase(server, `bench_quality_${size}`)
    const { db, close } = await openDatabase(url)
    try {
      await fill(db, size)
    } finally {
      await close()
    }
    const innkeeper = await Innkeeper.open({ database: url, args: ['--role=api'] })
    try {
      for (const [what, path] of Object.entries(asks)) {
        const { status, body } = await innkeeper.call('GET', path.slice('/api'.length))
        if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`)
        const some = Array.from({ length: ROUNDS }, () => ({ path }))
        await single(innkeeper.port, some, innkeeper.token)
        times.set(what, [...(times.get(what) ?? []), median(await single(innkeeper.port, some, innkeeper.token))])
      }
    } finally {
      await innkeeper.close()
    }
  }
  for (const [what, [few = 0, many = 0]] of times)
    yield atMost('quality', what, many / few, 3, '', `p50 ${short(few)} ms at ${FEW}, ${short(many)} ms at ${MANY}`)
}

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
}

/** 20 rows of each for one person: 5 people have 100, and 5,000 have 100,000. A kept database has them already. */
async function fill(db: Db, size: number): Promise<void> {
  if ((await rows(db, sql`select from qc_conversations limit 1`)).length) return
  const people = size / 20
  await db.execute(sql`insert into departments (name) select 'Department ' || i from generate_series(1, 20) i`)
  await db.execute(sql`insert into users (username, email, first_name, last_name, password_hash, department_id)
    select 'agent' || i, 'agent' || i || '@example.org', 'Agent', i::text, '', (select min(department_id) from departments) + i % 20
    from generate_series(1, ${people}::int) i`)
  await db.execute(sql`insert into qc_sources (name) values ('Bench')`)
  await db.execute(
    sql`insert into qc_check_rules (name, "check", words, cursor) select 'Rule ' || i, 'forbidden', '{never}', null from generate_series(1, 10) i`,
  )
  const at = sql`now() - i * interval '1 year' / ${size}::int`
  const agent = sql`(select min(user_id) from users where username = 'agent1') + i % ${people}::int`
  await db.execute(sql`insert into qc_conversations (kind, source_id, external_id, digest, subject, customer_name, customer_email, agent_id, agent_ids,
      department_id, started_at, last_at, messages, status, score, reviewed_at, reviewed_by)
    select 'chat', (select min(qc_source_id) from qc_sources), 'c' || i, '', 'Subject ' || i, 'Customer ' || i, '', ${agent}, array[${agent}],
      (select min(department_id) from departments) + i % 20, ${at}, ${at}, 5, 'reviewed', i % 101, ${at}, 1 from generate_series(1, ${size}::int) i`)
  await db.execute(sql`insert into qc_reviews (conversation_id, kind, agent_id, reviewer_id, department_id, population, score, is_failed, submitted_at, created_at)
    select qc_conversation_id, kind, agent_id, 1, department_id, 'sample', score, false, last_at, last_at from qc_conversations`)
  await db.execute(sql`insert into qc_check_results (conversation_id, kind, passed, failed, failed_count, checked_at)
    select qc_conversation_id, kind, '{2,3,4,5,6,7,8,9,10}', case when qc_conversation_id % 10 = 0 then '{1}' else '{}' end::int[],
      case when qc_conversation_id % 10 = 0 then 1 else 0 end, now() from qc_conversations`)
  await db.execute(sql`insert into leaves (user_id, leave_type_id, start_date, end_date, start_part, end_part, halves, reason, status)
    select u.user_id, 1, d, d + 2, 'full', 'full', 6, 'Away', case when n % 4 = 0 then 'pending' else 'approved' end
    from users u, generate_series(1, 20) n, lateral (select current_date - 400 + n * 25 + u.user_id % 20 as d) x where u.username like 'agent%'`)
  // packs as the worker does
  for (let before = -1, now = 0; now !== before; ) {
    before = now
    await packDays({ db } as App)
    now = (await rows(db, sql`select from qc_review_days`)).length
  }
  await db.execute(sql`vacuum analyze`)
}

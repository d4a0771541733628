import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** Audits in every state: of Nina by the administrator, and one of the administrator by Nina. */
export async function makeScrums(db: Db, call: Call): Promise<void> {
  const base = '/dev-scrum'
  const [nina] = await rows<{ id: number }>(db, sql`select user_id as id from users where username = 'nina'`)
  const userId = nina!.id // makeLeaves has created Nina
  const reviews = await call('POST', `${base}/components`, { name: 'Reviews', weight: 20 })
  const tests = await call('POST', `${base}/components`, { name: 'Tests', weight: 10 })
  const items = [
    { componentId: reviews.id, score: 4 },
    { componentId: tests.id, score: 2, comment: 'Too few' },
  ]
  const audit = (name: string, month: string, more: object) =>
    call('POST', `${base}/audits`, {
      ...{ name, userId, items, periodStart: `2026-${month}-01`, periodEnd: `2026-${month}-14`, ...more },
    })
  const draft = await audit('Sprint draft', '10', {})
  await call('POST', `${base}/audits/${draft.id}/actions`, { title: 'Pair with Mari', componentId: tests.id })
  await audit('Sprint submitted', '09', { status: 'submitted' })
  const done = await audit('Sprint acknowledged', '08', { status: 'submitted' })
  await db.execute(
    sql`update scrum_audits set status = 'acknowledged', acknowledged_at = now() where scrum_audit_id = ${done.id}`,
  )
  await db.execute(sql`insert into scrum_audits (name, user_id, auditor_id, period_start, period_end, status, scale, total, submitted_at)
    select 'Sprint of the keeper', user_id, ${userId}, '2026-09-01', '2026-09-14', 'submitted', 5, 800, now() from users where username = 'keeper'`)
  await call('PATCH', `${base}/settings`, { periodDays: 14 })
}

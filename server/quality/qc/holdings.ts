import { type SQL, sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import { holdsAny } from '../../access/users/read.ts'
import { users } from '../../access/users/tables.ts'
import type { Holding } from '../../kit/app/holding.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

/** Objects that a departing person owns: `where` selects them, `set` assigns them to the successor. */
const holding = (
  key: string,
  label: string,
  table: string,
  { where, set }: { where: (userId: number) => SQL; set: (heir: number) => SQL },
): Holding => ({
  key,
  label,
  async count(db, userId) {
    const [found] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from ${sql.identifier(table)} where ${where(userId)}`,
    )
    return found?.n ?? 0
  },
  async handOver(db, from, to) {
    await db.execute(
      sql`update ${sql.identifier(table)} set ${set(to.id)}, version = version + 1, updated_at = now() where ${where(from)}`,
    )
    await changed(db, 'qc')
  },
})

/** The successor; nobody, if they may not read what they would inherit. */
const ifReads = (heir: number, may: SQL) =>
  sql`(select ${users.id} from ${users} where ${users.id} = ${heir} and ${may})`

export const openEscalations = holding('escalations', 'Open escalations', 'qc_escalations', {
  where: (userId) => sql`assignee_id = ${userId} and status <> 'reviewed'`,
  set: (heir) => sql`assignee_id = ${ifReads(heir, holdsAny(['qa:escalation:read']))}`,
})
export const assignedReviews = holding('reviews', 'Assigned reviews', 'qc_conversations', {
  where: (userId) => sql`assignee_id = ${userId} and status = 'queued'`,
  set: (heir) =>
    sql`assignee_id = case kind when 'chat' then ${ifReads(heir, holdsAny(['qa:chat:read']))} else ${ifReads(heir, holdsAny(['qa:ticket:read']))} end`,
})

/**
 * Releases items that a departing person has open or postponed, and deletes unfinished reviews, which only they could
 * finish.
 */
export async function freeItems(db: Db, { id }: { id: number }): Promise<void> {
  await db.execute(sql`update qc_conversations set holder_id = null, holds_until = null where holder_id = ${id}`)
  await db.execute(
    sql`update qc_conversations set postponed_by = null, postponed_until = null where postponed_by = ${id}`,
  )
  // queued items already have a successor; others could later return to the queue assigned to the person who has left
  await db.execute(
    sql`update qc_conversations set assignee_id = null, assign_reason = null where assignee_id = ${id} and status <> 'queued'`,
  )
  await db.execute(sql`delete from qc_drafts where reviewer_id = ${id}`)
  await informOfDisputes(db, id)
  await db.execute(sql`delete from qc_calibration_reviews where reviewer_id = ${id} and submitted_at is null`)
}

/** Notifies the quality managers of disputes that only the departing reviewer knows of. */
async function informOfDisputes(db: Db, id: number): Promise<void> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`select count(*)::int as n from qc_feedbacks f join qc_reviews r on r.qc_review_id = f.review_id
      where r.reviewer_id = ${id} and f.type = 'dispute' and f.status in ('open', 'in-progress')`,
  )
  if (!found?.n) return
  const to = (await holdersOf(db, 'qa:manager:access')).filter((one) => one !== id)
  await notify(db, {
    to,
    reason: 'quality',
    title: `Disputes have lost their reviewer: ${found.n}`,
    body: 'Somebody has left whose reviews are disputed: a quality manager decides.',
    link: '/qc-v2/feedbacks?type=dispute',
  })
}

import { type SQL, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { hint } from '../feedback/notify.ts'
import { admits, entry } from '../feedback/readers.ts'
import { managerOf } from '../memberships/current.ts'
import type { Arranger, Managing } from './managing.ts'

/** Follow-ups and talks of managers who lose people today pass to the new manager of each person. */
export async function passToManagers(
  { db, now }: Arranger,
  { before, after }: { before: Managing; after: Managing },
): Promise<void> {
  const day = sql`${await todayIn(db, now)}::date`
  const lost = before.list.filter((one) => one.isToday && !after.of(one)?.isToday)
  for (const [former, pairs] of Map.groupBy(lost, ({ managerId }) => managerId)) {
    const people = sql.param(pairs.map(({ personId }) => personId))
    const heirs = sql`select p.id as person_id, ${managerOf(sql`p.id`, day)} as heir_id from unnest(${people}::int[]) as p(id)`
    await passFollowUps(db, former, heirs, day)
    await passTalks(db, former, heirs)
  }
}

/** `heirs`: a select of `person_id` and `heir_id`. Follow-ups of entries that the heir may not read stay. */
async function passFollowUps(db: Db, former: number, heirs: SQL, day: SQL): Promise<void> {
  const heir = { id: sql`h.heir_id`, isAdmin: sql`u.is_admin` }
  const passed = await rows<{ to: number }>(
    db,
    sql`update dossier_feedbacks f set follow_up_by_id = h.heir_id, version = f.version + 1, updated_at = now()
      from (${heirs}) h join users u on u.user_id = h.heir_id
      where f.subject_id = h.person_id and f.follow_up_by_id = ${former} and f.deleted_at is null and f.reminded_at is null
        and not f.is_draft and f.visibility <> 'private' and ${admits(heir, entry, day)}
      returning h.heir_id as to`,
  )
  if (passed.length) await hint(db, [former, ...passed.map(({ to }) => to)])
}

/**
 * Talks in preparation get a new lead, who must prepare. Answers of the former lead are deleted, and the person must
 * release their answers again, because they were meant for another lead. Released talks stay with the two people.
 */
export async function passTalks(db: Db, former: number, heirs: SQL): Promise<void> {
  const passed = await rows<{ id: number; personId: number; leadId: number }>(
    db,
    sql`update dossier_talks t set lead_id = h.heir_id, version = version + 1, updated_at = now()
      from (${heirs}) h where t.lead_id = ${former} and t.state = 'preparing' and t.person_id = h.person_id and h.heir_id <> t.person_id
      returning t.dossier_talk_id as id, t.person_id as "personId", t.lead_id as "leadId"`,
  )
  if (!passed.length) return
  const ids = sql`any(${sql.param(passed.map(({ id }) => id))}::int[])`
  await db.execute(sql`delete from dossier_talk_answers where talk_id = ${ids} and user_id = ${former}`)
  await db.execute(sql`update dossier_talk_answers set is_ready = false where talk_id = ${ids}`)
  const told = passed.flatMap(({ id, personId, leadId }) => [personId, leadId].map((to) => ({ to, id })))
  for (const [to, [first]] of Map.groupBy(told, (one) => one.to))
    await notify(db, {
      to: [to],
      reason: 'quality',
      title: 'A talk has a new lead',
      body: 'Both sides must confirm again that they are ready.',
      link: `/dossiers/talks/${first?.id}`,
    })
  await hint(db, [former, ...told.map(({ to }) => to)])
}

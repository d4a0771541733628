import { type SQL, sql } from 'drizzle-orm'
import { todayIn } from '../../calendar/places.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { notify } from '../../notifications/notify.ts'
import { managedBy } from '../feedback/readers.ts'
import { hint } from '../feedback/tell.ts'
import { managerOf } from '../memberships/current.ts'

/** Ids of the people whose manager somebody is today. */
async function managedPeople({ db, now }: Context, managerId: number): Promise<number[]> {
  const day = sql`${await todayIn(db, now)}::date`
  const found = await rows<{ id: number }>(
    db,
    sql`select distinct p.user_id as id from ${managedBy(sql`${managerId}::int`, day)} p order by 1`,
  )
  return found.map(({ id }) => id)
}

/** Ids of the managers of a team and of all teams above it. */
async function managersOver({ db }: Context, teamId: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`with recursive up as (
        select parent_id, manager_id from dossier_teams where dossier_team_id = ${teamId}
        union select t.parent_id, t.manager_id from up join dossier_teams t on t.dossier_team_id = up.parent_id and t.deleted_at is null)
      select distinct manager_id as id from up where manager_id is not null order by 1`,
  )
  return found.map(({ id }) => id)
}

/** Changes a team. Follow-ups and talks of managers who thereby lose people pass to the new manager of each person. */
export async function withSuccession(context: Context, teamId: number, change: () => Promise<void>): Promise<void> {
  const before = new Map<number, number[]>()
  for (const id of await managersOver(context, teamId)) before.set(id, await managedPeople(context, id))
  await change()
  for (const [id, people] of before) await passOn(context, id, people)
}

async function passOn(context: Context, former: number, before: readonly number[]): Promise<void> {
  const { db, now } = context
  const still = new Set(await managedPeople(context, former))
  const people = before.filter((id) => !still.has(id))
  if (!people.length) return
  const day = sql`${await todayIn(db, now)}::date`
  const heirs = sql`select p.id as person_id, ${managerOf(sql`p.id`, day)} as heir_id from unnest(${sql.param(people)}::int[]) as p(id)`
  await passFollowUps(db, former, heirs)
  await passTalks(db, former, heirs)
}

/** `heirs`: a select of `person_id` and `heir_id`. Follow-ups of private entries and drafts stay with their author. */
async function passFollowUps(db: Db, former: number, heirs: SQL): Promise<void> {
  const passed = await rows<{ to: number }>(
    db,
    sql`update dossier_feedbacks f set follow_up_by_id = h.heir_id, version = version + 1, updated_at = now()
      from (${heirs}) h where f.subject_id = h.person_id and h.heir_id is not null and f.follow_up_by_id = ${former}
        and f.deleted_at is null and f.reminded_at is null and not f.is_draft and f.visibility <> 'private'
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

import { holds } from '@innkeeper/contract/kit/access'
import { sql } from 'drizzle-orm'
import { LATELY_DAYS, peopleLetInBy } from '../../../access/rights/reach.ts'
import { rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { outOfReach } from '../../../kit/http/errors.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { heldFrom } from '../memberships/current.ts'
import type { Arranger, Managing } from '../teams/managing.ts'
import { matesOf } from './readers.ts'

const OTHERS = 'somebody else who arranges teams, or an administrator, must do this'

/** Nobody puts themselves into a team, whose members see entries about each other. */
export function mayJoin({ staff }: Pick<Context, 'staff'>, userId: number): void {
  if (!staff.isAdmin && staff.id === userId)
    throw outOfReach('You cannot change your own team: ask somebody else who arranges teams, or an administrator')
}

/**
 * Nobody makes themselves the manager of people, neither now nor from a later day (decision 121). Whoever made the
 * sign-in of somebody lately could sign in as them, and so does not make them a manager either.
 */
export async function mayManage({ db, staff }: Arranger, before: Managing, after: Managing): Promise<void> {
  if (staff.isAdmin) return
  const own = new Set([staff.id, ...(await peopleLetInBy(db, staff.id))])
  const gain = after.list.find((one) => {
    const was = before.of(one)
    return own.has(one.managerId) && (!was || was.until < one.until || (one.isMain && !was.isMain))
  })
  if (!gain) return
  const names = await rows<{ id: number; name: string }>(
    db,
    sql`select user_id as id, ${personName()} as name from users where user_id in (${gain.managerId}, ${gain.personId})`,
  )
  const nameOf = (wanted: number) => names.find(({ id }) => id === wanted)?.name
  const person = nameOf(gain.personId)
  if (gain.managerId === staff.id) throw outOfReach(`You would become the manager of ${person}: ${OTHERS}`)
  const puppet = nameOf(gain.managerId)
  throw outOfReach(
    `${puppet} would become the manager of ${person}, and you made the sign-in of ${puppet} in the last ${LATELY_DAYS} days: ${OTHERS}`,
  )
}

/** Ids of the people who are in a team with the caller, today or later. */
export async function matesNow({ db, staff, now }: Arranger): Promise<number[]> {
  const day = sql`${await todayIn(db, now)}::date`
  const found = await rows<{ id: number }>(
    db,
    sql`select distinct p.user_id as id from ${matesOf(sql`${staff.id}::int`, day, heldFrom)} p`,
  )
  return found.map(({ id }) => id)
}

/** Refuses new teammates about whom the caller could then read entries that their team sees. */
export async function mayMeet(caller: Arranger, known: readonly number[]): Promise<void> {
  const { db, staff } = caller
  if (staff.isAdmin) return
  const fresh = (await matesNow(caller)).filter((id) => !known.includes(id))
  if (!fresh.length) return
  const [found] = await rows<{ name: string }>(
    db,
    sql`select ${personName('u')} as name from users u
      where u.user_id = any(${sql.param(fresh)}::int[]) and u.user_id <> ${staff.id}
        and exists (select from dossier_feedbacks f where f.subject_id = u.user_id and f.author_id <> ${staff.id}
          and f.deleted_at is null and not f.is_draft and f.visibility = 'team')
      order by u.user_id limit 1`,
  )
  if (found) throw outOfReach(`You could read entries about ${found.name} then: ${OTHERS}`)
}

/** Days that people spend in teams whose conversations the caller reviews. */
export async function reviewedNow({ db, staff }: Arranger): Promise<Map<number, number>> {
  const found = await rows<{ id: number; days: number }>(
    db,
    sql`select m.user_id as id, sum(coalesce(m.ends_on, '9999-12-31') - m.starts_on)::float8 as days
      from dossier_memberships m join qc_reviewers r on r.user_id = ${staff.id} and m.team_id = any(r.team_ids)
      where m.deleted_at is null and m.user_id <> ${staff.id} group by m.user_id`,
  )
  return new Map(found.map(({ id, days }) => [id, days]))
}

/** Refuses more days of people in such teams: the caller could read their conversations of these days, also of past ones. */
export async function mayReview(caller: Arranger, known: ReadonlyMap<number, number>): Promise<void> {
  const { staff } = caller
  if (staff.isAdmin || holds(staff, 'qa:manager:access')) return
  const [gain] = [...(await reviewedNow(caller))].find(([id, days]) => days > (known.get(id) ?? -1)) ?? []
  if (gain === undefined) return
  const [person] = await rows<{ name: string }>(
    caller.db,
    sql`select ${personName()} as name from users where user_id = ${gain}`,
  )
  throw outOfReach(`You review this team and could read the conversations of ${person?.name}: ${OTHERS}`)
}

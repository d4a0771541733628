import { type SQL, sql } from 'drizzle-orm'
import { todayIn } from '../../calendar/places.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { outOfReach } from '../../kit/http/errors.ts'
import { heldFrom, managerOf } from '../memberships/current.ts'
import { managedBy, matesOf } from './readers.ts'

interface Caller {
  db: Db
  staff: Pick<Staff, 'id' | 'isAdmin'>
  now: Date
}

/**
 * Runs a change of teams or memberships. Refuses the change if it lets the caller read entries about more people, now
 * or from a later day: rights to arrange teams would otherwise open every dossier. Somebody else, or an administrator,
 * makes such a change. A team leader may take in a person without entries, as their main manager.
 */
export async function withoutReadingMore<T>(caller: Caller, change: () => Promise<T>): Promise<T> {
  if (caller.staff.isAdmin) return change()
  const before = await peopleRead(caller)
  const done = await change()
  const after = await peopleRead(caller)
  const managed = after.managed.filter((id) => !before.managed.includes(id))
  const mates = after.mates.filter((id) => !before.managed.includes(id) && !before.mates.includes(id))
  if (!managed.length && !mates.length) return done
  const found = await revealed(caller, managed, mates)
  if (found)
    throw outOfReach(
      `You could read entries about ${found.name} then: somebody else who arranges teams, or an administrator, must do this`,
    )
  return done
}

/** Nobody puts themselves into a team, whose members see entries about each other. */
export function mayJoin({ staff }: Pick<Caller, 'staff'>, userId: number): void {
  if (!staff.isAdmin && staff.id === userId)
    throw outOfReach('You cannot change your own team: ask somebody else who arranges teams, or an administrator')
}

const dayOf = async ({ db, now }: Caller): Promise<SQL> => sql`${await todayIn(db, now)}::date`

/** Ids of the people whose entries the caller may read, as their manager or in a team with them, today or later. */
async function peopleRead(caller: Caller): Promise<{ managed: number[]; mates: number[] }> {
  const [me, day] = [sql`${caller.staff.id}::int`, await dayOf(caller)]
  const ids = async (people: SQL) =>
    (await rows<{ id: number }>(caller.db, sql`select distinct p.user_id as id from ${people} p`)).map(({ id }) => id)
  return { managed: await ids(managedBy(me, day, heldFrom)), mates: await ids(matesOf(me, day, heldFrom)) }
}

/** One of the people about whom the caller could now read, or who have another manager. */
async function revealed(
  caller: Caller,
  managed: readonly number[],
  mates: readonly number[],
): Promise<{ name: string } | undefined> {
  const [me, day] = [caller.staff.id, await dayOf(caller)]
  const among = (ids: readonly number[]) => sql`u.user_id = any(${sql.param([...ids])}::int[])`
  const hasEntry = (which: SQL) => sql`exists (select from dossier_feedbacks f where f.subject_id = u.user_id
    and f.author_id <> ${me} and f.deleted_at is null and not f.is_draft and ${which})`
  const [found] = await rows<{ name: string }>(
    caller.db,
    sql`select u.first_name || ' ' || u.last_name as name from users u where u.user_id <> ${me} and (
        ${among(managed)} and (${hasEntry(sql`f.visibility <> 'private'`)}
          or coalesce(${managerOf(sql`u.user_id`, day)}, ${me}) <> ${me})
        or ${among(mates)} and ${hasEntry(sql`f.visibility = 'team'`)})
      order by u.user_id limit 1`,
  )
  return found
}

import type { Visibility } from '@innkeeper/contract/quality/dossiers/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { todayIn } from '../../../planning/calendar/places.ts'
import { holdsOn } from '../memberships/current.ts'

/**
 * The one rule of who reads an entry of a dossier (decision 50). Every list, search, count, export, notification and
 * live hint uses it.
 *
 * - The author reads it always, and nobody else reads a draft or a private entry.
 * - `manager`: also whoever manages the person today, from their appointment on (decision 121), and administrators.
 * - `subject-and-manager`: also the person.
 * - `team`: also whoever is in a team with the person today.
 */
export interface Entry {
  author: SQL
  subject: SQL
  visibility: SQL
  isDraft: SQL
  publishedAt: SQL
}
interface Reader {
  id: SQL
  isAdmin: SQL
}

/** Columns of an entry in a query with the alias `f`. */
export const entry: Entry = {
  author: sql`f.author_id`,
  subject: sql`f.subject_id`,
  visibility: sql`f.visibility`,
  isDraft: sql`f.is_draft`,
  publishedAt: sql`f.published_at`,
}

/** Condition: the reader may read the entry on this day. */
export const admits = (
  { id, isAdmin }: Reader,
  { author, subject, visibility, isDraft, publishedAt }: Entry,
  day: SQL,
): SQL =>
  sql`(${author} = ${id} or not ${isDraft} and ${visibility} <> 'private' and (${isAdmin}
    or ${visibility} <> 'manager' and ${subject} = ${id}
    or ${subject} in ${managedBy(id, day)} and not exists (select from dossier_readings r
      where r.manager_id = ${id} and r.person_id = ${subject} and ${publishedAt} < r.since)
    or ${visibility} = 'team' and ${subject} in ${matesOf(id, day)}))`

/**
 * Common table `led`: the teams that each `reader` leads, and the teams below. `which`: condition on the teams `t` that a
 * reader manages. `via`: only this person counts of the team.
 */
export const ledBy = (which: SQL): SQL => sql`led as (
    select t.manager_id as reader, t.dossier_team_id as id, null::int as via from dossier_teams t
      where ${which} and t.deleted_at is null
    union
    select l.reader, c.dossier_team_id, coalesce(l.via, c.manager_id) from led l
      join dossier_teams c on c.parent_id = l.id and c.deleted_at is null
      where c.manager_id is null or c.manager_id <> l.reader and (l.via is null or l.via = c.manager_id))`

/**
 * Select of the people whose manager is the reader: members of the reader's teams, members of lower teams without a
 * manager, and managers of lower teams who are members of their own team.
 */
const managedBy = (reader: SQL, day: SQL): SQL => sql`(with recursive ${ledBy(sql`t.manager_id = ${reader}`)}
  select m.user_id from led l join dossier_memberships m on m.team_id = l.id
    where ${holdsOn('m', day)} and m.user_id <> ${reader} and (l.via is null or m.user_id = l.via))`

/** Select of the people who are in a team with the reader. `held`: which memberships count. */
export const matesOf = (reader: SQL, day: SQL, held = holdsOn): SQL => sql`(select m.user_id from dossier_memberships o
    join dossier_memberships m on m.team_id = o.team_id
    join dossier_teams t on t.dossier_team_id = o.team_id and t.deleted_at is null
    where o.user_id = ${reader} and ${held('o', day)} and ${held('m', day)})`

const dayOf = (day: string): SQL => sql`${day}::date`

/** Condition for queries with the entry `f`: the entry is not deleted, and the caller may read it. */
export async function readable({ db, staff, now }: Context, of: Entry = entry): Promise<SQL> {
  const reader = { id: sql`${staff.id}::int`, isAdmin: sql`${staff.isAdmin}::boolean` }
  const day = dayOf(await todayIn(db, now))
  return sql`(f.deleted_at is null and ${admits(reader, of, day)})`
}

/**
 * Condition that `readable` implies for everybody except administrators: the caller wrote the entry, or the entry is
 * about the caller or about people whom the caller may read. Indexes find these rows; without this condition, a list
 * would apply the rule to every stored entry.
 */
export async function within({ db, staff, now }: Context): Promise<SQL> {
  const [id, day] = [sql`${staff.id}::int`, dayOf(await todayIn(db, now))]
  return sql`(f.author_id = ${id} or f.subject_id = any(array(
    select ${id} union ${managedBy(id, day)} union ${matesOf(id, day)})))`
}

/** Condition of `within` for entries about one person: for unrelated people, only entries by the caller. */
export async function withinOf({ db, staff, now }: Context, subjectId: number): Promise<SQL> {
  if (staff.isAdmin || staff.id === subjectId) return sql`true`
  const [id, day] = [sql`${staff.id}::int`, dayOf(await todayIn(db, now))]
  const known = await rows(
    db,
    sql`select from (${managedBy(id, day)} union ${matesOf(id, day)}) p where p.user_id = ${subjectId} limit 1`,
  )
  return known.length ? sql`true` : sql`f.author_id = ${staff.id}`
}

export interface About {
  authorId: number
  subjectId: number
  visibility: Visibility
  publishedAt?: string | null | undefined
}

/** Ids of the people who may read the entry. An entry that is not published yet is treated as published now. */
export async function readersOf(
  db: Db,
  now: Date,
  { authorId, subjectId, visibility, publishedAt = null }: About,
): Promise<{ id: number; name: string; isAdmin: boolean }[]> {
  const day = dayOf(await todayIn(db, now))
  const [author, subject] = [sql`${authorId}::int`, sql`${subjectId}::int`]
  const published = sql`coalesce(${publishedAt}::timestamptz, now())`
  const of = { author, subject, visibility: sql`${visibility}::text`, isDraft: sql`false`, publishedAt: published }
  return rows(
    db,
    sql`with recursive above as (
        select m.team_id as id from dossier_memberships m where m.user_id = ${subject} and ${holdsOn('m', day)}
        union select t.parent_id from above a join dossier_teams t on t.dossier_team_id = a.id where t.parent_id is not null)
      select u.user_id as id, ${personName('u')} as name, u.is_admin as "isAdmin" from users u
      where u.deleted_at is null and (u.is_admin or u.user_id in (${author}, ${subject})
          or u.user_id in (select t.manager_id from above a join dossier_teams t on t.dossier_team_id = a.id)
          or u.user_id in ${matesOf(subject, day)})
        and ${admits({ id: sql`u.user_id`, isAdmin: sql`u.is_admin` }, of, day)}
      order by name, id`,
  )
}

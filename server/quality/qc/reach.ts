import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import { outOfReach, refused } from '../../kit/http/errors.ts'
import { dayOf } from '../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../planning/calendar/places.ts'
import { isManager, type Reading } from './rights.ts'

/** Departments and teams whose conversations a reviewer may read. */
interface Limits {
  departments: number[]
  teams: number[]
}

/** The limits of a person, whatever their role; undefined without limits. */
async function limitsOf(db: Db, userId: number): Promise<Limits | undefined> {
  const [found] = await rows<Limits>(
    db,
    sql`select department_ids as departments, team_ids as teams from qc_reviewers
      where user_id = ${userId} and cardinality(department_ids || team_ids) > 0`,
  )
  return found
}

/** Condition: an agent of the conversation belonged to one of the departments or teams on the day of the last message. */
async function within(db: Db, { departments, teams }: Limits, userId: number, name: string): Promise<SQL> {
  const c = sql.raw(name)
  const day = dayOf(sql`${c}.last_at`, await timeZoneOf(db))
  return sql`(${c}.department_id = any(${sql.param(departments)}::int[]) or ${c}.agent_ids @> array[${userId}::int]
    or exists (select from dossier_memberships m where m.user_id = any(${c}.agent_ids) and m.team_id = any(${sql.param(teams)}::int[])
      and m.deleted_at is null and m.starts_on <= ${day} and (m.ends_on is null or m.ends_on >= ${day})))`
}

/**
 * Conditions that conversations are within the reader's departments and teams. Administrators and quality managers have no
 * limits; people always reach conversations in which they wrote. `name`: table or alias of the conversations.
 */
export async function withinReach({ db, staff }: Reading, name = 'qc_conversations'): Promise<SQL[]> {
  if (staff.isAdmin || isManager(staff)) return []
  const limits = await limitsOf(db, staff.id)
  return limits ? [await within(db, limits, staff.id, name)] : []
}

/** 422 if a person to whom a conversation is given could not open it. */
export async function checkReachOf(
  db: Db,
  userId: number,
  conversationId: number,
  field = 'assigneeId',
): Promise<void> {
  const limits = await limitsOf(db, userId)
  if (!limits) return
  const [found] = await rows<{ name: string; reaches: boolean }>(
    db,
    sql`select ${personName('u')} as name, u.is_admin or 'qa:manager:access' = any(r.scopes)
        or exists (select from qc_conversations where qc_conversation_id = ${conversationId} and ${await within(db, limits, userId, 'qc_conversations')}) as reaches
      from users u left join roles r on r.role_id = u.role_id and r.deleted_at is null where u.user_id = ${userId}`,
  )
  if (found && !found.reaches)
    throw refused(`${found.name} reviews other departments or teams`, {
      [field]: `${found.name} reviews other departments or teams`,
    })
}

/** Like `withinReach`, for rows that name their conversation in a column. */
export async function ofReach(reading: Reading, conversationId: SQL): Promise<SQL[]> {
  const [reach] = await withinReach(reading, 'reached')
  if (!reach) return []
  return [
    sql`exists (select from qc_conversations reached where reached.qc_conversation_id = ${conversationId} and ${reach})`,
  ]
}

/** The items whose conversation the reader reaches. */
export async function reachedOf<T extends { conversationId: number }>(reading: Reading, items: T[]): Promise<T[]> {
  const [reach] = items.length ? await withinReach(reading) : []
  if (!reach) return items
  const ids = sql.param(items.map(({ conversationId }) => conversationId))
  const found = await rows<{ id: number }>(
    reading.db,
    sql`select qc_conversation_id as id from qc_conversations where qc_conversation_id = any(${ids}::int[]) and ${reach}`,
  )
  const reached = new Set(found.map(({ id }) => id))
  return items.filter(({ conversationId }) => reached.has(conversationId))
}

/** 403 unless the reader reaches the conversation. */
export async function checkReach(reading: Reading, conversationId: number): Promise<void> {
  if (!(await reachedOf(reading, [{ conversationId }])).length)
    throw outOfReach('The conversation is of another department or team')
}

import { type SQL, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import { outOfReach } from '../../kit/http/errors.ts'
import { dayOf } from '../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../planning/calendar/places.ts'
import { isManager, type Reading } from './rights.ts'

/** Departments and teams whose conversations a reviewer may read. */
interface Limits {
  departments: number[]
  teams: number[]
}

/** The limits of a reader; undefined for administrators, quality managers and reviewers without limits. */
async function limitsOf({ db, staff }: Reading): Promise<Limits | undefined> {
  if (staff.isAdmin || isManager(staff)) return undefined
  const [found] = await rows<Limits>(
    db,
    sql`select department_ids as departments, team_ids as teams from qc_reviewers
      where user_id = ${staff.id} and cardinality(department_ids || team_ids) > 0`,
  )
  return found
}

/**
 * Conditions that conversations are within the reader's departments and teams: those of its agents on the day of the last
 * message. People always reach conversations in which they wrote. `name`: table or alias of the conversations.
 */
export async function withinReach(reading: Reading, name = 'qc_conversations'): Promise<SQL[]> {
  const limits = await limitsOf(reading)
  if (!limits) return []
  const c = sql.raw(name)
  const day = dayOf(sql`${c}.last_at`, await timeZoneOf(reading.db))
  return [
    sql`(${c}.department_id = any(${sql.param(limits.departments)}::int[]) or ${c}.agent_ids @> array[${reading.staff.id}::int]
      or exists (select from dossier_memberships m where m.user_id = any(${c}.agent_ids) and m.team_id = any(${sql.param(limits.teams)}::int[])
        and m.deleted_at is null and m.starts_on <= ${day} and (m.ends_on is null or m.ends_on >= ${day})))`,
  ]
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

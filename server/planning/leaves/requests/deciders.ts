import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import { administrators, holdersOf } from '../../../access/notifications/holders.ts'
import { users } from '../../../access/users/tables.ts'
import type { Staff } from '../../../kit/access/sessions.ts'
import type { Appointment } from '../../../kit/app/appointment.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { readText } from '../../../kit/db/driver/prepared.ts'
import { personName } from '../../../kit/db/people.ts'
import { denied, refused, said } from '../../../kit/http/errors.ts'
import { todayIn } from '../../calendar/places.ts'
import { leaveTexts } from '../texts.ts'

export type ReviewScope = 'calendar:leave:review' | 'calendar:leave:review-cancellation'

interface Approver {
  userId: number
  substituteId: number | null
  /** True: on leave today. */
  away: boolean
}
interface Subject {
  userId: number
  departmentId: number | null
}

/** The current approvers of every person. */
export interface Lists {
  /**
   * Approver ids in order, without the person's own; null if there are none, so that all holders of the permission decide.
   */
  decidersOf(subject: Subject): number[] | null
  /** Approver ids to notify. A substitute replaces an approver who is on leave or who is the person concerned. */
  toTell(subject: Subject): number[] | null
  /** Condition on `users`: all people about whom this staff member decides. Equivalent to `decidersOf`. */
  decidedBy(staffId: number): SQL
}

const APPROVERS = `select l.department_id as "departmentId", a.user_id as "userId", s.user_id as "substituteId",
    exists (select from leaves r where r.user_id = a.user_id and r.status = 'approved'
      and $1::date between r.start_date and r.end_date) as away
  from leave_approver_lists l join leave_approvers a on a.leave_approver_list_id = l.leave_approver_list_id
  join users u on u.user_id = a.user_id and u.deleted_at is null
  left join users s on s.user_id = a.substitute_id and s.deleted_at is null
  order by l.department_id, a.position`

/** Reads all lists in one prepared query, because every page of leaves needs them. */
export async function readLists(db: Db, today: string): Promise<Lists> {
  const found = await readText<Approver & { departmentId: number | null }>(db, APPROVERS, [today], 'kept')
  const lists = Map.groupBy(found, ({ departmentId }) => departmentId)
  const listFor = (subject: Subject): { list: Approver[]; others: number[] } | undefined => {
    for (const key of subject.departmentId === null ? [null] : [subject.departmentId, null]) {
      const list = lists.get(key) ?? []
      const others = unique(list.flatMap(both)).filter((id) => id !== subject.userId)
      if (others.length) return { list, others }
    }
    return undefined
  }
  return {
    decidersOf: (subject) => listFor(subject)?.others ?? null,
    toTell: (subject) => {
      const found = listFor(subject)
      if (!found) return null
      const ownList = found.list
        .map(({ userId, substituteId, away }) =>
          away || userId === subject.userId ? (substituteId ?? userId) : userId,
        )
        .filter((id) => id !== subject.userId)
      return unique(ownList.length ? ownList : found.others)
    },
    decidedBy(staffId) {
      const named = (key: number | null) => unique((lists.get(key) ?? []).flatMap(both))
      const departments = [...lists.keys()].filter((key) => key !== null)
      const own = departments.filter((key) => named(key).includes(staffId))
      // departments with only one approver: the default list decides about that approver
      const ofOne = departments.filter((key) => named(key).length === 1)
      const byDefault = named(null)
      const isOwn = sql`${users.departmentId} = any(${ints(own)})`
      const isDefault = sql`(${users.departmentId} is null or ${users.departmentId} <> all(${ints(departments)})
        or (${users.departmentId}, ${users.id}) in (select * from unnest(${ints(ofOne)}, ${ints(ofOne.flatMap(named))})))`
      if (!byDefault.length || byDefault.includes(staffId)) return sql`(${isOwn} or ${isDefault})`
      // any holder of the permission decides about a person who is the only default approver
      const [only, ...more] = byDefault
      return more.length ? isOwn : sql`(${isOwn} or ${isDefault} and ${users.id} = ${only})`
    },
  }
}

const both = ({ userId, substituteId }: Approver) => (substituteId === null ? [userId] : [userId, substituteId])
const unique = (ids: number[]) => [...new Set(ids)]
const ints = (ids: number[]) => sql`${sql.param(ids)}::int[]`

/** True if this staff member may decide about the leave. Nobody may decide about their own. */
export function mayDecide(staff: Staff, lists: Lists, subject: Subject, scope: ReviewScope): boolean {
  if (subject.userId === staff.id || !holds(staff, scope)) return false
  return staff.isAdmin || (lists.decidersOf(subject)?.includes(staff.id) ?? true)
}

/** Throws an error that names the approvers, unless the caller may decide. */
export async function checkMayDecide(
  db: Db,
  staff: Staff,
  lists: Lists,
  subject: Subject,
  scope: ReviewScope,
): Promise<void> {
  if (mayDecide(staff, lists, subject, scope)) return
  if (subject.userId === staff.id) throw said(() => refused(leaveTexts().notOwn))
  if (!holds(staff, scope)) throw denied([scope])
  const named = await namesOf(db, lists.decidersOf(subject) ?? [])
  throw said(() => refused(leaveTexts().ask(named.join(leaveTexts().or))))
}

/** Staff ids to notify of a pending decision: who may take it. */
export const whomToTell = async (db: Db, lists: Lists, subject: Subject, scope: ReviewScope): Promise<number[]> =>
  (await tellersOf(db, lists, scope))(subject)

/** The same for many pending decisions. */
export async function tellersOf(db: Db, lists: Lists, scope: ReviewScope): Promise<(subject: Subject) => number[]> {
  const [holders, admins] = [await holdersOf(db, scope), await administrators(db)]
  return (subject) => {
    const named = lists.toTell(subject)?.filter((id) => holders.includes(id))
    // administrators decide where nobody of the list may
    const deciding = named?.length === 0 ? admins : (named ?? holders)
    return deciding.filter((id) => id !== subject.userId)
  }
}

/** The people about whose leaves each of these people decides. */
export async function decidedByEach(db: Db, userIds: readonly number[], now: Date): Promise<Appointment[]> {
  const lists = await readLists(db, await todayIn(db, now))
  const found: Appointment[] = []
  for (const userId of userIds) {
    const people = await db
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.deletedAt} is null and ${lists.decidedBy(userId)}`)
    found.push({ userId, does: 'decides about leaves of', over: people.map(({ id }) => id) })
  }
  return found
}

/** Names of active people in the order of `ids`. */
export async function namesOf(db: Db, ids: readonly number[]): Promise<string[]> {
  if (!ids.length) return []
  const found = await rows<{ name: string }>(
    db,
    sql`select ${personName()} as name from users
      where user_id = any(${sql.param([...ids])}::int[]) and deleted_at is null
      order by array_position(${sql.param([...ids])}::int[], user_id)`,
  )
  return found.map(({ name }) => name)
}

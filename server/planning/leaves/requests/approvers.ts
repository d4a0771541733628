import { holds } from '@innkeeper/contract/kit/access'
import type { LeaveApprovers } from '@innkeeper/contract/planning/leaves/calls'
import { eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { endWeakEntriesOf } from '../../../access/rights/letIn.ts'
import { LATELY_DAYS, peopleLetInBy } from '../../../access/rights/reach.ts'
import { alive, holdsAny } from '../../../access/users/read.ts'
import { users } from '../../../access/users/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, outOfReach, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { todayIn } from '../../calendar/places.ts'
import { personOf } from '../people.ts'
import { leaveApproverLists, leaveApprovers } from '../tables.ts'
import { readLists } from './deciders.ts'

type Approver = LeaveApprovers['approvers'][number]

/** The default approvers, then the approvers of each department, from its own list or the default. */
export async function readApprovers(db: Db, now: Date): Promise<LeaveApprovers[]> {
  const today = await todayIn(db, now)
  const lists = await rows<{ departmentId: number | null; name: string | null; version: number | null }>(
    db,
    sql`select d.id as "departmentId", d.name, l.version from
        (select null::int as id, null::text as name union all
          select department_id, name from departments where deleted_at is null) as d
      left join leave_approver_lists l on l.department_id is not distinct from d.id
      order by d.id is not null, lower(d.name)`,
  )
  const found = await rows<Approver & { departmentId: number | null }>(
    db,
    sql`select l.department_id as "departmentId", ${users.id} as "userId", ${users.firstName} || ' ' || ${users.lastName} as name,
        s.user_id as "substituteId", ${personName('s')} as "substituteName",
        exists (select from leaves r where r.user_id = a.user_id and r.status = 'approved'
          and ${today}::date between r.start_date and r.end_date) as away,
        ${holdsAny(['calendar:leave:review'])} as "mayReview"
      from leave_approver_lists l join leave_approvers a on a.leave_approver_list_id = l.leave_approver_list_id
      join ${users} on ${users.id} = a.user_id and ${users.deletedAt} is null
      left join users s on s.user_id = a.substitute_id and s.deleted_at is null
      order by a.position`,
  )
  const own = Map.groupBy(found, ({ departmentId }) => departmentId)
  const shown = (key: number | null) => (own.get(key) ?? []).map(({ departmentId: _, ...approver }) => approver)
  return lists.map(({ departmentId, name, version }) => {
    const mine = shown(departmentId)
    const inherited = departmentId !== null && mine.length === 0
    return {
      departmentId,
      departmentName: name,
      inherited,
      version: version ?? 0,
      approvers: inherited ? shown(null) : mine,
    }
  })
}

/** Approvers of one department; with null the default list. */
export async function findApprovers(db: Db, departmentId: number | null, now: Date): Promise<LeaveApprovers> {
  const list = (await readApprovers(db, now)).find((one) => one.departmentId === departmentId)
  if (!list) throw notFound('department', departmentId ?? undefined)
  return list
}

interface Wanted {
  departmentId: number | null
  approvers: { userId: number; substituteId?: number | null | undefined }[]
  version?: number | undefined
}

/** Replaces a list of approvers. */
export async function saveApprovers(
  { departmentId, approvers, version }: Wanted,
  context: Context,
): Promise<LeaveApprovers> {
  const { db, staff, now, audit } = context
  const listId = await lockList(db, departmentId)
  const before = await findApprovers(db, departmentId, now)
  if (version !== undefined && version !== before.version)
    throw conflict('Somebody else changed these approvers meanwhile', { current: before })
  await checkPeople(db, approvers)
  const namedBefore = ownIds(before)
  await mayAppoint(
    context,
    idsOf(approvers).filter((id) => !namedBefore.has(id)),
  )
  const decidedBefore = await decidedBy(context)
  await db.delete(leaveApprovers).where(eq(leaveApprovers.listId, listId))
  if (approvers.length)
    await db.insert(leaveApprovers).values(approvers.map((one, position) => ({ ...one, listId, position })))
  await db
    .update(leaveApproverLists)
    .set({ ...nextVersion, createdBy: staff.id })
    .where(eq(leaveApproverLists.id, listId))
  // a shorter list also makes approvers: the default list or, without one, everybody with the permission takes its place
  const gains = (await decidedBy(context)).filter((id) => !decidedBefore.includes(id))
  if (!staff.isAdmin && gains.length) throw ownGain()
  const saved = await findApprovers(db, departmentId, now)
  audit.of('default-approvers', departmentId ?? 0)
  audit.before({ approvers: before.inherited ? [] : before.approvers })
  audit.after({ name: saved.departmentName ?? 'Everybody else', approvers: saved.inherited ? [] : saved.approvers })
  await endWeakEntriesOf(context, [...ownIds(saved).difference(namedBefore)])
  await notifyOfApprovers(context, saved, namedBefore)
  await changed(db, 'leaves')
  return saved
}

/**
 * Nobody makes themselves an approver, nor somebody as whom they could sign in: approvers see the leaves of the people
 * about whom they decide.
 */
export async function mayAppoint({ db, staff }: Pick<Context, 'db' | 'staff'>, ids: readonly number[]): Promise<void> {
  if (staff.isAdmin) return
  const own = new Set([staff.id, ...(await peopleLetInBy(db, staff.id))])
  if (ids.some((id) => own.has(id))) throw ownGain()
}

const idsOf = (approvers: Wanted['approvers']): number[] =>
  approvers.flatMap(({ userId, substituteId }) => (substituteId ? [userId, substituteId] : [userId]))
const ownIds = ({ inherited, approvers }: LeaveApprovers) => new Set(inherited ? [] : idsOf(approvers))

const ownGain = () =>
  outOfReach(
    `Nobody makes themselves an approver, nor a person whose sign-in they made in the last ${LATELY_DAYS} days: ask somebody else with this permission, or an administrator`,
  )

/** Notifies the people whom a list now names, and those whom the list no longer names. */
async function notifyOfApprovers(
  { db, staff }: Context,
  saved: LeaveApprovers,
  namedBefore: ReadonlySet<number>,
): Promise<void> {
  const named = ownIds(saved)
  const of = saved.departmentName ?? 'departments without their own approvers'
  const tell = (ids: ReadonlySet<number>, title: string) =>
    notify(db, {
      ...{ to: [...ids].filter((id) => id !== staff.id), reason: 'rights', title },
      ...{ body: `By ${staff.name}, for ${of}.`, link: '/leaves/all' },
    })
  await tell(named.difference(namedBefore), 'You are an approver of leaves now')
  await tell(namedBefore.difference(named), 'You are no approver of leaves any more')
}

/** Ids of the people about whose leaves the caller decides. */
async function decidedBy({ db, staff, now }: Context): Promise<number[]> {
  if (!(['calendar:leave:review', 'calendar:leave:review-cancellation'] as const).some((scope) => holds(staff, scope)))
    return []
  const lists = await readLists(db, await todayIn(db, now))
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`${alive} and ${lists.decidedBy(staff.id)}`)
  return found.map(({ id }) => id).filter((id) => id !== staff.id)
}

/** Creates the row of a list if it is missing, and locks it against concurrent saves. */
async function lockList(db: Db, departmentId: number | null): Promise<number> {
  const [list] = await rows<{ id: number }>(
    db,
    sql`insert into leave_approver_lists (department_id, version)
      select ${departmentId}::int, 0 where ${departmentId}::int is null
        or exists (select from departments where department_id = ${departmentId} and deleted_at is null)
      on conflict (coalesce(department_id, 0)) do update set version = leave_approver_lists.version
      returning leave_approver_list_id as id`,
  )
  if (!list) throw refused('This department does not exist', { departmentId: 'This department does not exist' })
  return list.id
}

async function checkPeople(db: Db, approvers: Wanted['approvers']): Promise<void> {
  const seen = new Set<number>()
  for (const [n, { userId, substituteId }] of approvers.entries()) {
    const at = `approvers.${n}`
    const say = (field: string, text: string) => refused(text, { [`${at}.${field}`]: text, approvers: text })
    if (seen.has(userId)) throw say('userId', 'Each person can be named only once')
    if (substituteId === userId) throw say('substituteId', 'Nobody is their own substitute')
    if (!(await personOf(db, userId))) throw say('userId', `User ${userId} does not exist`)
    if (substituteId && !(await personOf(db, substituteId)))
      throw say('substituteId', `User ${substituteId} does not exist`)
    seen.add(userId)
  }
}

import { holds } from '@innkeeper/contract/kit/access'
import type { LeaveCancellation, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { isoOf } from '../../kit/db/columns.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { notFound } from '../../kit/http/errors.ts'
import { daysFromTo } from '../calendar/days.ts'
import { todayIn } from '../calendar/places.ts'
import { mayDecide, readLists } from './requests/deciders.ts'

type Times<T, K extends keyof T> = Omit<T, K> & { [P in K]: T[P] | Date }
type CancellationRow = Times<LeaveCancellation, 'createdAt' | 'updatedAt' | 'reviewedAt'>
type LeaveSpan = Pick<LeaveRequest, 'startDate' | 'endDate' | 'startPart' | 'endPart'>
type Row = Times<
  Omit<LeaveRequest, 'cancellation' | 'mayReview' | 'days'>,
  'createdAt' | 'updatedAt' | 'reviewedAt'
> & {
  halves: number
  cancellationId: number | null
}

const select = rowsByIds<Row>(
  (isWanted) => sql`select r.leave_id as id, r.version, r.created_at as "createdAt", r.updated_at as "updatedAt",
        r.user_id as "userId", ${personName('u')} as "userName",
        d.department_id as "departmentId", d.name as "departmentName",
        t.leave_type_id as "typeId", t.code as "typeCode", t.name as "typeName",
        r.start_date::text as "startDate", r.end_date::text as "endDate", r.start_part as "startPart", r.end_part as "endPart",
        r.halves, r.reason, r.status, r.comment, r.reviewed_by as "reviewedBy", r.reviewed_at as "reviewedAt",
        ${personName('b')} as "reviewedByName",
        case when r.document_key is not null then
          json_build_object('name', r.document_name, 'type', r.document_type, 'size', r.document_size) end as document,
        (select max(c.leave_cancellation_id) from leave_cancellations c where c.leave_id = r.leave_id) as "cancellationId"
      from leaves r join users u on u.user_id = r.user_id join leave_types t on t.leave_type_id = r.leave_type_id
      left join departments d on d.department_id = u.department_id
      left join users b on b.user_id = r.reviewed_by
      where ${isWanted(sql`r.leave_id`)}`,
)

/** Leaves in the order of `ids`, with the fields that the caller may see. */
export async function readLeaves(
  db: Db,
  staff: Staff,
  ids: readonly number[],
  now = new Date(),
): Promise<LeaveRequest[]> {
  if (!ids.length) return []
  const found = await select(db, ids)
  const lists = await readLists(db, await todayIn(db, now))
  const cancellations = await readCancellations(
    db,
    found.flatMap(({ cancellationId }) => cancellationId ?? []),
  )
  const shown = found.map(({ halves, cancellationId, ...row }): LeaveRequest => {
    const cancellation = cancellations.find(({ id }) => id === cancellationId) ?? null
    const decides = mayDecide(staff, lists, row, 'calendar:leave:review')
    const decidesCancelling = mayDecide(staff, lists, row, 'calendar:leave:review-cancellation')
    const waits = row.status === 'pending' ? decides : cancellation?.status === 'pending' && decidesCancelling
    // comments are visible only to the person and the approvers, not to everybody who sees the absence
    const isTheirs = row.userId === staff.id || decides || decidesCancelling
    const knows = isTheirs || managesBalances(staff)
    return {
      ...row,
      ...(knows ? { days: halves / 2 } : { ...away, days: daysAway(row) }),
      createdAt: isoOf(row.createdAt),
      updatedAt: isoOf(row.updatedAt),
      reviewedAt: row.reviewedAt && isoOf(row.reviewedAt),
      reason: isTheirs ? row.reason : null,
      comment: isTheirs ? row.comment : null,
      document: isTheirs ? row.document : null,
      cancellation: cancellation && (isTheirs ? cancellation : { ...cancellation, reason: null, comment: null }),
      mayReview: waits,
    }
  })
  return inOrder([...ids], shown)
}

/** Days from the first to the last: working days would tell a type that counts every day from one that does not. */
function daysAway({ startDate, endDate, startPart, endPart }: LeaveSpan): number {
  const days = daysFromTo(startDate, endDate)
  if (days === 1) return startPart === 'full' ? 1 : 0.5
  return days - (startPart === 'full' ? 0 : 0.5) - (endPart === 'full' ? 0 : 0.5)
}

/** Shown instead of the type of a leave to readers who may not know it. */
export const away = { typeId: null, typeCode: null, typeName: 'Away' } as const

/** Whether the caller may know of which kind a person's leaves are, and so their balances. */
export async function knowsKinds(
  db: Db,
  staff: Staff,
  { id: userId, departmentId }: { id: number; departmentId: number | null },
  now: Date,
): Promise<boolean> {
  if (userId === staff.id || staff.isAdmin || managesBalances(staff)) return true
  const lists = await readLists(db, await todayIn(db, now))
  const subject = { userId, departmentId }
  return (['calendar:leave:review', 'calendar:leave:review-cancellation'] as const).some((scope) =>
    mayDecide(staff, lists, subject, scope),
  )
}

/** What the action log keeps of a leave: its readers see that somebody is away, and not why. */
export const logged = ({ userId, userName, startDate, endDate, startPart, endPart, status }: LeaveRequest) => ({
  ...{ name: userName, userId, startDate, endDate, startPart, endPart, status },
})

/** What the action log keeps of a cancellation, without its words. */
export const loggedCancellation = ({ requestId, status }: LeaveCancellation) => ({ requestId, status })

/** Managers of balances see the type of every leave, because balances show it anyway. */
export const managesBalances = (staff: Staff): boolean => holds(staff, 'calendar:employee:read')

const selectCancellations = rowsByIds<CancellationRow>(
  (
    isWanted,
  ) => sql`select c.leave_cancellation_id as id, c.version, c.created_at as "createdAt", c.updated_at as "updatedAt",
        c.leave_id as "requestId", c.reason, c.status, c.comment, c.reviewed_by as "reviewedBy",
        ${personName('b')} as "reviewedByName", c.reviewed_at as "reviewedAt"
      from leave_cancellations c left join users b on b.user_id = c.reviewed_by
      where ${isWanted(sql`c.leave_cancellation_id`)}`,
)

export async function readCancellations(db: Db, ids: readonly number[]): Promise<LeaveCancellation[]> {
  if (!ids.length) return []
  const found = await selectCancellations(db, ids)
  return inOrder(
    [...ids],
    found.map((row) => ({
      ...row,
      createdAt: isoOf(row.createdAt),
      updatedAt: isoOf(row.updatedAt),
      reviewedAt: row.reviewedAt && isoOf(row.reviewedAt),
    })),
  )
}

/** One leave; 404 also for a leave that the caller may not see. */
export async function findLeave(db: Db, staff: Staff, id: number, now = new Date()): Promise<LeaveRequest> {
  const [leave] = await readLeaves(db, staff, [id], now)
  const visible =
    leave &&
    (leave.userId === staff.id ||
      leave.mayReview ||
      holds(staff, 'calendar:leave:read') ||
      holds(staff, 'calendar:leave:review'))
  if (!visible) throw notFound('leave', id)
  return leave
}

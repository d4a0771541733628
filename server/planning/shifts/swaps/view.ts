import type { Swap } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { plans } from '../roster/people.ts'
import type { shiftSwaps } from '../tables.ts'

export type SwapRow = typeof shiftSwaps.$inferSelect & {
  fromName: string
  toName: string | null
  /** Department of the offered shift. */
  departmentId: number | null
}

/** Swaps that match the conditions on `shift_swaps w`: open ones first, then the newest. */
export const readSwaps = (db: Db, where: SQL[], lock = false): Promise<SwapRow[]> =>
  rows<SwapRow>(
    db,
    sql`select w.shift_swap_id as id, w.version, w.created_at as "createdAt", w.updated_at as "updatedAt", w.status,
        w.from_user_id as "fromUserId", w.from_shift_id as "fromShiftId", w.from_date::text as "fromDate",
        w.from_text as "fromText", w.to_user_id as "toUserId", w.to_all as "toAll", w.to_shift_id as "toShiftId", w.to_date::text as "toDate",
        w.to_text as "toText", w.note, w.message, w.decided_by as "decidedBy",
        ${personName('f')} as "fromName", ${personName('t')} as "toName",
        g.department_id as "departmentId"
      from shift_swaps w join users f on f.user_id = w.from_user_id left join shifts g on g.shift_id = w.from_shift_id
        left join users t on t.user_id = w.to_user_id
      where ${sql.join(where, sql` and `)}
      order by w.status not in ('offered', 'accepted'), w.updated_at desc, w.shift_swap_id desc limit 200
      ${lock ? sql`for update of w` : sql``}`,
  )

/** Locks a swap of this person; planners may lock any swap. 404 if there is none. */
export async function holdSwap(db: Db, staff: Staff, id: number): Promise<SwapRow> {
  const [found] = await readSwaps(db, [sql`w.shift_swap_id = ${id}`, seenBy(staff)], true)
  if (!found) throw notFound('swap', id)
  return found
}

/** Condition on `shift_swaps w, shifts g`: planners see all swaps, others their own and offers to everybody. */
export const seenBy = (staff: Staff): SQL =>
  plans(staff)
    ? sql`true`
    : sql`(w.from_user_id = ${staff.id} or w.to_user_id = ${staff.id} or (w.to_all and g.department_id = ${staff.departmentId}))`

/** Whether a shift that is offered to everybody is offered to this person too. */
export const isNear = ({ departmentId }: Pick<SwapRow, 'departmentId'>, staff: Staff): boolean =>
  departmentId !== null && departmentId === staff.departmentId

export function shownSwap(row: SwapRow, staff: Staff): Swap {
  const isOpen = row.status === 'offered' || row.status === 'accepted'
  const isMine = row.fromUserId === staff.id
  const isAsked = row.toUserId === staff.id
  const mayTake = row.toUserId === null && !isMine && isNear(row, staff)
  return {
    ...{ id: row.id, version: row.version, status: row.status, note: row.note, message: row.message },
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    from: {
      userId: row.fromUserId,
      userName: row.fromName,
      shiftId: row.fromShiftId,
      date: row.fromDate,
      text: row.fromText,
    },
    toAll: row.toAll,
    to: { userId: row.toUserId, userName: row.toName, shiftId: row.toShiftId, date: row.toDate, text: row.toText },
    decidedBy: row.decidedBy,
    may: [
      ...(row.status === 'offered' && (isAsked || mayTake) ? (['answer'] as const) : []),
      ...(row.status === 'accepted' && plans(staff) ? (['decide'] as const) : []),
      ...(isOpen && (isMine || (isAsked && row.status === 'accepted')) ? (['withdraw'] as const) : []),
    ],
  }
}

import { holds } from '@innkeeper/contract/kit/access'
import type { LeaveCancellation } from '@innkeeper/contract/planning/leaves/calls'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, refused, said } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { lockBalances } from '../entitlements/ledger.ts'
import { leaveCancellations } from '../tables.ts'
import { leaveTexts, stateText } from '../texts.ts'
import { loggedCancellation, readCancellations, readLeaves } from '../view.ts'
import { mustLieOpen } from './checkOpenMonths.ts'
import { notifyApprovers } from './notify.ts'
import { cancelLeave } from './review.ts'

/** Withdraws a pending leave at once; requests the cancellation of an approved leave, which an approver decides. */
export async function askToCancel(
  { requestId, reason }: { requestId: number; reason?: string | undefined },
  context: Context,
): Promise<LeaveCancellation> {
  const { db, staff, now, audit } = context
  const [found] = await readLeaves(db, staff, [requestId], now)
  if (!found || (found.userId !== staff.id && !holds(staff, 'calendar:employee:update')))
    throw notFound('leave', requestId)
  await lockBalances(db, found.userId)
  const [leave] = await readLeaves(db, staff, [requestId], now) // read again now that the row is locked
  if (leave!.status === 'rejected' || leave!.status === 'cancelled')
    throw said(() =>
      refused(leaveTexts().nothingToCancel(stateText(leave!.status)), { requestId: leaveTexts().nothing }),
    )
  if (leave!.cancellation?.status === 'pending')
    throw said(() => conflict(leaveTexts().cancellationWaits, { current: leave!.cancellation }))

  const isWithdrawn = leave!.status === 'pending'
  if (isWithdrawn) await cancelLeave(context, leave!)
  else await mustLieOpen(db, leave!)
  const [made] = await db
    .insert(leaveCancellations)
    .values({
      leaveId: requestId,
      reason: reason || null,
      ...(isWithdrawn && { status: 'approved', reviewedBy: staff.id, reviewedAt: now.toISOString() }),
      createdBy: staff.id,
    })
    .returning({ id: leaveCancellations.id })
  const [cancellation] = await readCancellations(db, [made!.id])
  audit.of('cancellation', made!.id)
  audit.after({ ...loggedCancellation(cancellation!), name: leave!.userName })
  if (!isWithdrawn) await notifyApprovers(db, leave!, now, cancellation!)
  await changed(db, 'leaves', requestId)
  return cancellation!
}

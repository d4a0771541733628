import type { LeaveCancellation, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, said } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { todayIn } from '../../calendar/places.ts'
import { lockBalances, release, use } from '../entitlements/ledger.ts'
import { afterApproval, afterCancellation } from '../followers.ts'
import type { Recharged } from '../recharge/recharged.ts'
import { leaveCancellations, leaves } from '../tables.ts'
import { leaveTexts } from '../texts.ts'
import { logged, loggedCancellation, readCancellations, readLeaves } from '../view.ts'
import { mustLieOpen } from './checkOpenMonths.ts'
import { checkMayDecide, readLists } from './deciders.ts'
import { notifyPerson } from './notify.ts'

interface Decision {
  id: number
  isApproved: boolean
  comment?: string | undefined
  version?: number | undefined
}

/**
 * Approves or rejects a request. Of two simultaneous decisions, the first is stored; the second gets a 409 that names
 * the first approver.
 */
export async function reviewLeave(
  decision: Decision,
  context: Context,
): Promise<{ leave: LeaveRequest; charged: Recharged[] }> {
  const { id, isApproved } = decision
  const { db, staff, audit } = context
  const before = await leaveOf(context, id)
  await checkMayDecide(db, staff, await listsOf(context), before, 'calendar:leave:review')
  await lockBalances(db, before.userId)
  const [won] = await db
    .update(leaves)
    .set(decided(decision, context))
    .where(waiting(leaves, decision))
    .returning({ id: leaves.id })
  if (!won) throw await tooLate(context, id)
  if (isApproved) await mustLieOpen(db, before)
  await (isApproved ? use : release)(db, id, staff.id)
  const leave = await leaveOf(context, id)
  audit.before(logged(before))
  audit.after(logged(leave))
  const charged = isApproved ? await afterApproval(context, leave) : []
  await notifyPerson(
    db,
    leave,
    () => (isApproved ? leaveTexts().didApprove(staff.name) : leaveTexts().didReject(staff.name)),
    isApproved,
    leave.comment,
  )
  await changed(db, 'leaves', id)
  return { leave, charged }
}

/** Approves or rejects a cancellation. Approval returns the half days of the leave. */
export async function reviewCancellation(
  decision: Decision,
  context: Context,
): Promise<{ cancellation: LeaveCancellation; charged: Recharged[] }> {
  const { id, isApproved } = decision
  const { db, staff, audit } = context
  const [asked] = await readCancellations(db, [id])
  if (!asked) throw notFound('cancellation', id)
  const before = await leaveOf(context, asked.requestId)
  await checkMayDecide(db, staff, await listsOf(context), before, 'calendar:leave:review-cancellation')
  await lockBalances(db, before.userId)
  const [won] = await db
    .update(leaveCancellations)
    .set(decided(decision, context))
    .where(waiting(leaveCancellations, decision))
    .returning({ id: leaveCancellations.id })
  const [cancellation] = await readCancellations(db, [id])
  if (!won) throw lateFor(cancellation!)
  if (isApproved) await mustLieOpen(db, before)
  const charged = isApproved ? await cancelLeave(context, before) : []
  audit.of('cancellation', id)
  audit.before(loggedCancellation(asked))
  audit.after(loggedCancellation(cancellation!))
  await notifyPerson(
    db,
    await leaveOf(context, before.id),
    () => (isApproved ? leaveTexts().didCancel(staff.name) : leaveTexts().didNotCancel(staff.name)),
    isApproved,
    cancellation!.comment,
  )
  await changed(db, 'leaves', before.id)
  return { cancellation: cancellation!, charged }
}

/** Columns of a decision. */
const decided = ({ isApproved, comment }: Decision, { staff, now }: Context) => ({
  status: isApproved ? ('approved' as const) : ('rejected' as const),
  reviewedBy: staff.id,
  reviewedAt: now.toISOString(),
  comment: comment || null,
  ...nextVersion,
})

/** Condition: the row is undecided and has the version that the caller saw. */
const waiting = (table: typeof leaves | typeof leaveCancellations, { id, version }: Decision) =>
  and(eq(table.id, id), eq(table.status, 'pending'), version === undefined ? undefined : eq(table.version, version))

/**
 * Cancels a leave, releases its half days and reverts the effects of its approval. The caller has locked the balances.
 * Returns other leaves that are charged anew.
 */
export async function cancelLeave(context: Context, leave: LeaveRequest): Promise<Recharged[]> {
  const { db, staff } = context
  await db
    .update(leaves)
    .set({ status: 'cancelled', ...nextVersion })
    .where(eq(leaves.id, leave.id))
  await release(db, leave.id, staff.id)
  return leave.status === 'approved' ? afterCancellation(context, leave) : []
}

async function leaveOf({ db, staff, now }: Context, id: number): Promise<LeaveRequest> {
  const [leave] = await readLeaves(db, staff, [id], now)
  if (!leave) throw notFound('leave', id)
  return leave
}

const listsOf = async ({ db, now }: Context) => readLists(db, await todayIn(db, now))

/** 409 that names the first approver and the decision. */
async function tooLate(context: Context, id: number) {
  const current = await leaveOf(context, id)
  const who = current.status === 'cancelled' ? current.userName : current.reviewedByName
  return late(who, current)
}

const lateFor = (current: LeaveCancellation) => late(current.reviewedByName, current)

const late = (who: string | null, current: LeaveRequest | LeaveCancellation) =>
  said(() => {
    const words = leaveTexts()
    const state = current.status === 'pending' ? words.changed : words[current.status]
    return conflict(words.decidedAlready(who ?? words.somebody, state), { current })
  })

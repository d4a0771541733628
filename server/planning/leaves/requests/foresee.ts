import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import type { LeaveEffects } from '@innkeeper/contract/planning/leaves/effects'
import { foresee } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { lockAllBalances } from '../entitlements/ledger.ts'
import { type Planned, plannedDuring } from '../followers.ts'
import { shownChanges } from '../recharge/recharge.ts'
import type { Recharged } from '../recharge/recharged.ts'
import { readLeaves } from '../view.ts'
import { reviewCancellation, reviewLeave } from './review.ts'

/** What the approval of the pending ones of these requests would do. */
export const foreseeApprovals = (ids: readonly number[], context: Context): Promise<LeaveEffects> =>
  foreseeAll(ids, context, async (leave, inner) =>
    leave.status === 'pending' ? (await reviewLeave({ id: leave.id, isApproved: true }, inner)).charged : [],
  )

/** What the approval of the pending cancellations of these leaves would do. */
export const foreseeCancellations = (ids: readonly number[], context: Context): Promise<LeaveEffects> =>
  foreseeAll(ids, context, async ({ cancellation }, inner) =>
    cancellation?.status === 'pending'
      ? (await reviewCancellation({ id: cancellation.id, isApproved: true }, inner)).charged
      : [],
  )

type Approve = (leave: LeaveRequest, inner: Context) => Promise<Recharged[]>

/** Approves one after the other, compares the plan before and after, and takes everything back. */
function foreseeAll(ids: readonly number[], context: Context, approve: Approve): Promise<LeaveEffects> {
  const { staff, now } = context
  return foresee(context.db, async (db) => {
    const found = await readLeaves(db, staff, [...new Set(ids)], now)
    // of all people at once and in order, so that two previews do not wait for each other
    await lockAllBalances(
      db,
      found.map(({ userId }) => userId),
    )
    const before = await plannedDuring(db, found)
    const charged: Recharged[] = []
    const refusals: LeaveEffects['refusals'] = []
    for (const leave of found)
      try {
        charged.push(...(await db.transaction((tx) => approve(leave, { ...context, db: tx }))))
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refusals.push({ id: leave.id, message: [error.body.message].flat().join(' ') })
      }
    const shifts = changesOf(before, await plannedDuring(db, found))
    return {
      shifts: shifts.slice(0, 200),
      total: shifts.length,
      leaves: shownChanges(staff, others(charged)),
      refusals,
    }
  })
}

/** Each leave once, with what it cost before the first approval. */
const others = (charged: readonly Recharged[]): Recharged[] =>
  [...Map.groupBy(charged, ({ id }) => id).values()].flatMap((of) => {
    const [first, last] = [of[0], of.at(-1)]
    return first && last && first.before !== last.halves ? [{ ...last, before: first.before }] : []
  })

const at = (time: string | Date) => new Date(time).getTime()
const isWithin = (inner: Planned, outer: Planned) =>
  inner.userId === outer.userId && at(inner.startsAt) >= at(outer.startsAt) && at(inner.endsAt) <= at(outer.endsAt)

/** How the plan changed. What is left of a cut shift is a shift of its own: it is shown with the shift that was cut. */
function changesOf(before: readonly Planned[], after: readonly Planned[]): LeaveEffects['shifts'] {
  const known = new Set(before.map(({ id }) => id))
  const still = new Set(after.map(({ id }) => id))
  const gone = before.filter(({ id }) => !still.has(id))
  const come = after.filter(({ id }) => !known.has(id))
  const back = come.filter((shift) => !gone.some((whole) => isWithin(shift, whole)))
  const taken = gone.filter((shift) => !back.some((whole) => isWithin(shift, whole)))
  const shown = ({ userName, date, name, startsAt, endsAt }: Planned) => ({
    ...{ userName: userName ?? '', date, name },
    ...{ startsAt: new Date(startsAt).toISOString(), endsAt: new Date(endsAt).toISOString() },
  })
  return [
    ...taken.map((shift) => {
      const rest = come.find((one) => isWithin(one, shift))
      const stays = rest ? { startsAt: shown(rest).startsAt, endsAt: shown(rest).endsAt } : null
      return { ...shown(shift), becomes: rest ? ('cut' as const) : ('off' as const), stays }
    }),
    ...back.map((shift) => ({ ...shown(shift), becomes: 'back' as const, stays: null })),
  ]
}

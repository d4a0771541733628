import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { foresee } from '../../kit/db/foresee.ts'
import type { Context } from '../../kit/http/api.ts'
import { mustBeSeen, recharge, shownChanges } from '../leaves/recharge/recharge.ts'
import type { Why } from '../leaves/recharge/recharged.ts'

/** Changes the calendar and charges the leaves anew that the change concerns; 409 unless the caller saw these leaves. */
export async function withLeaves<T>(
  { db, staff, now }: Context,
  seen: readonly number[] | undefined,
  why: Why,
  change: () => Promise<T>,
): Promise<T> {
  let made: { value: T } | undefined
  const recharged = await recharge(db, { concerned: {}, changes: 'calendar', why, by: staff, now }, async () => {
    made = { value: await change() }
  })
  mustBeSeen(staff, recharged, seen)
  return made!.value // recharge has run the change
}

/** The leaves that a change of the calendar would charge anew. */
export const foreseeLeaves = (context: Context, change: (inner: Context) => Promise<unknown>): Promise<ChangedLeaves> =>
  foresee(context.db, async (db) => {
    const { staff, now } = context
    const how = { concerned: {}, changes: 'calendar', why: '', by: staff, now } as const
    const recharged = await recharge(db, how, () => change({ ...context, db }))
    return shownChanges(staff, recharged)
  })

import type { Outcome } from '@innkeeper/contract/planning/shifts/calls'
import type { Context } from '../../../kit/http/api.ts'
import { shiftText } from '../notify.ts'
import { applyPlan } from '../planning/apply.ts'
import { builtOf } from '../planning/build.ts'
import type { Stored } from '../roster/view.ts'
import { shown } from '../roster/view.ts'

/**
 * Gives a shift to another person, and that person's shift, if any, in return. Both changes are one plan, which is
 * checked and undone as a whole. The shifts keep department, times and time zone.
 */
export async function exchangeShifts(
  context: Context,
  {
    give,
    take,
    toUserId,
    stopAtWarnings,
  }: { give: Stored; take?: Stored | undefined; toUserId: number; stopAtWarnings: boolean },
): Promise<Outcome> {
  const words = [give, ...(take ? [take] : [])].map((shift) => shiftText(shown(shift))).join(' and ')
  const { ids: _, ...outcome } = await applyPlan(context, {
    make: [{ ...builtOf(give), userId: toUserId }, ...(take ? [{ ...builtOf(take), userId: give.userId }] : [])],
    remove: [give, ...(take ? [take] : [])].map(({ id, version }) => ({ id, version })),
    status: 'published',
    source: 'manual',
    text: take ? `Swapped ${words}` : `Handed over ${words}`,
    stopAtWarnings,
    silent: true,
  })
  return outcome
}

import * as z from 'zod'
import { instant } from '../../kit/endpoint.ts'
import { ChangedLeaves } from './changedLeaves.ts'

/** What approvals of leaves, or of their cancellations, do to the plan and to other leaves. */
export const LeaveEffects = z.object({
  /** The first 200. */
  shifts: z.array(
    z.object({
      userName: z.string(),
      date: z.string(),
      name: z.string(),
      startsAt: instant,
      endsAt: instant,
      /** Taken off the plan, cut at half a day, or back on the plan. */
      becomes: z.enum(['off', 'cut', 'back']),
      /** What stays of a cut shift. */
      stays: z.object({ startsAt: instant, endsAt: instant }).nullable(),
    }),
  ),
  total: z.int(),
  /** Other leaves that are charged anew, because they are charged by these shifts. */
  leaves: ChangedLeaves,
  /** Leaves whose approval would be refused, and why. */
  refusals: z.array(z.object({ id: z.int(), message: z.string() })),
})
export type LeaveEffects = z.output<typeof LeaveEffects>

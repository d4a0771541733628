import * as z from 'zod'
import { leaveStatus } from './values.ts'

/** An open leave that costs other days after a change. */
export const ChangedLeave = z.object({
  id: z.int(),
  /** Null unless the reader may read leaves. */
  userId: z.int().nullable(),
  userName: z.string().nullable(),
  status: leaveStatus,
  startDate: z.string(),
  endDate: z.string(),
  daysBefore: z.number(),
  days: z.number(),
})

/** What a change of holidays, working days or rosters does to pending and approved leaves. */
export const ChangedLeaves = z.object({
  /** The first 200. */
  items: z.array(ChangedLeave),
  total: z.int(),
  /** Of all of them: sent with the change, they confirm the list. */
  ids: z.array(z.int()),
})
export type ChangedLeaves = z.output<typeof ChangedLeaves>

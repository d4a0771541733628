import * as z from 'zod'
import { id, line, version, whole } from '../../kit/endpoint.ts'
import { clockTime, leaveEffects, shiftColour, shiftDay, swapRules } from './values.ts'

const pause = whole(0, 720)
const code = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}]{1,3}$/u, 'One to three letters or digits')

export const typeFields = {
  name: line(60),
  code,
  startTime: clockTime,
  endTime: clockTime,
  breakMinutes: pause,
  colour: shiftColour,
  isActive: z.boolean(),
}
export const typeChange = {
  name: typeFields.name.optional(),
  code: code.optional(),
  startTime: clockTime.optional(),
  endTime: clockTime.optional(),
  breakMinutes: pause.optional(),
  colour: shiftColour.optional(),
  isActive: z.boolean().optional(),
}
/** Times of one shift that differ from its shift type. */
export const own = { startTime: clockTime.optional(), endTime: clockTime.optional(), breakMinutes: pause.optional() }
export const planned = z.enum(['draft', 'published'])
/** A planned shift. */
const Cell = z.object({ userId: id, date: shiftDay, shiftTypeId: id, ...own })
/** A shift that the planner saw and that the plan removes. */
const Replaced = z.object({ id, version })
export const plan = {
  cells: z.array(Cell).max(8000).default([]),
  remove: z.array(Replaced).max(8000).default([]),
  status: planned.default('draft'),
}
export const copy = {
  /** First and last day to copy; `into`: the new date of the first. */
  from: shiftDay,
  to: shiftDay,
  into: shiftDay,
  times: whole(1, 12).default(1),
  departmentId: id.optional(),
  userIds: z.array(id).max(500).optional(),
  status: planned.default('draft'),
}
export const publication = {
  from: shiftDay,
  to: shiftDay,
  departmentId: id.optional(),
  userIds: z.array(id).max(500).optional(),
}
/** Ids of the leaves that the caller saw charged anew; 409 if other ones would be. */
export const seenLeaves = z.array(id).max(20_000).optional()
export const settingsChange = {
  nightFrom: whole(0, 23).optional(),
  nightTo: whole(0, 23).optional(),
  nightNumerator: whole(1, 100).optional(),
  nightDenominator: whole(1, 100).optional(),
  dayNormMinutes: whole(0, 1440).optional(),
  restMinutes: whole(0, 2880).optional(),
  weekMinutes: whole(0, 10080).optional(),
  nightsInRow: whole(0, 31).optional(),
  onLeave: z.enum(leaveEffects).optional(),
  swaps: z.enum(swapRules).optional(),
}
export const pattern = z
  .array(id.nullable())
  .min(1, 'At least one day')
  .max(84, 'At most twelve weeks')
  .refine((days) => days.some((day) => day !== null), 'At least one day with a shift')
export const automationFields = {
  userId: id.nullable().optional(),
  teamId: id.nullable().optional(),
  departmentId: id.nullable().optional(),
  endDate: shiftDay.nullable().optional(),
  stagger: whole(0, 83).optional(),
  onHoliday: z.enum(['work', 'skip']).optional(),
  onLeave: z.enum(['work', 'skip']).optional(),
  status: planned.optional(),
  weeksAhead: whole(1, 104).optional(),
  isActive: z.boolean().optional(),
}
export const automationChange = {
  ...automationFields,
  name: line(80).optional(),
  pattern: pattern.optional(),
  startDate: shiftDay.optional(),
}

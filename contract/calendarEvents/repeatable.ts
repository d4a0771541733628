import * as z from 'zod'
import { id, line, stored, whole } from '../kit.ts'
import { timeZone } from '../profiles.ts'
import { day, localTime } from './days.ts'
import { EventType, lines } from './event.ts'
import { rrule } from './rrule.ts'

/** One day of a repetition that is otherwise than its rule says. */
export const Exception = z.object({
  /** The day that the rule gives: it names the occurrence, also when that was moved. */
  occurrence: z.string(),
  title: z.string().nullable(),
  startLocal: z.string().nullable(),
  durationMin: z.int().nullable(),
  location: z.string().nullable(),
})

export const RepeatableEvent = z.object({
  ...stored,
  title: z.string(),
  description: z.string().nullable(),
  type: EventType,
  /** RFC 5545, by days. */
  rrule: z.string(),
  /** The wall clock of its zone: it stays nine o'clock when the clocks change. */
  startLocal: z.string(),
  timeZone: z.string(),
  /** Minutes; of whole days a multiple of 1440. */
  durationMin: z.int(),
  allDay: z.boolean(),
  location: z.string().nullable(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  organizerId: z.int(),
  organizerName: z.string(),
  /** Days of the rule that it is not held on. */
  exDates: z.array(z.string()),
  changes: z.array(Exception),
  /** The next days that it is held on, at most five. */
  next: z.array(z.string()),
})
export type RepeatableEvent = z.output<typeof RepeatableEvent>

const fields = {
  description: lines(4000).nullable().optional(),
  type: EventType.optional(),
  timeZone: timeZone.optional(),
  allDay: z.boolean().optional(),
  location: line(200).nullable().optional(),
  departmentId: id.nullable().optional(),
  organizerId: id.optional(),
  exDates: z.array(day).max(500).optional(),
}
const durationMin = whole(1, 31 * 1440)
export const repeatableFields = { title: line(160), rrule, startLocal: localTime, durationMin, ...fields }
export const repeatableChange = {
  title: line(160).optional(),
  rrule: rrule.optional(),
  startLocal: localTime.optional(),
  durationMin: durationMin.optional(),
  ...fields,
}

/** Which occurrences a change is about: that of `occurrence`, that and all after it, or all. */
export const reach = {
  reach: z.enum(['one', 'following', 'all']).default('all'),
  occurrence: day.optional(),
}

import * as z from 'zod'
import { timeZone } from '../../access/profiles.ts'
import { id, line, stored, whole } from '../../kit/endpoint.ts'
import { day, localTime } from './days.ts'
import { EventType, lines } from './event.ts'
import { rrule } from './rrule.ts'

/** An occurrence that differs from its rule. */
export const Exception = z.object({
  /** Date by the rule. It identifies the occurrence even after a move. */
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
  /** Repetition rule of RFC 5545, by days. */
  rrule: z.string(),
  /** Wall clock times in the zone of the event, unaffected by clock changes. */
  startLocal: z.string(),
  timeZone: z.string(),
  /** Duration in minutes; a multiple of 1,440 for all-day events. */
  durationMin: z.int(),
  allDay: z.boolean(),
  location: z.string().nullable(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  organizerId: z.int(),
  organizerName: z.string(),
  /** Dates by the rule that are cancelled. */
  exDates: z.array(z.string()),
  changes: z.array(Exception),
  /** The next dates, at most five. */
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

/** Scope of a change: one `occurrence`, that one and all following, or all. */
export const reach = {
  reach: z.enum(['one', 'following', 'all']).default('all'),
  occurrence: day.optional(),
}

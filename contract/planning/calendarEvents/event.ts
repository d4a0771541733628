import * as z from 'zod'
import { timeZone } from '../../access/profiles.ts'
import { id, instant, line, stored, whole } from '../../kit/endpoint.ts'
import { timeOrLocal } from './days.ts'

export const eventTypes = {
  meeting: 'Meeting',
  training: 'Training',
  maintenance: 'Maintenance',
  'team-building': 'Team building',
  announcement: 'Announcement',
  other: 'Other',
} as const
export type EventType = keyof typeof eventTypes
export const EventType = z.enum(Object.keys(eventTypes) as [EventType, ...EventType[]]) // keys of our own constant

export const rsvps = {
  'needs-action': 'No answer yet',
  accepted: 'Coming',
  tentative: 'Maybe',
  declined: 'Not coming',
  waitlisted: 'Waiting list',
} as const
export type Rsvp = keyof typeof rsvps
export const Rsvp = z.enum(Object.keys(rsvps) as [Rsvp, ...Rsvp[]]) // keys of our own constant
/** Answers that a person can give. Only the event itself assigns the waiting list. */
export const Answer = z.enum(['accepted', 'tentative', 'declined'])

export const attendances = { unknown: 'Not noted', present: 'Present', absent: 'Absent', excused: 'Excused' } as const
export type AttendanceState = keyof typeof attendances
export const AttendanceState = z.enum(
  Object.keys(attendances) as [AttendanceState, ...AttendanceState[]], // keys of our own constant
)

export const CalendarEvent = z.object({
  ...stored,
  title: z.string(),
  description: z.string().nullable(),
  type: EventType,
  startsAt: instant,
  /** Exclusive: the next event can start at this time. */
  endsAt: instant,
  /** All-day: from midnight to midnight in the zone of the event. */
  allDay: z.boolean(),
  timeZone: z.string(),
  /** Wall clock times in the zone of the event, for forms. */
  startLocal: z.string(),
  endLocal: z.string(),
  location: z.string().nullable(),
  organizerId: z.int(),
  organizerName: z.string(),
  /** Only this department sees the event; null: everybody. */
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** Number of places; null: unlimited. */
  capacity: z.int().nullable(),
  signupUntil: instant.nullable(),
  invited: z.int(),
  accepted: z.int(),
  waiting: z.int(),
  /** The caller's answer; null: neither invited nor registered. */
  myRsvp: Rsvp.nullable(),
})
export type CalendarEvent = z.output<typeof CalendarEvent>

const fields = {
  description: lines(4000).nullable().optional(),
  type: EventType.optional(),
  allDay: z.boolean().optional(),
  timeZone: timeZone.optional(),
  location: line(200).nullable().optional(),
  organizerId: id.optional(),
  departmentId: id.nullable().optional(),
  capacity: whole(1, 10_000).nullable().optional(),
  signupUntil: timeOrLocal.nullable().optional(),
}
/** Times without an offset are in `timeZone`. For all-day events only the dates are used, including the last one. */
export const eventFields = { title: line(160), startsAt: timeOrLocal, endsAt: timeOrLocal, ...fields }
export const eventChange = {
  title: line(160).optional(),
  startsAt: timeOrLocal.optional(),
  endsAt: timeOrLocal.optional(),
  ...fields,
}

/** Text of several lines. */
export function lines(max: number) {
  return z
    .string()
    .trim()
    .max(max)
    .refine((text) => !/[^\P{Cc}\n\r\t]/u.test(text), 'Control characters are not allowed')
}

const person = { userId: z.int(), userName: z.string(), departmentName: z.string().nullable() }

export const Attendant = z.object({
  ...stored,
  eventId: z.int(),
  ...person,
  rsvp: Rsvp,
  /** Who invited the person; null: registered without an invitation. */
  invitedBy: z.string().nullable(),
  answeredAt: instant.nullable(),
  /** Position on the waiting list, from 1. */
  waitingPlace: z.int().nullable(),
  /** Recorded attendance, and the id of its row. */
  attendance: AttendanceState,
  attendanceId: z.int().nullable(),
})
export type Attendant = z.output<typeof Attendant>

export const Attendance = z.object({
  ...stored,
  eventId: z.int(),
  ...person,
  attendance: AttendanceState,
  note: z.string().nullable(),
  notedBy: z.string(),
})
export type Attendance = z.output<typeof Attendance>

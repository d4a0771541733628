import * as z from 'zod'
import { timeZone } from '../../access/profiles.ts'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import { ChangedLeaves } from '../leaves/changedLeaves.ts'
import { dayOfYear } from '../leaves/values.ts'
import { day } from './days.ts'
import { Birthday, View, viewQuery } from './entry.ts'
import {
  Answer,
  Attendance,
  AttendanceState,
  Attendant,
  CalendarEvent,
  EventType,
  eventChange,
  eventFields,
  Rsvp,
} from './event.ts'
import {
  countryCode,
  LibraryHoliday,
  MovableMethod,
  NationalEvent,
  nationalChange,
  nationalFields,
  PreviewYear,
  regionCode,
  Workplace,
  weekend,
} from './national.ts'
import { RepeatableEvent, reach, repeatableChange, repeatableFields } from './repeatable.ts'

const search = filter(z.string().trim().max(100))
/** Ids of the leaves that the caller saw change; 409 if other ones would. */
const seen = z.array(id).max(20_000).optional()
const place = {
  departmentId: id.nullable(),
  country: countryCode.nullable(),
  region: regionCode.nullable(),
  timeZone,
  /** Absent: unchanged; for a new workplace Saturday and Sunday. */
  weekend: weekend.optional(),
  /** Absent: unchanged; for a new workplace noon. */
  halfDayMinute: whole(1, 1439).optional(),
  /** Days of every year on which work ends at that minute. Absent: unchanged; for a new workplace none. */
  halfHolidays: z
    .array(dayOfYear)
    .max(20)
    .transform((days) => [...new Set(days)].sort())
    .optional(),
}
const dated = { params: { date: day }, query: viewQuery, returns: View }

export const calendarEvents = {
  nationals: get('/event-calendar/national-event', 'calendar:national-event:read', {
    summary: 'National events of the organisation',
    query: {
      ...listQuery(['name', 'country', 'kind', 'createdAt']),
      search,
      country: filter(csv(countryCode)),
      kind: filter(z.enum(['fixed', 'movable'])),
    },
    aliases: ['/event-calendar/national-event/list'],
    returns: pageOf(NationalEvent),
  }),
  national: get('/event-calendar/national-event/event/:id', 'calendar:national-event:read', {
    summary: 'One national event',
    returns: NationalEvent,
  }),
  createNational: post('/event-calendar/national-event', 'calendar:national-event:create', {
    summary: 'Add a national event',
    body: { ...nationalFields, leaves: seen },
    returns: NationalEvent,
  }),
  updateNational: patch('/event-calendar/national-event', 'calendar:national-event:update', {
    summary: 'Change a national event',
    body: { id, ...nationalChange, leaves: seen, version },
    aliases: ['/event-calendar/national-event/:id'],
    returns: NationalEvent,
  }),
  removeNational: del('/event-calendar/national-event', 'calendar:national-event:delete', {
    summary: 'Delete a national event',
    body: { id, leaves: seen, version },
    aliases: ['/event-calendar/national-event/:id'],
    status: 204,
  }),
  newNationalLeaves: post('/event-calendar/national-event/leaves', 'calendar:national-event:create', {
    summary: 'Preview the leaves that a new national event changes',
    effect: 'read',
    status: 200,
    body: nationalFields,
    returns: ChangedLeaves,
  }),
  nationalLeaves: post('/event-calendar/national-event/:id/leaves', 'calendar:national-event:update', {
    summary: 'Preview the leaves that a changed national event changes',
    effect: 'read',
    status: 200,
    body: nationalChange,
    returns: ChangedLeaves,
  }),
  nationalRemovalLeaves: post('/event-calendar/national-event/:id/removal/leaves', 'calendar:national-event:delete', {
    summary: 'Preview the leaves that the removal of a national event changes',
    effect: 'read',
    status: 200,
    returns: ChangedLeaves,
  }),
  movableMethods: get('/event-calendar/national-event/movable-methods', 'calendar:national-event:read', {
    summary: 'Methods that compute a movable day',
    returns: z.object({ items: z.array(z.object({ method: MovableMethod, name: z.string() })) }),
  }),
  previewNational: post('/event-calendar/national-event/preview', 'calendar:national-event:read', {
    summary: 'Preview the next ten years of a national event',
    effect: 'read',
    status: 200,
    body: { id: id.optional(), ...nationalChange },
    returns: z.object({ items: z.array(PreviewYear) }),
  }),
  libraryHolidays: get('/event-calendar/national-event/library', 'calendar:national-event:read', {
    summary: 'Public holidays of a country and year from the holiday library',
    query: { country: countryCode, region: filter(regionCode), year: filter(whole(2000, 2099)) },
    returns: z.object({ items: z.array(LibraryHoliday) }),
  }),
  countries: get('/event-calendar/countries', 'calendar:national-event:read', {
    summary: 'Countries of the holiday library with their regions',
    returns: z.object({
      items: z.array(
        z.object({
          code: z.string(),
          name: z.string(),
          regions: z.array(z.object({ code: z.string(), name: z.string() })),
        }),
      ),
    }),
  }),
  workplaces: get('/event-calendar/workplaces', 'calendar:national-event:read', {
    summary: 'Workplaces of the organisation and its departments, which decide their holidays',
    returns: z.object({ items: z.array(Workplace) }),
  }),
  setWorkplace: patch('/event-calendar/workplaces', 'calendar:national-event:update', {
    summary: 'Set the workplace of the organisation or a department',
    body: { ...place, leaves: seen, version: whole(0).optional() },
    returns: Workplace,
  }),
  workplaceLeaves: post('/event-calendar/workplaces/leaves', 'calendar:national-event:update', {
    summary: 'Preview the leaves that another workplace changes, or with remove its removal',
    effect: 'read',
    status: 200,
    body: { ...place, remove: z.boolean().optional() },
    returns: ChangedLeaves,
  }),
  removeWorkplace: del('/event-calendar/workplaces', 'calendar:national-event:update', {
    summary: 'Remove the workplace of a department, which then has the holidays of the organisation',
    body: { departmentId: id, leaves: seen, version },
    status: 204,
  }),

  repeatables: get('/event-calendar/repeatable-event', 'calendar:repeatable-event:read', {
    summary: 'Repeatable events',
    query: { ...listQuery(['title', 'startLocal', 'createdAt']), search, type: filter(csv(EventType)) },
    aliases: ['/event-calendar/repeatable-event/list'],
    returns: pageOf(RepeatableEvent),
  }),
  repeatable: get('/event-calendar/repeatable-event/event/:id', 'calendar:repeatable-event:read', {
    summary: 'One repeatable event',
    returns: RepeatableEvent,
  }),
  createRepeatable: post('/event-calendar/repeatable-event', 'calendar:repeatable-event:create', {
    summary: 'Add a repeatable event',
    body: repeatableFields,
    returns: RepeatableEvent,
  }),
  updateRepeatable: patch('/event-calendar/repeatable-event', 'calendar:repeatable-event:update', {
    summary: 'Change one occurrence, one and all following, or all; answers the changed event',
    body: { id, ...repeatableChange, ...reach, version },
    aliases: ['/event-calendar/repeatable-event/:id'],
    returns: RepeatableEvent,
  }),
  lostDays: post('/event-calendar/repeatable-event/lost', 'calendar:repeatable-event:update', {
    summary: 'Preview which moved and cancelled days a change of a repeatable event drops',
    effect: 'read',
    status: 200,
    body: { id, ...repeatableChange, ...reach },
    returns: z.object({ items: z.array(z.object({ day: z.string(), kind: z.enum(['changed', 'cancelled']) })) }),
  }),
  removeRepeatable: del('/event-calendar/repeatable-event', 'calendar:repeatable-event:delete', {
    summary: 'Delete one occurrence, one and all following, or all',
    body: { id, ...reach, version },
    aliases: ['/event-calendar/repeatable-event/:id'],
    status: 204,
  }),
  previewRepeatable: post('/event-calendar/repeatable-event/preview', 'calendar:repeatable-event:read', {
    summary: 'Preview the first occurrences of a rule from a day on',
    effect: 'read',
    status: 200,
    body: { rrule: repeatableFields.rrule, startLocal: repeatableFields.startLocal, timeZone: timeZone.optional() },
    returns: z.object({ items: z.array(z.string()) }),
  }),

  month: get('/event-calendar/event/month/:date', 'calendar:event:read', {
    summary: 'All entries of the month of a day',
    ...dated,
  }),
  quarter: get('/event-calendar/event/quarter/:date', 'calendar:event:read', {
    summary: 'All entries of the quarter of a day',
    ...dated,
  }),
  year: get('/event-calendar/event/year/:date', 'calendar:event:read', {
    summary: 'All entries of the year of a day',
    ...dated,
  }),
  range: get('/event-calendar/event/range/:from/:to', 'calendar:event:read', {
    summary: 'All entries between two days, both included',
    params: { from: day, to: day },
    query: viewQuery,
    returns: View,
  }),
  holidays: get('/event-calendar/holidays/:from/:to', 'signedIn', {
    summary: 'Public holidays and weekend of the caller',
    params: { from: day, to: day },
    returns: z.object({
      items: z.array(z.object({ date: z.string(), name: z.string(), substitute: z.boolean() })),
      weekend: z.array(z.int()),
    }),
  }),

  list: get('/event-calendar/event', 'calendar:event:read', {
    summary: 'Events',
    query: {
      ...listQuery(['startsAt', 'title', 'createdAt']),
      search,
      type: filter(csv(EventType)),
      organizer: filter(csv(id)),
      when: filter(z.enum(['upcoming', 'past'])),
    },
    returns: pageOf(CalendarEvent),
  }),
  upcoming: get('/event-calendar/upcoming', 'signedIn', {
    summary: 'Next events that the caller attends or has not answered',
    returns: z.object({ items: z.array(CalendarEvent) }),
  }),
  create: post('/event-calendar/event', 'calendar:event:create', {
    summary: 'Add an event',
    body: eventFields,
    returns: CalendarEvent,
  }),
  one: get('/event-calendar/event/:id', 'calendar:event:read', { summary: 'One event', returns: CalendarEvent }),
  update: patch('/event-calendar/event/:id', 'calendar:event:update', {
    summary:
      'Change an event; attendants are notified of a new time, and the waiting list moves up when places are added',
    body: { ...eventChange, version },
    returns: CalendarEvent,
  }),
  remove: del('/event-calendar/event/:id', 'calendar:event:delete', {
    summary: 'Cancel an event and notify its attendants',
    body: { version },
    status: 204,
  }),
  signUp: post('/event-calendar/event/:eventId/singup', 'calendar:event:read', {
    summary: 'Accept or decline an event; a full event adds the caller to its waiting list',
    body: { rsvp: Answer.default('accepted') },
    aliases: ['/event-calendar/event/:eventId/signup'],
    returns: Attendant,
  }),

  attendances: get('/event-calendar/event/:eventId/attendance', 'calendar:attendance:read', {
    summary: 'Attendance of an event',
    query: { ...listQuery(['name', 'createdAt']), search, attendance: filter(csv(AttendanceState)) },
    returns: pageOf(Attendance),
  }),
  createAttendance: post('/event-calendar/event/:eventId/attendance', 'calendar:attendance:create', {
    summary: 'Record the attendance of a person, invited or not',
    body: { userId: id, attendance: AttendanceState.default('present'), note: line(300).nullable().optional() },
    returns: Attendance,
  }),
  attendance: get('/event-calendar/event/:eventId/attendance/:id', 'calendar:attendance:read', {
    summary: 'Attendance of one person',
    returns: Attendance,
  }),
  updateAttendance: patch('/event-calendar/event/:eventId/attendance/:id', 'calendar:attendance:update', {
    summary: 'Change a recorded attendance',
    body: { attendance: AttendanceState.optional(), note: line(300).nullable().optional(), version },
    returns: Attendance,
  }),
  removeAttendance: del('/event-calendar/event/:eventId/attendance/:id', 'calendar:attendance:delete', {
    summary: 'Delete a recorded attendance',
    body: { version },
    status: 204,
  }),

  attendants: get('/event-calendar/event/:eventId/attendant', 'calendar:attendant:read', {
    summary: 'People who are invited, attend or wait',
    query: { ...listQuery(['name', 'createdAt']), search, rsvp: filter(csv(Rsvp)) },
    returns: pageOf(Attendant),
  }),
  invite: post('/event-calendar/event/:eventId/attendant', 'calendar:attendant:create', {
    summary: 'Invite a person, or register a person',
    body: { userId: id, rsvp: z.enum(['needs-action', 'accepted']).default('needs-action') },
    returns: Attendant,
  }),
  inviteMany: post('/event-calendar/event/:eventId/attendant/many', 'calendar:attendant:create', {
    summary: 'Invite people or a whole department; people who are on the list stay unchanged',
    body: { userIds: z.array(id).max(500).default([]), departmentId: id.nullable().optional() },
    returns: z.object({ invited: z.int() }),
  }),
  attendant: get('/event-calendar/event/:eventId/attendant/:id', 'calendar:attendant:read', {
    summary: 'One attendant',
    returns: Attendant,
  }),
  updateAttendant: patch('/event-calendar/event/:eventId/attendant/:id', 'calendar:attendant:update', {
    summary: 'Change the answer of an attendant',
    body: { rsvp: Answer, version },
    returns: Attendant,
  }),
  removeAttendant: del('/event-calendar/event/:eventId/attendant/:id', 'calendar:attendant:delete', {
    summary: 'Remove an attendant; the waiting list moves up',
    body: { version },
    status: 204,
  }),

  birthdays: get('/event-calendar/employee-birthday', 'calendar:event:read', {
    summary: 'Next birthday of everybody, soonest first',
    aliases: ['/event-calendar/employee-birthday/all'],
    returns: z.object({ items: z.array(Birthday), total: z.int() }),
  }),
  birthdaysOfMonth: get('/event-calendar/employee-birthday/month/:date', 'calendar:event:read', {
    summary: 'Birthdays in the month of a day',
    params: { date: day },
    returns: z.object({ items: z.array(Birthday), total: z.int() }),
  }),
}

import * as z from 'zod'
import { day } from './calendarEvents/days.ts'
import { Birthday, View, viewQuery } from './calendarEvents/entry.ts'
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
} from './calendarEvents/event.ts'
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
} from './calendarEvents/national.ts'
import { RepeatableEvent, reach, repeatableChange, repeatableFields } from './calendarEvents/repeatable.ts'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from './kit.ts'
import { timeZone } from './profiles.ts'

const search = filter(z.string().trim().max(100))
const dated = { params: { date: day }, query: viewQuery, returns: View }

export const calendarEvents = {
  nationals: get('/event-calendar/national-event', 'calendar:national-event:read', {
    summary: 'National events of our own',
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
    body: nationalFields,
    returns: NationalEvent,
  }),
  updateNational: patch('/event-calendar/national-event', 'calendar:national-event:update', {
    summary: 'Change a national event',
    body: { id, ...nationalChange, version },
    aliases: ['/event-calendar/national-event/:id'],
    returns: NationalEvent,
  }),
  removeNational: del('/event-calendar/national-event', 'calendar:national-event:delete', {
    summary: 'Delete a national event',
    body: { id, version },
    aliases: ['/event-calendar/national-event/:id'],
    status: 204,
  }),
  movableMethods: get('/event-calendar/national-event/movable-methods', 'calendar:national-event:read', {
    summary: 'By what a movable day can be found',
    returns: z.object({ items: z.array(z.object({ method: MovableMethod, name: z.string() })) }),
  }),
  previewNational: post('/event-calendar/national-event/preview', 'calendar:national-event:read', {
    summary: 'The next ten years of a national event, before it is saved',
    effect: 'read',
    status: 200,
    body: { id: id.optional(), ...nationalChange },
    returns: z.object({ items: z.array(PreviewYear) }),
  }),
  libraryHolidays: get('/event-calendar/national-event/library', 'calendar:national-event:read', {
    summary: 'The public holidays that the library has for a country in a year',
    query: { country: countryCode, region: filter(regionCode), year: filter(whole(2000, 2099)) },
    returns: z.object({ items: z.array(LibraryHoliday) }),
  }),
  countries: get('/event-calendar/countries', 'calendar:national-event:read', {
    summary: 'Countries whose public holidays the library knows, with their regions',
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
    summary: 'Where the organisation and its departments are: whose holidays count',
    returns: z.object({ items: z.array(Workplace) }),
  }),
  setWorkplace: patch('/event-calendar/workplaces', 'calendar:national-event:update', {
    summary: 'Say where the organisation, or a department of it, is',
    body: {
      departmentId: id.nullable(),
      country: countryCode.nullable(),
      region: regionCode.nullable(),
      timeZone,
      /** Absent: as it was, and at a new workplace Saturday and Sunday. */
      weekend: weekend.optional(),
      version: whole(0).optional(),
    },
    returns: Workplace,
  }),
  removeWorkplace: del('/event-calendar/workplaces', 'calendar:national-event:update', {
    summary: 'Let a department have the holidays of the organisation again',
    body: { departmentId: id, version },
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
    summary: 'Change one occurrence, one and all after it, or all; answers the event that has the change',
    body: { id, ...repeatableChange, ...reach, version },
    aliases: ['/event-calendar/repeatable-event/:id'],
    returns: RepeatableEvent,
  }),
  removeRepeatable: del('/event-calendar/repeatable-event', 'calendar:repeatable-event:delete', {
    summary: 'Delete one occurrence, one and all after it, or all',
    body: { id, ...reach, version },
    aliases: ['/event-calendar/repeatable-event/:id'],
    status: 204,
  }),
  previewRepeatable: post('/event-calendar/repeatable-event/preview', 'calendar:repeatable-event:read', {
    summary: 'The first days that a rule gives from a day on, before it is saved',
    effect: 'read',
    status: 200,
    body: { rrule: repeatableFields.rrule, startLocal: repeatableFields.startLocal, timeZone: timeZone.optional() },
    returns: z.object({ items: z.array(z.string()) }),
  }),

  month: get('/event-calendar/event/month/:date', 'calendar:event:read', {
    summary: 'Everything in the month of a day',
    ...dated,
  }),
  quarter: get('/event-calendar/event/quarter/:date', 'calendar:event:read', {
    summary: 'Everything in the quarter of a day',
    ...dated,
  }),
  year: get('/event-calendar/event/year/:date', 'calendar:event:read', {
    summary: 'Everything in the year of a day',
    ...dated,
  }),
  range: get('/event-calendar/event/range/:from/:to', 'calendar:event:read', {
    summary: 'Everything from a day to another, both counted',
    params: { from: day, to: day },
    query: viewQuery,
    returns: View,
  }),
  holidays: get('/event-calendar/holidays/:from/:to', 'signedIn', {
    summary: 'The public holidays and the weekend that count for the caller',
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
    summary: 'The next events that the caller comes to, or has not answered yet',
    returns: z.object({ items: z.array(CalendarEvent) }),
  }),
  create: post('/event-calendar/event', 'calendar:event:create', {
    summary: 'Add an event',
    body: eventFields,
    returns: CalendarEvent,
  }),
  one: get('/event-calendar/event/:id', 'calendar:event:read', { summary: 'One event', returns: CalendarEvent }),
  update: patch('/event-calendar/event/:id', 'calendar:event:update', {
    summary: 'Change an event; who comes is told when it moves, and who waits moves up when it grows',
    body: { ...eventChange, version },
    returns: CalendarEvent,
  }),
  remove: del('/event-calendar/event/:id', 'calendar:event:delete', {
    summary: 'Cancel an event; who was to come is told',
    body: { version },
    status: 204,
  }),
  signUp: post('/event-calendar/event/:eventId/singup', 'calendar:event:read', {
    summary: 'Say whether one comes; a full event puts one on its waiting list',
    body: { rsvp: Answer.default('accepted') },
    aliases: ['/event-calendar/event/:eventId/signup'],
    returns: Attendant,
  }),

  attendances: get('/event-calendar/event/:eventId/attendance', 'calendar:attendance:read', {
    summary: 'Who was there',
    query: { ...listQuery(['name', 'createdAt']), search, attendance: filter(csv(AttendanceState)) },
    returns: pageOf(Attendance),
  }),
  createAttendance: post('/event-calendar/event/:eventId/attendance', 'calendar:attendance:create', {
    summary: 'Note whether somebody was there, asked or not',
    body: { userId: id, attendance: AttendanceState.default('present'), note: line(300).nullable().optional() },
    returns: Attendance,
  }),
  attendance: get('/event-calendar/event/:eventId/attendance/:id', 'calendar:attendance:read', {
    summary: 'Whether one person was there',
    returns: Attendance,
  }),
  updateAttendance: patch('/event-calendar/event/:eventId/attendance/:id', 'calendar:attendance:update', {
    summary: 'Note it otherwise',
    body: { attendance: AttendanceState.optional(), note: line(300).nullable().optional(), version },
    returns: Attendance,
  }),
  removeAttendance: del('/event-calendar/event/:eventId/attendance/:id', 'calendar:attendance:delete', {
    summary: 'Forget what was noted',
    body: { version },
    status: 204,
  }),

  attendants: get('/event-calendar/event/:eventId/attendant', 'calendar:attendant:read', {
    summary: 'Who is invited, comes or waits',
    query: { ...listQuery(['name', 'createdAt']), search, rsvp: filter(csv(Rsvp)) },
    returns: pageOf(Attendant),
  }),
  invite: post('/event-calendar/event/:eventId/attendant', 'calendar:attendant:create', {
    summary: 'Invite somebody, or put down that they come',
    body: { userId: id, rsvp: z.enum(['needs-action', 'accepted']).default('needs-action') },
    returns: Attendant,
  }),
  inviteMany: post('/event-calendar/event/:eventId/attendant/many', 'calendar:attendant:create', {
    summary: 'Invite people, or everybody of a department; who is on the list already stays as they are',
    body: { userIds: z.array(id).max(500).default([]), departmentId: id.nullable().optional() },
    returns: z.object({ invited: z.int() }),
  }),
  attendant: get('/event-calendar/event/:eventId/attendant/:id', 'calendar:attendant:read', {
    summary: 'One person of the list',
    returns: Attendant,
  }),
  updateAttendant: patch('/event-calendar/event/:eventId/attendant/:id', 'calendar:attendant:update', {
    summary: 'Put down what somebody said',
    body: { rsvp: Answer, version },
    returns: Attendant,
  }),
  removeAttendant: del('/event-calendar/event/:eventId/attendant/:id', 'calendar:attendant:delete', {
    summary: 'Take somebody off the list; who waits moves up',
    body: { version },
    status: 204,
  }),

  birthdays: get('/event-calendar/employee-birthday', 'calendar:event:read', {
    summary: 'The next birthday of everybody, soonest first',
    aliases: ['/event-calendar/employee-birthday/all'],
    returns: z.object({ items: z.array(Birthday), total: z.int() }),
  }),
  birthdaysOfMonth: get('/event-calendar/employee-birthday/month/:date', 'calendar:event:read', {
    summary: 'Birthdays in the month of a day',
    params: { date: day },
    returns: z.object({ items: z.array(Birthday), total: z.int() }),
  }),
}

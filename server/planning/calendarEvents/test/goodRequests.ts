import type { Good } from '../../../test/hostile/good.ts'

export const calendarEvents: Good<'calendarEvents'> = {
  createNational: { name: 'Spring day', country: null, month: 6, day: 6 },
  updateNational: ({ id }) => ({ id: id('national_events'), month: 8, validFrom: 2026, validTo: 2099 }),
  removeNational: ({ id }) => ({ id: id('national_events') }),
  setWorkplace: ({ id }) => ({
    departmentId: id('departments', 'Names'),
    country: 'NO',
    region: null,
    timeZone: 'Europe/Oslo',
  }),
  removeWorkplace: ({ id }) => ({ departmentId: id('departments', 'Empty') }),
  createRepeatable: {
    title: 'Daily',
    rrule: 'FREQ=DAILY',
    startLocal: '2026-01-05T09:00',
    durationMin: 15,
    type: 'meeting',
  },
  updateRepeatable: ({ id }) => ({
    id: id('repeatable_events', 'Weekly'),
    description: 'In the kitchen',
    reach: 'all',
  }),
  removeRepeatable: ({ id }) => ({ id: id('repeatable_events', 'Weekly'), reach: 'one', occurrence: '2026-01-12' }),
  create: {
    title: 'Fresh',
    startsAt: '2090-11-21T10:00:00Z',
    endsAt: '2090-11-21T11:00:00Z',
    type: 'maintenance',
    capacity: 2,
  },
  update: ({ id }) => ({ id: id('events', 'Full'), title: 'Fuller', capacity: 6 }),
  remove: ({ id }) => ({ id: id('events', 'Full') }),
  signUp: ({ id }) => ({ eventId: id('events', 'Full') }),
  createAttendance: ({ id }) => ({ eventId: id('events', 'Full'), userId: id('users', 'olga') }),
  updateAttendance: ({ id }) => ({ eventId: id('events', 'Full'), id: id('attendances') }),
  removeAttendance: ({ id }) => ({ eventId: id('events', 'Full'), id: id('attendances') }),
  invite: ({ id }) => ({ eventId: id('events', 'Full'), userId: id('users', 'invited') }),
  inviteMany: ({ id }) => ({
    eventId: id('events', 'Full'),
    userIds: [id('users', 'nina')],
    departmentId: id('departments', 'Shift desk'),
  }),
  updateAttendant: ({ id }) => ({ eventId: id('events', 'Full'), id: id('attendants'), rsvp: 'declined' }),
  removeAttendant: ({ id }) => ({ eventId: id('events', 'Full'), id: id('attendants') }),
}

import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const times = { startLocal: '2030-01-07T09:00', startsAt: '2030-01-07T09:00', endsAt: '2030-01-07T10:00' }
  const add = async (kind: string, more: object) => {
    const { id } = await post(`/event-calendar/${kind}`, { title: 'Shown', name: 'Shown', ...more })
    return { eventId: id }
  }
  const event = await add('event', times)
  return {
    '/calendar/events/event/$eventId': event,
    '/calendar/events/event/$eventId/attendant': event,
    '/calendar/events/event/$eventId/singup': event,
    '/calendar/events/event/$eventId/signup': event,
    '/calendar/events/national-event/$eventId': await add('national-event', { month: 1, day: 7 }),
    '/calendar/events/repeatable-event/$eventId': await add('repeatable-event', {
      ...times,
      rrule: 'FREQ=WEEKLY',
      durationMin: 30,
    }),
  }
}

import type { ScreenFixture } from '../../../test/screenFixture.ts'

export const fixture: ScreenFixture = async ({ post }) => {
  const add = async (kind: string, more: object) => {
    const { id } = await post(`/event-calendar/${kind}`, more)
    return { eventId: id }
  }
  const event = await add('event', { title: 'Shown', startsAt: '2030-01-07T09:00', endsAt: '2030-01-07T10:00' })
  return {
    '/calendar/events/event/$eventId': event,
    '/calendar/events/event/$eventId/attendant': event,
    '/calendar/events/event/$eventId/singup': event,
    '/calendar/events/event/$eventId/signup': event,
    '/calendar/events/national-event/$eventId': await add('national-event', { name: 'Shown', month: 1, day: 7 }),
    '/calendar/events/repeatable-event/$eventId': await add('repeatable-event', {
      title: 'Shown',
      startLocal: '2030-01-07T09:00',
      rrule: 'FREQ=WEEKLY',
      durationMin: 30,
    }),
  }
}

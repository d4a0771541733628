import type { TestApp } from '../../app.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** A calendar with one entry of each kind: a full event with a waiting list, a repeating event with a changed day. */
export async function makeEvents(t: TestApp, call: Call): Promise<void> {
  const of = '/event-calendar'
  const [{ id: comes }, { id: waits }] = [await t.somebody([], 'comes'), await t.somebody([], 'waits')]
  const times = { startsAt: '2090-05-08T14:00', endsAt: '2090-05-08T15:00', timeZone: 'Europe/Oslo' }
  const { id } = await call('POST', `${of}/event`, { title: 'Full', capacity: 1, ...times })
  await call('POST', `${of}/event/${id}/attendant`, { userId: comes, rsvp: 'accepted' })
  await call('POST', `${of}/event/${id}/attendant`, { userId: waits, rsvp: 'accepted' })
  await call('POST', `${of}/event/${id}/attendance`, { userId: comes })
  await call('POST', `${of}/event`, { title: 'Open', ...times })
  const weekly = { title: 'Weekly', rrule: 'FREQ=WEEKLY', startLocal: '2026-01-05T09:00', durationMin: 30 }
  const { id: series } = await call('POST', `${of}/repeatable-event`, weekly)
  const one = { id: series, reach: 'one', occurrence: '2026-01-12', title: 'Once otherwise' }
  await call('PATCH', `${of}/repeatable-event`, one)
  await call('POST', `${of}/national-event`, { name: 'Founding day', month: 6, day: 1 })
  const oslo = { country: 'NO', region: null, timeZone: 'Europe/Oslo' }
  for (const departmentId of [null, 1]) await call('PATCH', `${of}/workplaces`, { departmentId, ...oslo })
}

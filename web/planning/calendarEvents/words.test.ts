import { expect, test } from 'vitest'
import { zoneWord } from '../../kit/form/zones.ts'
import { whenText } from './words.ts'

const event = {
  ...{ startLocal: '2027-06-14T23:30', endLocal: '2027-06-15T00:30', allDay: false, timeZone: 'Europe/Oslo' },
  ...{ startsAt: '2027-06-14T21:30:00Z', endsAt: '2027-06-14T22:30:00Z' },
}

test('an event shows the zone of its times, and the person’s own times where they differ', () => {
  const own = 'Monday 14 June 2027, 23:30–Tuesday 15 June 2027 00:30 (Europe/Oslo)'
  expect(whenText(event, 'Europe/Oslo')).toBe(own)
  expect(whenText(event, 'Europe/Paris')).toBe(own)
  expect(whenText(event, 'Europe/Sofia')).toBe(`${own}; for you Tue 00:30–01:30, Sofia`)
})

test('an offset is that of the day, not of today', () => {
  expect(zoneWord('Europe/Oslo', new Date('2027-06-14T12:00Z'))).toBe('Europe/Oslo (+02:00)')
  expect(zoneWord('Europe/Oslo', new Date('2027-01-14T12:00Z'))).toBe('Europe/Oslo (+01:00)')
})

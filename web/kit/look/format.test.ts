import { expect, test } from 'vitest'
import { ago, bytes, clock, count, counted, day, lasting, moment, swedish } from './format.ts'
import { setZone } from './zone.ts'

test('dates are British; a number means seconds', () => {
  expect(day('2024-12-31T12:00:00Z')).toBe('31/12/2024')
  expect(day(1_700_000_000)).toBe('14/11/2023')
  expect(clock(new Date(2026, 10, 21, 14, 2, 40))).toBe('14:02:40')
  expect(moment(new Date(2026, 10, 21, 14, 2, 40))).toBe('21 Nov 2026 14:02')
})

test('notifications carry the Swedish form', () => {
  expect(swedish(new Date(2026, 10, 21, 14, 2, 40))).toBe('2026-11-21 14:02:40')
})

test('times are in the person’s zone, or in the browser’s if that is unknown', () => {
  const own = clock('2026-11-21T23:30:00Z')
  setZone('Asia/Tokyo')
  expect([clock('2026-11-21T23:30:00Z'), day('2026-11-21T23:30:00Z'), swedish('2026-11-21T23:30:00Z')]).toEqual([
    '08:30:00',
    '22/11/2026',
    '2026-11-22 08:30:00',
  ])
  expect(ago('2026-11-21T16:00:00Z', new Date('2026-11-21T23:30:00Z'))).toBe('01:00:00')
  setZone('Mars/Olympus')
  expect(clock('2026-11-21T23:30:00Z')).toBe(own)
  setZone(null)
})

const now = new Date(2026, 10, 21, 14, 2, 40)
test.each([
  [new Date(2026, 10, 21, 14, 2, 36), 'just now'],
  [new Date(2026, 10, 21, 14, 2, 41), 'just now'],
  [new Date(2026, 10, 21, 13, 40, 0), '22 min ago'],
  [new Date(2026, 10, 21, 9, 5, 7), '09:05:07'],
  [new Date(2026, 10, 20, 23, 59, 59), '20 Nov'],
  [new Date(2025, 10, 20), '20 Nov 2025'],
  [new Date(2026, 11, 1, 8, 0), '1 Dec 08:00'],
])('%s reads %j', (when, text) => {
  expect(ago(when, now)).toBe(text)
})

test.each([
  [-5, '<1 s'],
  [400, '<1 s'],
  [12_400, '12 s'],
  [192_000, '3 min 12 s'],
  [180_000, '3 min'],
  [18_120_000, '5 h 2 min'],
  [86_400_000, '1 day'],
  [61 * 86_400_000, '61 days'],
])('%d ms lasts %j', (ms, text) => {
  expect(lasting(ms)).toBe(text)
})

test.each([
  [0, '0 B'],
  [1023, '1,023 B'],
  [1024, '1 kB'],
  [437_256_192, '417 MB'],
  [1_288_490_189, '1.2 GB'],
  [15_032_385_536, '14 GB'],
  [1023.9 * 1024, '1 MB'],
  [2 * 1024 ** 6, '2,048 PB'],
])('%d bytes read %j', (n, text) => {
  expect(bytes(n)).toBe(text)
})

test('counts have thousands and their noun', () => {
  expect([count(12_345), counted(1, ['website', 'websites']), counted(3000, ['website', 'websites'])]).toEqual([
    '12,345',
    '1 website',
    '3,000 websites',
  ])
})

import { expect, test } from 'vitest'
import { dayLine, estimateOf, foundIn, type Message, markedParts, rowsOf } from './messages.ts'

const mari = { name: 'Mari Tveit', isStaff: false }
const jonas = { name: 'Jonas Vestergaard', isStaff: true }
const message = (at: string, more: Partial<Message> = {}): Message => ({
  id: at,
  at: `2026-11-${at}Z`,
  author: mari,
  text: 'Hello',
  ...more,
})
const utc = (at: string) => at.slice(0, 10)

test('the first message of each day has the day line', () => {
  const rows = rowsOf([message('20T23:59:50'), message('21T00:00:10'), message('21T00:00:20')], utc)
  expect(rows.map(({ day }) => day)).toEqual(['2026-11-20', '2026-11-21', undefined])
  expect(rows.map(({ joined }) => joined)).toEqual([false, false, true])
})

test('a silence of three minutes is shown, a shorter one is not', () => {
  const rows = rowsOf([message('21T13:00:00'), message('21T13:02:59'), message('21T13:06:34')], utc)
  expect(rows.map(({ gap }) => gap)).toEqual([undefined, undefined, 215_000])
})

test('another author, another kind and a pause of a minute each start a new run', () => {
  const rows = rowsOf(
    [
      message('21T13:00:00'),
      message('21T13:00:10', { author: jonas }),
      message('21T13:00:20', { author: jonas, kind: 'note' }),
      message('21T13:00:30', { author: jonas, kind: 'note' }),
      message('21T13:01:30', { author: jonas, kind: 'note' }),
    ],
    utc,
  )
  expect(rows.map(({ joined }) => joined)).toEqual([false, false, false, true, false])
})

test('days have readable names', () => {
  expect(dayLine('2026-11-21', '2026-11-21')).toBe('Today')
  expect(dayLine('2026-11-20', '2026-11-21')).toBe('Yesterday')
  expect(dayLine('2026-11-02', '2026-11-21')).toBe('Monday 2 November')
  expect(dayLine('2025-11-03', '2026-11-21')).toBe('Monday 3 November 2025')
})

test('a longer text has a larger estimate, up to the length of shortened texts', () => {
  const row = (text: string) => estimateOf({ id: '', message: message('21T13:00:00', { text }), joined: false })
  expect(row('a\nb\nc')).toBeGreaterThan(row('a'))
  expect(row('a'.repeat(100_000))).toBe(row('a'.repeat(4000)))
})

test('words are found and marked whatever their case', () => {
  expect(
    foundIn([message('1', { text: 'DNS moved' }), message('2'), message('3', { text: 'the dns' })], ' Dns '),
  ).toEqual([0, 2])
  expect(foundIn([message('1')], ' ')).toEqual([])
  expect(markedParts('DNS or dns', 'dns').map(({ text, isFound }) => [text, isFound])).toEqual([
    ['DNS', true],
    [' or ', false],
    ['dns', true],
  ])
  expect(markedParts('none', '')).toEqual([{ at: 0, text: 'none', isFound: false }])
})

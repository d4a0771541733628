import { expect, test } from 'vitest'
import { fitting } from './fitting.ts'

test('rows of the former answer stay only while they contain what is typed by now', () => {
  const rows = ['mail-fra-01', 'practice-3', 'Kari Nordmann kari@example.org']
  const fit = (typed: string) => fitting(rows, typed, (row) => row)
  expect(fit('')).toEqual(rows)
  expect(fit('practice-3')).toEqual(['practice-3'])
  expect(fit('  EXAMPLE kari ')).toEqual([rows[2]])
  expect(fit('mail-fra-02')).toEqual([])
})

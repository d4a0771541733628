import { expect, test } from 'vitest'
import { readFilter } from './filterText.ts'

test('a filter is parsed into its terms', () => {
  expect(readFilter('csat<=2 messages>=4 source:"Help desk" newer:7d refund "no answer"')).toEqual({
    terms: [
      { field: 'csat', is: '<=', value: 2 },
      { field: 'messages', is: '>=', value: 4 },
      { field: 'source', value: 'Help desk' },
      { field: 'newer', days: 7 },
      { field: 'words', value: 'refund' },
      { field: 'words', value: 'no answer' },
    ],
  })
})

test.each([
  ['csat<<2', 'csat needs <=, >= or = before its number: csat<=2'],
  ['messages>3', 'messages needs <=, >= or = before its number: messages<=2'],
  ['source<=desk', 'source needs a colon: source:value'],
  ['newer<3d', 'newer needs a colon: newer:value'],
  ['csat<=low', 'csat needs a number: csat<=2'],
  ['older:week', 'older needs a number of days: older:7d'],
  ['agent:""', 'agent needs a value: agent:"Some name"'],
  ['  ', 'A filter needs at least one condition'],
])('%j is refused, and the problem names the missing part', (text, problem) => {
  expect(readFilter(text)).toEqual({ problem })
})

test('an unknown field is refused with a list of the known fields', () => {
  expect(readFilter('queue:billing')).toEqual({ problem: expect.stringContaining('Nothing is called queue') })
})

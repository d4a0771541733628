import { expect, test } from 'vitest'
import { deltaOf, heightsOf, runWords } from './runs.ts'

test('bars are as high as their runs are long, with a minimum', () => {
  expect(heightsOf([{ ms: 1000 }, { ms: 500 }, { ms: 1 }, { ms: null }])).toEqual([100, 50, 18, 18])
  expect(heightsOf([{ ms: null }, { ms: 0 }])).toEqual([18, 18])
  expect(heightsOf([])).toEqual([])
})

test('a run is announced with state, time and duration', () => {
  const run = { id: 1, state: 'failed', at: '2026-11-21T14:02:00Z', ms: 192_000, href: '/', note: '12 of 14 websites' }
  expect(runWords(run)).toMatch(/^Failed, 21 Nov 2026 \d\d:02, 3 min 12 s, 12 of 14 websites$/)
})

test.each([
  [112, 100, 'up', { text: '+12 %', is: 'better' }],
  [112, 100, 'down', { text: '+12 %', is: 'worse' }],
  [97, 100, 'down', { text: '−3 %', is: 'better' }],
  [97, 100, undefined, { text: '−3 %', is: 'same' }],
  [5, 5, 'up', { text: '±0 %', is: 'same' }],
  [5, 0, 'up', { text: 'new', is: 'better' }],
  [0, 0, 'up', { text: '±0 %', is: 'same' }],
  [-5, -10, 'up', { text: '+50 %', is: 'better' }],
] as const)('%d after %d, better %s', (now, before, good, delta) => expect(deltaOf(now, before, good)).toEqual(delta))

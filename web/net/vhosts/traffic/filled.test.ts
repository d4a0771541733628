import { expect, it } from 'vitest'
import { filled } from './filled.ts'

const now = Date.parse('2026-11-21T12:07:00Z')
const point = { hits: 1, misses: 2, passed: 3, bytes: 4 }

it('shows 0 for every quarter of an hour without requests', () => {
  const points = filled([{ at: '2026-11-21T11:45:00.000Z', ...point }], 1, now)
  expect(points.map(({ at, hits }) => [at.slice(11, 16), hits])).toEqual([
    ['11:15', 0],
    ['11:30', 0],
    ['11:45', 1],
    ['12:00', 0],
  ])
})

it('sums the quarters of an hour for a week, and drops older ones', () => {
  const at = ['2026-11-21T11:00:00.000Z', '2026-11-21T11:45:00.000Z', '2026-11-01T11:45:00.000Z']
  const points = filled(
    at.map((one) => ({ at: one, ...point })),
    168,
    now,
  )
  expect(points).toHaveLength(168)
  expect(points.at(-2)).toEqual({ at: '2026-11-21T11:00:00.000Z', hits: 2, misses: 4, passed: 6, bytes: 8 })
  expect(points.reduce((sum, { hits }) => sum + hits, 0)).toBe(2)
})

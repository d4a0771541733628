import type { Roster } from '@innkeeper/contract/planning/shifts/calls'
import { expect, it } from 'vitest'
import { joined, PART, partOf, partsOf } from './parts.ts'

const part = (...ids: number[]) =>
  ({
    people: ids.map((id) => ({ id })),
    shifts: ids.map((userId) => ({ id: userId * 10, userId })),
    ...{ leaves: [], wishes: [], daysOff: [], notes: [] },
  }) as unknown as Roster // the other fields do not matter here

it('a roster of thousands is read in parts of the rows in view', () => {
  const parts = partsOf(Array.from({ length: 3000 }, (_, n) => n))
  expect([parts.length, parts.flat().length, partsOf([])]).toEqual([3000 / PART, 3000, []])
  expect([partOf(-1), partOf(PART - 1), partOf(PART)]).toEqual([0, 0, 1])
})

it('parts that share people show each shift once, beside the open shifts', () => {
  const frame = { ...part(), shifts: [{ id: 1, userId: null }] } as unknown as Roster
  expect(joined(frame, [part(1, 2), part(2, 3)]).shifts.map(({ id }) => id)).toEqual([1, 10, 20, 30])
})

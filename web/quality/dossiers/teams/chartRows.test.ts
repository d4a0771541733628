import type { ChartTeam } from '@innkeeper/contract/quality/dossiers/shapes'
import { expect, test } from 'vitest'
import { rowByKey, rowsOf } from './chartRows.ts'

const team = (id: number, parentId: number | null, people: number[] = []): ChartTeam => ({
  ...{ id, version: 1, name: `Team ${id}`, parentId, manager: null },
  people: people.map((userId) => ({
    ...{ membershipId: userId, version: 1, userId, name: `Person ${userId}`, positionName: null, level: null },
    isAdditional: false,
  })),
})
const teams = [team(1, null, [10]), team(2, 1, [20, 21]), team(3, 99)]

test('people come before the teams below them, and a team whose parent is unknown is at the top', () => {
  const keys = rowsOf(teams, new Set()).map(({ key, level }) => `${key} ${level}`)
  expect(keys).toEqual(['t1 1', 'm10 2', 't2 2', 'm20 3', 'm21 3', 't3 1'])
})

test('a closed team hides what is below it', () => {
  expect(rowsOf(teams, new Set([1])).map(({ key }) => key)).toEqual(['t1', 't3'])
})

test('keys move, and left goes to the team', () => {
  const rows = rowsOf(teams, new Set())
  expect(rowByKey(rows, 0, 'ArrowDown')).toBe(1)
  expect(rowByKey(rows, 0, 'ArrowUp')).toBe(0)
  expect(rowByKey(rows, 1, 'End')).toBe(5)
  expect(rowByKey(rows, 4, 'ArrowLeft')).toBe(2)
  expect(rowByKey(rows, 0, 'ArrowLeft')).toBeUndefined()
})

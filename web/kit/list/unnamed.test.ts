import { expect, test } from 'vitest'
import { unnamed } from './unnamed.ts'

test('a filter of the address that a list does not offer is named, so that it can be seen and removed', () => {
  const filters = {
    search: ['a'],
    status: ['done'],
    repositoryId: ['3'],
    isActive: ['true'],
    scoreType: [],
    view: ['x'],
  }
  const found = unnamed(filters, [{ key: 'status' }, { key: 'search' }], ['view'])
  expect(found.map(({ key, label }) => [key, label])).toEqual([
    ['repositoryId', 'Repository'],
    ['isActive', 'Active'],
  ])
})

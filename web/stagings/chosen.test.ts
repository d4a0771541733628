import { expect, test } from 'vitest'
import { nothingChosen, toTables } from './chosen.ts'

const choices = [
  { databaseId: 1, database: 'shop', tables: ['a', 'b'] },
  { databaseId: 2, database: 'blog', tables: ['c'] },
]

test('what is not touched is taken whole', () => {
  expect(toTables({ files: true, tables: {} }, choices)).toBe('all')
  expect(toTables({ files: true, tables: { 1: ['a', 'b'] } }, choices)).toBe('all')
})
test('some tables of one, all of the other', () => {
  expect(toTables({ files: true, tables: { 1: ['b'] } }, choices)).toEqual([
    { databaseId: 1, tables: ['b'] },
    { databaseId: 2, tables: ['c'] },
  ])
})
test('none of any', () => {
  const none = { files: false, tables: { 1: [], 2: [] } }
  expect(toTables(none, choices)).toBe('none')
  expect(nothingChosen(none, choices)).toBe(true)
  expect(nothingChosen({ ...none, files: true }, choices)).toBe(false)
})

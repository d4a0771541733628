import { expect, test } from 'vitest'
import { nothingChosen, toParts, toTables } from './chosen.ts'

const choices = [
  { databaseId: 1, database: 'shop', tables: ['a', 'b'] },
  { databaseId: 2, database: 'blog', tables: ['c'] },
]
const all = { files: 'all' as const, paths: [], tables: {} }

test('everything is chosen by default', () => {
  expect(toTables(all, choices)).toBe('all')
  expect(toTables({ ...all, tables: { 1: ['a', 'b'] } }, choices)).toBe('all')
  expect(toParts(all, choices)).toEqual({ files: true, tables: 'all' })
})
test('some tables of one database, all of the other', () => {
  expect(toTables({ ...all, tables: { 1: ['b'] } }, choices)).toEqual([
    { databaseId: 1, tables: ['b'] },
    { databaseId: 2, tables: ['c'] },
  ])
})
test('some files: none until one is chosen', () => {
  const chosen = { ...all, files: 'some' as const, paths: ['b', 'a'] }
  expect(toParts(chosen, choices)).toEqual({ files: true, paths: ['a', 'b'], tables: 'all' })
  expect(toParts({ ...chosen, paths: [] }, choices)).toEqual({ files: false, tables: 'all' })
})
test('no tables', () => {
  const none = { files: 'none' as const, paths: [], tables: { 1: [], 2: [] } }
  expect(toTables(none, choices)).toBe('none')
  expect(nothingChosen(none, choices)).toBe(true)
  expect(nothingChosen({ ...none, files: 'some' }, choices)).toBe(true)
  expect(nothingChosen({ ...none, files: 'all' }, choices)).toBe(false)
})

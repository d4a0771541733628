import { expect, test } from 'vitest'
import { type Folder, rowByKey, rowByName, rowsOf } from './rows.ts'

const ready = (...names: string[]): Folder => ({
  state: 'ready',
  nodes: names.map((name) => ({ name, isFolder: !name.includes('.') })),
})
const folders = new Map<string, Folder>([
  ['', ready('etc', 'www', 'z.txt')],
  ['/www', ready('a', 'index.php')],
  ['/www/a', { state: 'loading' }],
])
const rows = rowsOf(folders, new Set(['/www', '/www/a']))

test('open folders show their loaded content', () => {
  expect(rows.map(({ path, level, position, count }) => [path, level, position, count])).toEqual([
    ['/etc', 1, 1, 3],
    ['/www', 1, 2, 3],
    ['/www/a', 2, 1, 2],
    ['/www/index.php', 2, 2, 2],
    ['/z.txt', 1, 3, 3],
  ])
  expect(rows[2]).toMatchObject({ isOpen: true, folder: { state: 'loading' } })
  expect(rowsOf(new Map(), new Set())).toEqual([])
})

test('keys move between visible rows', () => {
  expect(rowByKey(rows, 4, 'ArrowDown')).toBe(4)
  expect(rowByKey(rows, 3, 'Home')).toBe(0)
  expect(rowByKey(rows, 1, 'ArrowRight')).toBe(2) // into the open folder
  expect(rowByKey(rows, 2, 'ArrowRight')).toBeUndefined() // nothing is loaded there yet
  expect(rowByKey(rows, 3, 'ArrowLeft')).toBe(1)
  expect(rowByKey(rows, 1, 'ArrowLeft')).toBeUndefined() // closes it instead
  expect(rowByKey(rows, 0, 'ArrowLeft')).toBeUndefined()
})

test('letters move to the next name that starts with them', () => {
  expect(rowByName(rows, 0, 'W')).toBe(1)
  expect(rowByName(rows, 4, 'e')).toBe(0)
  expect(rowByName(rows, 3, 'in')).toBe(3)
  expect(rowByName(rows, 0, 'q')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { type Column, fitting, widthBeside } from './columns.ts'

const column = (key: string, more: Partial<Column<unknown>> = {}): Column<unknown> => ({
  key,
  title: key,
  cell: () => key,
  csv: () => key,
  ...more,
})
const columns = [
  column('domain'),
  column('user', { width: 150, spare: true }),
  column('status', { width: 120 }),
  column('changed', { width: 100 }),
]
const keys = (room: number) => fitting(columns, room).map(({ key }) => key)

test('a narrow list leaves out spare columns, then the last ones, and always names its rows', () => {
  expect(keys(570)).toEqual(['domain', 'user', 'status', 'changed'])
  expect(keys(569)).toEqual(['domain', 'status', 'changed'])
  expect(keys(419)).toEqual(['domain', 'status'])
  expect(keys(10)).toEqual(['domain'])
})

test('boxes and menus of the rows take their part', () => {
  expect(widthBeside({ bulk: true, menu: true }) - widthBeside({ menu: true })).toBe(44)
  expect(widthBeside({})).toBe(0)
})

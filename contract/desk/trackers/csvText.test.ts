import { expect, it } from 'vitest'
import { readCsv } from './csvText.ts'

it('reads quoted cells, doubled quotes and line breaks within a cell', () => {
  expect(readCsv('\uFEFFa,b\r\n"x, ""y""\nz",2\r\n')).toEqual([
    ['a', 'b'],
    ['x, "y"\nz', '2'],
  ])
})

it('reads semicolons and tabs, and skips empty lines', () => {
  expect(readCsv('a;b\n\n1;2')).toEqual([
    ['a', 'b'],
    ['1', '2'],
  ])
  expect(readCsv('a\tb\n1\t')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ])
})

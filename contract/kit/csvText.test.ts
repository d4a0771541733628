import { expect, it } from 'vitest'
import { readCsv } from './csvText.ts'

it('reads quoted cells, doubled quotes and line breaks within a cell', () => {
  expect(readCsv('\uFEFFa,b\r\n"x, ""y""\nz",2\r\nc,d')).toEqual({
    rows: [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x, "y"\nz', '2'] },
      { line: 4, cells: ['c', 'd'] },
    ],
  })
})

it('reads semicolons and tabs, and skips empty lines', () => {
  expect(readCsv('a;b\n\n1;2').rows).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 3, cells: ['1', '2'] },
  ])
  expect(readCsv('a\tb\n1\t').rows.map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['1', ''],
  ])
})

it('takes the separator that Excel names in the first line', () => {
  expect(readCsv('sep=;\r\na,b;c\r\n')).toEqual({ rows: [{ line: 2, cells: ['a,b', 'c'] }] })
})

it('reads the line breaks of old Macs, and quotes after a space', () => {
  expect(readCsv('a,b\r1,2\r3,4').rows.map(({ cells }) => cells)).toEqual([
    ['a', 'b'],
    ['1', '2'],
    ['3', '4'],
  ])
  expect(readCsv('a, "b, c"\n1,2').rows[0]?.cells).toEqual(['a', 'b, c'])
})

it.each([
  ['that nothing closes', 'a,b\n1,"2\n3,4', 2],
  ['that a quote of the next row closes', 'a,b\n"1,2\n"3",4\n5,6', 2],
])('tells the line of a quote %s', (_, text, line) => {
  expect(readCsv(text).unclosed).toBe(line)
})

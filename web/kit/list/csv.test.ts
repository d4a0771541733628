import { csvLine } from '@innkeeper/contract/kit/csv'
import { expect, test } from 'vitest'
import { csvFile } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+47 22', "'+47 22"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t=1"'],
  ['\r=1', '"\'\r=1"'],
  ...[
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '﹦1',
    '\u3000=1',
    '\u00a0=1',
    '\u200b=1',
    '\ufeff=1',
    '\u202e=1',
    '\0=1',
  ].map((text): [string, string] => [text, `'${text}`]),
  ['1＝1', '1＝1'],
  ['a;=b', '"a;=b"'],
  [' =cmd|x', "' =cmd|x"],
  ['a=b', 'a=b'],
  [-5, '-5'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [null, ''],
  [true, 'true'],
])('%j is written as %j, which no spreadsheet executes', (value, text) => {
  expect(csvLine([value])).toBe(`${text}\r\n`)
})

const rowsOf = (all: number) => async (page: number, size: number, after?: string) => {
  const from = after ? Number(after) : (page - 1) * size
  const rows = Array.from({ length: Math.max(0, Math.min(size, all - from)) }, (_, i) => from + i)
  return { rows, total: Math.min(all, 10_000), next: from + size < all ? String(from + size) : undefined }
}

test('the file contains every matching row once', async () => {
  const told: number[] = []
  const { file, rows, cut } = await csvFile(
    ['n'],
    (n: number) => [n],
    rowsOf(450),
    (n) => told.push(n),
  )
  const lines = (await file.text()).split('\r\n')
  expect({ rows, cut, told }).toEqual({ rows: 450, cut: false, told: [200, 400, 450] })
  expect(lines.slice(1, -1)).toEqual(Array.from({ length: 450 }, (_, i) => String(i)))
})

test('beyond 10,000 rows the file says that it is cut', async () => {
  const { rows, cut } = await csvFile(['n'], (n: number) => [n], rowsOf(10_500))
  expect({ rows, cut }).toEqual({ rows: 10_000, cut: true })
})

test('an exact last page ends the file', async () => {
  const { rows, cut } = await csvFile(['n'], (n: number) => [n], rowsOf(400))
  expect({ rows, cut }).toEqual({ rows: 400, cut: false })
})

test('a list without keys is read by page numbers', async () => {
  const keyless = async (page: number, size: number) => ({ ...(await rowsOf(450)(page, size)), next: undefined })
  const { file, rows, cut } = await csvFile(['n'], (n: number) => [n], keyless)
  expect({ rows, cut }).toEqual({ rows: 450, cut: false })
  expect(await file.text()).toContain('\r\n449\r\n')
})

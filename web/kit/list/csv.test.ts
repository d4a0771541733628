import { csvLine, withoutApostrophes } from '@innkeeper/contract/kit/csv'
import { readCsv } from '@innkeeper/contract/kit/csvText'
import { expect, test } from 'vitest'
import { csvFile } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+47 22', "'+47 22"],
  ['-x', "'-x"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', '"\'\t\'=1"'],
  ['\r=1', '"\'\r\'=1"'],
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
  ['a;=b', '"a;\'=b"'],
  ['a; \u200b＝b;c', '"a;\' \u200b＝b;c"'],
  ['a\n=b\r\n-c\r+d\t@e', "\"a\n'=b\r\n'-c\r'+d\t'@e\""],
  ['a\n\n\r\n b', '"a\n\n\r\n b"'],
  ['";=b', '""";\'=b"'],
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

/** Divides a line as a spreadsheet does that has another separator: a quote counts only at the beginning of a cell. */
function dividedAt(separator: string, line: string): string[] {
  const cells: string[] = []
  for (let rest = line; rest; ) {
    const quoted = /^"(?:[^"]|"")*"/.exec(rest)?.[0] ?? ''
    const end = rest.slice(quoted.length).search(separator === ';' ? /[;\r\n]/ : /[\t\r\n]/) + quoted.length
    cells.push(end < quoted.length ? rest : rest.slice(0, end))
    rest = end < quoted.length ? '' : rest.slice(end + 1)
  }
  return cells
}

test.each([';', '\t'])('no cell is a formula for a spreadsheet that divides lines at %j', (separator) => {
  const nasty = ['=', '＝', ' =', '\u200b@', '-', '";=', '"', '";"', '"=', 'x']
  const breaks = [';', '\t', '\n', '\r', '\r\n', '"\n', '', ';;', '\n\n']
  const texts = nasty.flatMap((one) =>
    breaks.flatMap((cut) => nasty.map((two) => `${one}cmd|' /C calc'!A0${cut}${two}1`)),
  )
  for (const text of texts)
    for (const cell of dividedAt(separator, csvLine(['first', text, text])))
      expect(cell, JSON.stringify(text)).not.toMatch(/^[\s"\p{Cf}]*[=@＝-]/u)
  const heading = csvLine(['a', 'b', 'c'])
  for (const text of texts)
    expect(withoutApostrophes(readCsv(heading + csvLine(['first', text, ''])).rows[1]?.cells[1] ?? '')).toBe(text)
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

import { type Row, rowsIn } from '../pages.ts'

/** Columns that come first, if the rows have them. */
const first = [
  'id',
  '_id',
  'name',
  'domain',
  'username',
  'title',
  'subjectName',
  'status',
  'state',
  'serverName',
  'ownerName',
]
const noise = new Set(['version', 'updatedAt', 'createdAt'])
const WIDEST = 40
const MOST = 8

/** An answer as people read it: a table of rows, or a field on each line. */
export function shown(answer: unknown, columns?: readonly string[]): string {
  if (answer === undefined) return ''
  if (typeof answer !== 'object' || answer === null) return `${answer}\n`
  const rows = rowsIn(answer)
  if (Array.isArray(answer)) return table(answer.filter(isRow), columns)
  if (rows.length && rows.every(isRow) && ('total' in answer || Object.keys(answer).length === 1))
    return `${table(rows, columns)}${totalOf(answer, rows.length)}`
  if ('lines' in answer && rows.every((one) => typeof one === 'string')) return rows.map((one) => `${one}\n`).join('')
  if ('total' in answer && !rows.length) return 'None.\n'
  return fields(answer as Row)
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function totalOf(answer: object, count: number): string {
  const total = 'total' in answer && typeof answer.total === 'number' ? answer.total : count
  if (total <= count) return ''
  return `${count} of ${'more' in answer ? 'more than ' : ''}${total}. Use --all for the rest.\n`
}

function table(rows: readonly Row[], columns: readonly string[] = usual(rows)): string {
  if (!rows.length) return 'None.\n'
  const cells = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => text(row[name]))),
  ]
  const widths = columns.map((_, i) => Math.min(WIDEST, Math.max(...cells.map((line) => line[i]?.length ?? 0))))
  return cells
    .map(
      (line) =>
        `${line.map((cell, i) => cut(cell, widths[i] ?? 0).padEnd(i === line.length - 1 ? 0 : (widths[i] ?? 0))).join('  ')}\n`,
    )
    .join('')
}

function usual(rows: readonly Row[]): string[] {
  const plain = Object.keys(rows[0] ?? {}).filter(
    (name) => !noise.has(name) && rows.some((row) => typeof row[name] !== 'object' && row[name] !== undefined),
  )
  const known = first.filter((name) => plain.includes(name))
  return [...known, ...plain.filter((name) => !known.includes(name) && !/Id$/.test(name))].slice(0, MOST)
}

function fields(row: Row, indent = ''): string {
  const width = Math.max(0, ...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, value]) =>
      isRow(value)
        ? `${indent}${name}:\n${fields(value, `${indent}  `)}`
        : `${indent}${`${name}:`.padEnd(width + 1)} ${text(value)}\n`,
    )
    .join('')
}

/** Texts of other people may hold control characters, which a terminal would obey. */
const plainText = (value: string) => value.replace(/\p{Cc}/gu, ' ')

function text(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return plainText(value.join(', '))
  return plainText(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const cut = (value: string, width: number) => (value.length > width ? `${value.slice(0, width - 1)}…` : value)

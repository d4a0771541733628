export type Cell = string | number | boolean | null | undefined

/** Marks a CSV file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * What a spreadsheet reads as a formula: a sign at the beginning, also in its wide and small forms, after spaces and
 * characters without width, which spreadsheets skip; and a tab or line break at the beginning.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u

export interface CsvRow {
  /** Line of the file in which the row begins, from 1. */
  line: number
  cells: string[]
}

/**
 * The rows of a CSV, read in one pass: with commas, semicolons or tabs, whichever the first line has most of. Empty rows
 * are left out. A quote that nobody closes takes the rest of the text into its cell.
 */
export function csvRows(typed: string): CsvRow[] {
  const text = typed.replace(/^\uFEFF/, '')
  const head = text.slice(0, 2000).split('\n', 1)[0] ?? ''
  const [comma = ','] = [',', ';', '\t'].toSorted((a, b) => head.split(b).length - head.split(a).length)
  const rows: CsvRow[] = []
  let row: CsvRow = { line: 1, cells: [] }
  let line = 1
  let cell = ''
  let isQuoted = false
  const endRow = () => {
    row.cells.push(cell)
    if (row.cells.some((one) => one.trim())) rows.push(row)
    row = { line: line + 1, cells: [] }
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? ''
    if (isQuoted && c === '"' && text[at + 1] === '"') {
      cell += '"'
      at++
    } else if (c === '"' && (isQuoted || cell.trim() === '')) {
      if (!isQuoted) cell = ''
      isQuoted = !isQuoted
    } else if (!isQuoted && c === comma) {
      row.cells.push(cell)
      cell = ''
    } else if (!isQuoted && c === '\n') endRow()
    else if (isQuoted || c !== '\r') cell += c
    if (c === '\n') line++
  }
  endRow()
  return rows
}

/** One line of a CSV file. Texts that a spreadsheet would run as a formula get a leading apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = String(value ?? '')
  const safe = formula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export type Cell = string | number | boolean | null | undefined

/** Marks a CSV file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * What a spreadsheet reads as a formula: a sign at the beginning, also in its wide and small forms, after spaces and
 * characters without width, which spreadsheets skip; and a tab or line break at the beginning.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u

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

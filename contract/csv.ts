export type Cell = string | number | boolean | null | undefined

/** Marks a CSV file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/** One line of a CSV file. Texts that a spreadsheet would run as a formula get a leading apostrophe. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const text = String(value ?? '')
  const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

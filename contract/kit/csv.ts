export type Cell = string | number | boolean | null | undefined

/** Marks a CSV file as UTF-8 for spreadsheets. */
export const byteOrderMark = '\uFEFF'

/**
 * What a spreadsheet reads as a formula: a sign at the beginning, also in its wide and small forms, after spaces and
 * characters without width, which spreadsheets skip; and a tab or line break at the beginning.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u
/** The same after the beginning, where an empty line is only an empty line, and a quote of the text may become one of the file. */
const innerFormula = /^[\s"\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠﹦﹢﹣﹫]/u
/**
 * Where a spreadsheet with another separator begins a cell within ours: Excel in German or Norwegian divides our lines at
 * semicolons, and knows no quote that begins within a cell of its own, so that a line break ends the line.
 */
const cuts = /(?<=[;\t\r\n])/

/** One line of a CSV file. Texts that a spreadsheet would run as a formula get a leading apostrophe, also within. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value)
  const safe = withApostrophes(String(value ?? ''))
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withApostrophes(text: string): string {
  const [first = '', ...rest] = text.split(cuts)
  const safe = rest.map((part) => (innerFormula.test(part) ? `'${part}` : part))
  return [formula.test(first) ? `'${first}` : first, ...safe].join('')
}

/** The text of a cell that `csvLine` wrote, without the apostrophes that it added. */
export const withoutApostrophes = (cell: string): string =>
  cell
    .split(cuts)
    .map((part, at) =>
      part.startsWith("'") && (at ? innerFormula : formula).test(part.slice(1)) ? part.slice(1) : part,
    )
    .join('')

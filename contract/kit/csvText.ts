export interface CsvText {
  /** Rows with a value, each with the line of the file in which it begins. */
  rows: { line: number; cells: string[] }[]
  /** The line with a quote that nothing closes, or that closes before the end of its cell: the rows after it are not reliable. */
  unclosed?: number
  /** There are more rows, or more cells in a row, than asked for: reading ended at this line. */
  beyond?: { of: 'rows' | 'cells'; line: number }
}

/** Most rows, and most cells of a row, that the caller takes. */
interface Bounds {
  rows?: number
  cells?: number
}

/**
 * Reads CSV text: commas, semicolons or tabs, quoted cells with line breaks, with or without a byte order mark, with the line
 * `sep=;` that Excel writes, and with the line breaks of old Macs, which Excel still offers. Cells are cut from the text: built
 * letter by letter they would need its memory many times.
 */
export function readCsv(typed: string, bounds: Bounds = {}): CsvText {
  const text = typed.includes('\n') ? typed : typed.replaceAll('\r', '\n')
  const { rows: mostRows = Number.POSITIVE_INFINITY, cells: mostCells = Number.POSITIVE_INFINITY } = bounds
  const begin = text.startsWith('\uFEFF') ? 1 : 0
  const named = /^"?sep=([,;\t|])"?\r?\n/i.exec(text.slice(begin, begin + 10))
  const separator = named?.[1] ?? separatorOf(text.slice(begin))
  const rows: CsvText['rows'] = []
  let at = named ? 2 : 1
  let place = begin + (named?.[0].length ?? 0)
  while (place < text.length) {
    if (text[place] === '\n') {
      at++
      place++
      continue
    }
    const row = { line: at, cells: [] as string[] }
    for (let isLast = false; !isLast; ) {
      const cell = cellAt(text, place, separator)
      if (!cell) return { rows, unclosed: at }
      if (row.cells.length === mostCells) return { rows, beyond: { of: 'cells', line: row.line } }
      row.cells.push(cell.text)
      isLast = text[cell.end] !== separator
      at += cell.breaks + (text[cell.end] === '\n' ? 1 : 0)
      place = cell.end + 1
    }
    if (row.cells.every((one) => one === '')) continue
    if (rows.length === mostRows) return { rows, beyond: { of: 'rows', line: row.line } }
    rows.push(row)
  }
  return { rows }
}

/** The cell that begins at a place, where it ends, and the line breaks in it; undefined if its quote does not end the cell. */
function cellAt(text: string, from: number, separator: string) {
  let begin = from
  while (text[begin] === '\r') begin++
  let word = begin
  while (text[word] === ' ') word++
  if (text[word] === '"') begin = word // people write a space after the comma
  const endAfter = (place: number): number => {
    let end = place
    while (end < text.length && text[end] !== separator && text[end] !== '\n') end++
    return end
  }
  if (text[begin] !== '"') {
    const end = endAfter(begin)
    return { text: text.slice(begin, end).replaceAll('\r', ''), end, breaks: 0 }
  }
  let quote = text.indexOf('"', begin + 1)
  while (quote >= 0 && text[quote + 1] === '"') quote = text.indexOf('"', quote + 2)
  if (quote < 0) return undefined
  const end = endAfter(quote + 1)
  if (text.slice(quote + 1, end).trim() !== '') return undefined
  const quoted = text.slice(begin + 1, quote)
  let breaks = 0
  for (let next = quoted.indexOf('\n'); next >= 0; next = quoted.indexOf('\n', next + 1)) breaks++
  return { text: quoted.replaceAll('""', '"'), end, breaks }
}

/** The separator that occurs most often in the first line. */
function separatorOf(text: string): string {
  const end = text.indexOf('\n')
  const head = text.slice(0, end < 0 ? 100_000 : Math.min(end, 100_000))
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

export interface CsvText {
  /** Rows with a value, each with the line of the file in which it begins. */
  rows: { line: number; cells: string[] }[]
  /** The line with a quote that nothing closes, or that closes before the end of its cell: the rows after it are not reliable. */
  unclosed?: number
}

/**
 * Reads CSV text: commas, semicolons or tabs, quoted cells with line breaks, with or without a byte order mark, and with the line
 * `sep=;` that Excel writes.
 */
export function readCsv(text: string): CsvText {
  const whole = text.replace(/^\uFEFF/, '')
  const named = /^"?sep=([,;\t|])"?\r?\n/i.exec(whole)
  const clean = named ? whole.slice(named[0].length) : whole
  const separator = named?.[1] ?? separatorOf(clean)
  const rows: CsvText['rows'] = []
  let at = named ? 2 : 1
  let row = { line: at, cells: [] as string[] }
  let cell = ''
  /** The line of the quote that is open. */
  let quote: number | undefined
  /** The line of the quote that was closed in this cell. */
  let closed: number | undefined
  const endCell = () => {
    row.cells.push(cell)
    cell = ''
    closed = undefined
  }
  const endRow = () => {
    endCell()
    if (row.cells.some((one) => one !== '')) rows.push(row)
    row = { line: at, cells: [] }
  }
  for (let n = 0; n < clean.length; n++) {
    const sign = clean[n] ?? ''
    if (sign === '\n') at++
    if (quote !== undefined) {
      if (sign !== '"') cell += sign
      else if (clean[n + 1] === '"') {
        cell += '"'
        n++
      } else {
        closed = quote
        quote = undefined
      }
    } else if (sign === '"' && cell === '' && closed === undefined) quote = at
    else if (sign === separator) endCell()
    else if (sign === '\n') endRow()
    else if (closed !== undefined && sign.trim() !== '') return { rows, unclosed: closed }
    else if (sign !== '\r' && closed === undefined) cell += sign
  }
  if (quote !== undefined) return { rows, unclosed: quote }
  if (cell !== '' || row.cells.length) endRow()
  return { rows }
}

/** The separator that occurs most often in the first line. */
function separatorOf(text: string): string {
  const [head = ''] = text.split('\n', 1)
  const count = (sign: string) => head.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

import { byteOrderMark, type Cell, csvLine } from '@innkeeper/contract/kit/csv'

const MOST_ROWS = 10_000
const PAGE = 200

type Page<R> = { rows: R[]; total: number; next?: string }

/**
 * Builds a CSV file of all filtered rows, page by page, at most 10,000, and reports progress to `tell`. Returns the
 * file and whether it was cut off.
 */
export async function csvFile<R>(
  heading: readonly string[],
  cells: (row: R) => readonly Cell[],
  fetchPage: (page: number, size: number, after?: string) => Promise<Page<R>>,
  tell: (rows: number) => void = () => undefined,
): Promise<{ file: Blob; rows: number; cut: boolean }> {
  const parts = [byteOrderMark, csvLine(heading)]
  let rows = 0
  let after: string | undefined
  for (let page = 1; rows < MOST_ROWS; page += 1) {
    const got = await fetchPage(page, PAGE, after)
    parts.push(got.rows.map((row) => csvLine(cells(row))).join(''))
    rows += got.rows.length
    after = got.next
    tell(rows)
    if (got.rows.length < PAGE || (!after && rows >= got.total)) return { file: asFile(parts), rows, cut: false }
  }
  return { file: asFile(parts), rows, cut: true }
}
const asFile = (parts: string[]) => new Blob(parts, { type: 'text/csv;charset=utf-8' })

import type { Cell } from '@innkeeper/contract/kit/csv'
import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'

export interface Column<R> {
  key: string
  title: string
  cell: (row: R) => ReactNode
  /** Plain value for the CSV file. */
  csv: (row: R) => Cell
  /** Name of this column in the `sort` parameter of the call. */
  sort?: string
  /** Width in pixels; columns without one share the remaining width. */
  width?: number
  /** Right-aligned, for numbers to compare. */
  align?: 'right'
  /** Hidden by default. */
  off?: boolean
  /** Goes first when the list is too narrow for all columns. */
  spare?: boolean
}

/** The least width of a column that shares what the others leave. */
const SHARE = 200
const TICK = 44
const MENU = 46

/** The width that columns need, in pixels. */
export const widthOf = <R>(columns: readonly Column<R>[]) => columns.reduce((sum, { width = SHARE }) => sum + width, 0)

/** The width of what a list has beside its columns. */
export const widthBeside = ({ bulk, menu }: { bulk?: unknown; menu?: unknown }) => (bulk ? TICK : 0) + (menu ? MENU : 0)

/** The columns that fit in this width: spare ones go first, then the last ones. The first one, which names the row, stays. */
export function fitting<R>(columns: readonly Column<R>[], room: number): readonly Column<R>[] {
  let left = columns
  while (widthOf(left) > room && left.length > 1) {
    const last = left.findLast(({ spare }, n) => spare && n > 0) ?? left.at(-1)
    left = left.filter((column) => column !== last)
  }
  return left
}

export interface TableTaste {
  hidden: string[]
  dense: boolean
}

/**
 * Visible columns and density, stored per list in this browser. Until somebody chooses columns, the list shows what fits in
 * `room`; chosen columns are all there, and scroll.
 */
export function useTaste<R>(name: string, columns: readonly Column<R>[], room = Number.POSITIVE_INFINITY) {
  const off = columns.filter((column) => column.off).map((column) => column.key)
  const [taste, setTaste] = useLocalStorage<TableTaste>({
    key: `innkeeper.list.${name}`,
    defaultValue: { hidden: off, dense: false },
    getInitialValueInEffect: false,
  })
  const isChosen = String(taste.hidden) !== String(off)
  const toggle = (key: string) =>
    setTaste({
      ...taste,
      hidden: taste.hidden.includes(key) ? taste.hidden.filter((hidden) => hidden !== key) : [...taste.hidden, key],
    })
  // the first column names the row and cannot be hidden
  const shown = useMemo(() => {
    const wanted = columns.filter((column, i) => i === 0 || !taste.hidden.includes(column.key))
    return isChosen ? wanted : fitting(wanted, room)
  }, [columns, taste.hidden, isChosen, room])
  return { ...taste, shown, toggle, setDense: (dense: boolean) => setTaste({ ...taste, dense }) }
}

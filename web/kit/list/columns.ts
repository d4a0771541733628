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
}

export interface TableTaste {
  hidden: string[]
  dense: boolean
}

/** Visible columns and density, stored per list in this browser. */
export function useTaste<R>(name: string, columns: readonly Column<R>[]) {
  const [taste, setTaste] = useLocalStorage<TableTaste>({
    key: `innkeeper.list.${name}`,
    defaultValue: { hidden: columns.filter((column) => column.off).map((column) => column.key), dense: false },
    getInitialValueInEffect: false,
  })
  const toggle = (key: string) =>
    setTaste({
      ...taste,
      hidden: taste.hidden.includes(key) ? taste.hidden.filter((hidden) => hidden !== key) : [...taste.hidden, key],
    })
  // the first column names the row and cannot be hidden
  const shown = useMemo(
    () => columns.filter((column, i) => i === 0 || !taste.hidden.includes(column.key)),
    [columns, taste.hidden],
  )
  return { ...taste, shown, toggle, setDense: (dense: boolean) => setTaste({ ...taste, dense }) }
}

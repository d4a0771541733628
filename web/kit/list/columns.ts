import type { Cell } from '@innkeeper/contract/csv'
import { useLocalStorage } from '@mantine/hooks'
import { type ReactNode, useMemo } from 'react'

export interface Column<R> {
  key: string
  title: string
  cell: (row: R) => ReactNode
  /** The plain value, for the CSV file. */
  csv: (row: R) => Cell
  /** The list call's name for sorting by it. */
  sort?: string
  /** Pixels; without one it takes what is left. */
  width?: number
  /** Numbers that compare are right-aligned. */
  align?: 'right'
  /** Not shown until somebody asks for it. */
  off?: boolean
}

export interface TableTaste {
  hidden: string[]
  dense: boolean
}

/** Which columns and how dense, remembered per list in this browser. */
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
  // the first column says what a row is
  const shown = useMemo(
    () => columns.filter((column, i) => i === 0 || !taste.hidden.includes(column.key)),
    [columns, taste.hidden],
  )
  return { ...taste, shown, toggle, setDense: (dense: boolean) => setTaste({ ...taste, dense }) }
}

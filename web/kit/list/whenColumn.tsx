import { When } from '../look/When.tsx'
import type { Column } from './columns.ts'

/** Column that shows a time of a row, by which the list sorts. */
export const whenColumn = <K extends string>(key: K, title: string, width = 108): Column<Record<K, string>> => ({
  key,
  title,
  sort: key,
  width,
  csv: (row) => row[key],
  cell: (row) => <When at={row[key]} />,
})

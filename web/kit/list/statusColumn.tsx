import { StatusBadge } from '../look/StatusBadge.tsx'
import type { Column } from './columns.ts'

/** Column that shows the status of a row. */
export const statusColumn: Column<{ status: string }> = {
  key: 'status',
  title: 'Status',
  width: 124,
  csv: ({ status }) => status,
  cell: ({ status }) => <StatusBadge state={status} />,
}

import type { Column } from '../../kit/list/columns.ts'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { moment } from '../../kit/look/format.ts'

interface Run {
  startedBy: string
  createdAt: string
  endedAt: string | null
}

/** The last columns of lists of tasks and restores: who began each, and when. */
export const runColumns: readonly Column<Run>[] = [
  { key: 'by', title: 'Begun by', width: 140, csv: ({ startedBy }) => startedBy, cell: ({ startedBy }) => startedBy },
  {
    key: 'ended',
    title: 'Ended',
    width: 150,
    csv: ({ endedAt }) => endedAt ?? '',
    cell: ({ endedAt }) => (endedAt ? moment(endedAt) : '–'),
  },
  whenColumn('createdAt', 'Begun', 112),
]

import type { Column } from '../../kit/list/columns.ts'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { When } from '../../kit/look/When.tsx'

interface Run {
  startedBy: string
  createdAt: string
  endedAt: string | null
}

/** The last columns of lists of tasks and restores: who began each, and when. */
export const runColumns: readonly Column<Run>[] = [
  { key: 'by', title: 'Begun by', width: 140, csv: ({ startedBy }) => startedBy, cell: ({ startedBy }) => startedBy },
  whenColumn('createdAt', 'Begun', 112),
  {
    key: 'ended',
    title: 'Ended',
    width: 112,
    csv: ({ endedAt }) => endedAt ?? '',
    cell: ({ endedAt }) => (endedAt ? <When at={endedAt} /> : '–'),
  },
]

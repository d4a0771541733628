import type { Escalation } from '@innkeeper/contract/quality/qc/shapes'
import { Text } from '@mantine/core'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import type { View } from '../../../kit/list/savedViews.ts'
import { useList } from '../../../kit/list/useList.ts'
import { Views } from '../../../kit/list/Views.tsx'
import { ago } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcApi } from '../api.ts'
import { rowPath, usePaths } from '../paths.ts'
import { priorityNames, priorityOptions } from '../words.ts'
import { CasePriority } from './CasePriority.tsx'
import { Due, isLate, lateFilter } from './Due.tsx'
import { caseState } from './states.ts'

const columns: readonly Column<Escalation>[] = [
  {
    key: 'reason',
    title: 'Escalation',
    csv: ({ reason }) => reason,
    cell: ({ reason, kind, externalId, subject }) => (
      <NameCell below={[`${kind} ${externalId}`, subject].filter(Boolean).join(', ')}>
        <RowName>
          <span dir="auto">{reason}</span>
        </RowName>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge {...caseState(status)} />,
  },
  {
    key: 'priority',
    title: 'Priority',
    width: 100,
    csv: ({ priority }) => priorityNames[priority],
    cell: ({ priority, status }) => <CasePriority priority={priority} status={status} />,
  },
  {
    key: 'assignee',
    title: 'Assignee',
    width: 160,
    csv: ({ assignee }) => assignee?.name ?? '',
    cell: ({ assignee }) => <Text c={assignee ? undefined : 'dimmed'}>{assignee?.name ?? 'nobody'}</Text>,
  },
  {
    key: 'due',
    title: 'Due',
    width: 120,
    csv: ({ dueAt }) => dueAt ?? '',
    cell: (one) => <Due of={one} />,
  },
  {
    key: 'created',
    title: 'Created',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

const views: readonly View[] = [
  { name: 'Open', filters: { status: ['open', 'in-progress'] } },
  { name: 'Late', filters: { overdue: ['true'] } },
]

export default function EscalationsScreen() {
  const paths = usePaths()
  const list = useList(qcApi.escalations, { filters: ['search', 'status', 'priority', 'overdue'] })
  return (
    <Screen scroll={false} count={listCount(list)} tabs={<Views name="qc-escalations" list={list} views={views} />}>
      <ListTable
        name="qc-escalations"
        noun={['escalation', 'escalations']}
        list={list}
        columns={columns}
        card={(one) => (
          <>
            <Text fw={450} truncate dir="auto">
              {one.reason}
            </Text>
            <Text c="dimmed" fz="xs" truncate>
              {one.externalId}, {caseState(one.status).label}
              {isLate(one) && ', late'}
            </Text>
          </>
        )}
        label={({ reason }) => reason}
        open={({ id, kind }) => rowPath(paths.escalation[kind], id)}
        search={{ key: 'search', placeholder: 'Reason, subject or id' }}
        filters={[
          {
            key: 'status',
            label: 'Status',
            options: [
              { value: 'open', label: 'Open' },
              { value: 'in-progress', label: 'In progress' },
              { value: 'reviewed', label: 'Reviewed' },
            ],
          },
          {
            key: 'priority',
            label: 'Priority',
            options: priorityOptions,
          },
          lateFilter,
        ]}
        empty={{
          title: 'No escalation yet',
          text: 'Reviewers escalate a chat or a ticket that a manager has to see.',
          tag: 'ES',
        }}
      />
    </Screen>
  )
}

import type { BackupTask } from '@innkeeper/contract/recovery/backups/shapes'
import { HISTORY_DAYS, taskStatuses, taskTypes } from '@innkeeper/contract/recovery/backups/values'
import { Text } from '@mantine/core'
import { useWebsiteChoice } from '../../hosting/websites/useWebsiteChoice.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { backupsApi } from './api.ts'
import { runColumns } from './runColumns.tsx'
import { stateOf } from './taskState.ts'

const upper = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`

const columns: readonly Column<BackupTask>[] = [
  {
    key: 'subject',
    title: 'Task',
    csv: ({ subject }) => subject,
    cell: ({ subject, type }) => (
      <NameCell below={upper(type)}>
        <RowName>{subject}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 120,
    csv: ({ status }) => status,
    cell: (task) => <StatusBadge state={stateOf(task)} />,
  },
  {
    key: 'message',
    title: 'Result',
    csv: ({ message }) => message ?? '',
    cell: ({ message }) => <span title={message ?? undefined}>{message ?? ''}</span>,
  },
  ...runColumns,
]

const openOf = ({ backupId, type }: BackupTask): string => {
  if (type === 'restore') return '/backups/restores'
  return backupId === null ? '/backups/repositories' : `/backups/${backupId}/details`
}

export default function TasksScreen() {
  const website = useWebsiteChoice('websiteId')
  const list = useList(backupsApi.tasks, {
    filters: ['search', 'type', 'status', 'websiteId', 'repositoryId'],
    holds: true,
  })
  return (
    <Screen scroll={false} count={listCount(list)} meta={<Text fz="xs">Kept for {HISTORY_DAYS} days</Text>}>
      <ListTable
        name="backup-tasks"
        noun={['task', 'tasks']}
        list={list}
        columns={columns}
        card={(task) => (
          <RowCard name={task.subject} below={upper(task.type)}>
            <StatusBadge state={stateOf(task)} />
          </RowCard>
        )}
        label={({ subject }) => subject}
        open={openOf}
        search={{ key: 'search', placeholder: 'Website or repository' }}
        filters={[
          ...website,
          { key: 'type', label: 'Task', options: taskTypes.map((value) => ({ value, label: upper(value) })) },
          { key: 'status', label: 'Status', options: taskStatuses.map((value) => ({ value, label: upper(value) })) },
        ]}
        empty={{
          title: 'No task yet',
          text: 'Backups, restores, forgets, prunes, checks and drills are listed here.',
          tag: 'BK',
        }}
      />
    </Screen>
  )
}

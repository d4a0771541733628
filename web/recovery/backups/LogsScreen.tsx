import type { BackupLog } from '@innkeeper/contract/recovery/backups/shapes'
import { LOG_DAYS, logLevels } from '@innkeeper/contract/recovery/backups/values'
import { Text } from '@mantine/core'
import { useWebsiteChoice } from '../../hosting/websites/useWebsiteChoice.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { moment } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { backupsApi } from './api.ts'

const states = { info: 'success', warning: 'degraded', error: 'failed' } as const
const words = { info: 'Info', warning: 'Warning', error: 'Error' } as const

const columns: readonly Column<BackupLog>[] = [
  {
    key: 'message',
    title: 'Message',
    csv: ({ message }) => message,
    cell: ({ message }) => <span title={message}>{message}</span>,
  },
  {
    key: 'level',
    title: 'Level',
    width: 110,
    csv: ({ level }) => level,
    cell: ({ level }) => <StatusBadge state={states[level]} label={words[level]} />,
  },
  {
    key: 'website',
    title: 'Website',
    width: 200,
    csv: ({ domain }) => domain ?? '',
    cell: ({ domain }) => domain ?? '',
  },
  { key: 'at', title: 'Time', sort: 'at', width: 160, csv: ({ at }) => at, cell: ({ at }) => moment(at) },
]

export default function LogsScreen() {
  const website = useWebsiteChoice('websiteId')
  const list = useList(backupsApi.logs, {
    filters: ['search', 'level', 'websiteId', 'repositoryId', 'taskId'],
    holds: true,
  })
  return (
    <Screen scroll={false} count={listCount(list)} meta={<Text fz="xs">Kept for {LOG_DAYS} days</Text>}>
      <ListTable
        name="backup-logs"
        noun={['line', 'lines']}
        list={list}
        columns={columns}
        card={({ message, level, at }) => (
          <RowCard name={message} below={moment(at)}>
            <StatusBadge state={states[level]} label={words[level]} />
          </RowCard>
        )}
        label={({ message }) => message}
        search={{ key: 'search', placeholder: 'Message' }}
        filters={[
          ...website,
          { key: 'level', label: 'Level', options: logLevels.map((value) => ({ value, label: words[value] })) },
        ]}
        empty={{
          title: 'Nothing yet',
          text: 'The results of backups, restores and maintenance are listed here.',
          tag: 'BK',
        }}
      />
    </Screen>
  )
}

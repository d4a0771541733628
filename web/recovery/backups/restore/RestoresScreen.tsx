import type { Restore } from '@innkeeper/contract/recovery/backups/shapes'
import { results } from '@innkeeper/contract/recovery/backups/values'
import { IconListDetails } from '@tabler/icons-react'
import { useState } from 'react'
import { useWebsiteChoice } from '../../../hosting/websites/useWebsiteChoice.ts'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { RowCard } from '../../../kit/list/RowCard.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { moment } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { backupsApi } from '../api.ts'
import { runColumns } from '../runColumns.tsx'
import { RestoreResult } from './RestoreResult.tsx'

const contentsOf = ({ paths, scope }: Restore) =>
  paths ? `${paths.length} files and folders` : scope.slice(0, 1).toUpperCase() + scope.slice(1)

const columns: readonly Column<Restore>[] = [
  {
    key: 'domain',
    title: 'Website',
    csv: ({ domain }) => domain,
    cell: ({ domain, backupAt }) => (
      <NameCell below={backupAt ? `as of ${moment(backupAt)}` : undefined}>
        <Mono fw={450}>{domain}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'result',
    title: 'Result',
    width: 120,
    csv: ({ result }) => result,
    cell: ({ result, error }) => (
      <span title={error ?? undefined}>
        <StatusBadge state={result} />
      </span>
    ),
  },
  { key: 'scope', title: 'Restored', width: 190, csv: contentsOf, cell: contentsOf },
  ...runColumns,
]

export default function RestoresScreen() {
  const website = useWebsiteChoice('websiteId')
  const list = useList(backupsApi.restores, { filters: ['search', 'result', 'websiteId'] })
  const [shown, setShown] = useState<Restore>()
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="backup-restores"
        noun={['restore', 'restores']}
        list={list}
        columns={columns}
        card={(one) => (
          <RowCard name={one.domain} below={contentsOf(one)}>
            <StatusBadge state={one.result} />
          </RowCard>
        )}
        label={({ domain }) => domain}
        menu={(one) => (
          <MenuAction label="Result of each part…" icon={<IconListDetails size={15} />} onClick={() => setShown(one)} />
        )}
        search={{ key: 'search', placeholder: 'Website' }}
        filters={[
          ...website,
          {
            key: 'result',
            label: 'Result',
            options: results.map((value) => ({ value, label: `${value.slice(0, 1).toUpperCase()}${value.slice(1)}` })),
          },
        ]}
        empty={{
          title: 'No restore yet',
          text: 'A backup is restored from its page: the whole website, a database, or chosen files.',
          tag: 'BK',
        }}
      />
      {shown && <RestoreResult restore={shown} close={() => setShown(undefined)} />}
    </Screen>
  )
}

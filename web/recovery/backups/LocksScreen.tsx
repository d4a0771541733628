import type { RepositoryLock } from '@innkeeper/contract/recovery/backups/shapes'
import { IconLockOpen } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { useList } from '../../kit/list/useList.ts'
import { moment } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { removeLock } from './acts.ts'
import { backupsApi } from './api.ts'

const stateOf = ({ state, stale }: RepositoryLock) => (state === 'unlocked' ? 'done' : stale ? 'stale' : 'blocked')
const wordOf = ({ state, stale }: RepositoryLock) => (state === 'unlocked' ? 'Unlocked' : stale ? 'Stale' : 'Locked')
const typeWords = { unspecified: 'of restic', 'lock-all': 'everything', 'allow-restore': 'all but restores' } as const

const columns: readonly Column<RepositoryLock>[] = [
  {
    key: 'repository',
    title: 'Repository',
    csv: ({ repositoryName }) => repositoryName,
    cell: ({ repositoryName, source }) => (
      <NameCell below={source === 'restic' ? 'a process of restic' : 'set by a person'}>
        <Mono fw={450}>{repositoryName}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 120,
    csv: wordOf,
    cell: (lock) => <StatusBadge state={stateOf(lock)} label={wordOf(lock)} />,
  },
  { key: 'type', title: 'Locks', width: 150, csv: ({ type }) => type, cell: ({ type }) => typeWords[type] },
  { key: 'reason', title: 'Reason', width: 120, csv: ({ reason }) => reason, cell: ({ reason }) => reason },
  {
    key: 'holder',
    title: 'By',
    width: 210,
    csv: ({ holder, host }) => `${holder ?? ''} ${host ?? ''}`.trim(),
    cell: ({ holder, host, pid }) => `${holder ?? ''}${host ? ` on ${host}` : ''}${pid ? `, process ${pid}` : ''}`,
  },
  {
    key: 'since',
    title: 'Since',
    sort: 'since',
    width: 160,
    csv: ({ since }) => since,
    cell: ({ since }) => moment(since),
  },
]

export default function LocksScreen() {
  const list = useList(backupsApi.locks, { filters: ['repositoryId', 'state', 'source'] })
  const lacking = useReason()
  const whyNot = ({ state, source, stale }: RepositoryLock) =>
    state === 'unlocked'
      ? 'The lock is already removed.'
      : source === 'restic' && !stale
        ? 'Its process is still running: only a stale lock can be removed.'
        : undefined
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="backup-locks"
        noun={['lock', 'locks']}
        list={list}
        columns={columns}
        card={(lock) => (
          <RowCard name={lock.repositoryName} below={moment(lock.since)}>
            <StatusBadge state={stateOf(lock)} label={wordOf(lock)} />
          </RowCard>
        )}
        label={({ repositoryName }) => repositoryName}
        menu={(lock) => (
          <MenuAction
            label="Unlock"
            icon={<IconLockOpen size={15} />}
            reason={lacking(backupsApi.removeLock) ?? whyNot(lock)}
            onClick={() => void removeLock(lock)}
          />
        )}
        filters={[
          {
            key: 'state',
            label: 'Status',
            options: [
              { value: 'locked', label: 'Locked' },
              { value: 'unlocked', label: 'Unlocked' },
            ],
          },
          {
            key: 'source',
            label: 'Set by',
            options: [
              { value: 'innkeeper', label: 'A person' },
              { value: 'restic', label: 'restic' },
            ],
          },
        ]}
        empty={{
          title: 'No lock',
          text: 'A repository is locked while restic works in it, or by a person who wants no changes.',
          tag: 'BK',
        }}
      />
    </Screen>
  )
}

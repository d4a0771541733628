import type { Backup } from '@innkeeper/contract/recovery/backups/shapes'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { bytes, count, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'
import { kindShort, kindWords, stateOfRun } from './words.ts'

export const stateOf = ({ status, pausedAt }: Backup) => (pausedAt ? 'paused' : stateOfRun(status))
/** Until when a paused backup waits. */
export const pausedText = ({ pausedAt, pausedUntil }: Backup): string | undefined =>
  pausedAt ? (pausedUntil ? `Goes on ${moment(pausedUntil)}` : 'Goes on when somebody resumes it') : undefined

export const columns: readonly Column<Backup>[] = [
  {
    key: 'domain',
    title: 'Website',
    csv: ({ domain }) => domain,
    cell: ({ id, domain, mode, held }) => (
      <NameCell below={`${mode === 'instant' ? 'by hand' : 'by schedule'}${held ? ', held' : ''}`}>
        <NameLink to="/backups/$backupId/details" params={{ backupId: String(id) }}>
          <Mono fw={450} title={domain}>
            {domain}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 116,
    csv: stateOf,
    cell: (backup) => (
      <span title={backup.error ?? pausedText(backup)}>
        <StatusBadge state={stateOf(backup)} />
      </span>
    ),
  },
  {
    key: 'kind',
    title: 'Contents',
    width: 104,
    csv: ({ kind }) => kind,
    cell: ({ kind }) => <span title={kindWords[kind]}>{kindShort[kind]}</span>,
  },
  {
    key: 'bytes',
    title: 'Size',
    sort: 'bytes',
    width: 96,
    align: 'right',
    csv: ({ bytes: size }) => size ?? '',
    cell: ({ bytes: size, added }) => (
      <span className="num" title={added === null ? undefined : `${bytes(added)} of it new`}>
        {size === null ? '–' : bytes(size)}
      </span>
    ),
  },
  {
    key: 'files',
    title: 'Files',
    width: 88,
    align: 'right',
    off: true,
    csv: ({ files }) => files ?? '',
    cell: ({ files }) => <span className="num">{files === null ? '–' : count(files)}</span>,
  },
  {
    key: 'proven',
    title: 'Proven',
    width: 108,
    csv: ({ provenAt }) => provenAt ?? '',
    cell: ({ provenAt }) =>
      provenAt ? (
        <span title={`Restored as a test ${moment(provenAt)}`}>
          <When at={provenAt} />
        </span>
      ) : (
        <Text c="dimmed">not yet</Text>
      ),
  },
  {
    key: 'server',
    title: 'Kept on',
    width: 130,
    csv: ({ backupServerName, copiedTo }) => [backupServerName, copiedTo].filter(Boolean).join(', '),
    cell: ({ backupServerName, copiedTo }) => (
      <NameCell below={copiedTo ? `copied to ${copiedTo}` : undefined}>
        <Mono truncate display="block">
          {backupServerName}
        </Mono>
      </NameCell>
    ),
  },
  {
    key: 'createdAt',
    title: 'Begun',
    sort: 'createdAt',
    width: 108,
    csv: ({ startedAt, createdAt }) => startedAt ?? createdAt,
    cell: ({ startedAt, createdAt }) => <When at={startedAt ?? createdAt} />,
  },
]

export const BackupCard = ({ backup }: { backup: Backup }) => (
  <RowCard name={backup.domain} below={moment(backup.startedAt ?? backup.createdAt)}>
    <StatusBadge state={stateOf(backup)} />
  </RowCard>
)

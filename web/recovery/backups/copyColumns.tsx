import type { RepositoryCopy } from '@innkeeper/contract/recovery/backups/copies'
import { whenText } from '@innkeeper/contract/recovery/backups/when'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { bytes, count, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { When } from '../../kit/look/When.tsx'

export const badges: Record<RepositoryCopy['state'], { state: string; label: string }> = {
  never: { state: 'pending', label: 'Not yet copied' },
  running: { state: 'running', label: 'Copying' },
  current: { state: 'active', label: 'Up to date' },
  waiting: { state: 'pending', label: 'Behind' },
  late: { state: 'failed', label: 'Late' },
  failed: { state: 'failed', label: 'Failed' },
  off: { state: 'suspended', label: 'Off' },
}
export const lagOf = ({ waiting, waitingSince }: RepositoryCopy) =>
  waiting ? `${counted(waiting, ['backup', 'backups'])}, the oldest of ${moment(waitingSince ?? '')}` : 'none'

export const columns: readonly Column<RepositoryCopy>[] = [
  {
    key: 'account',
    title: 'Repository',
    csv: ({ account }) => account,
    cell: ({ account, serverName, backupServerName }) => (
      <NameCell below={`${serverName} on ${backupServerName}`}>
        <Mono fw={450}>{account}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'target',
    title: 'Copied to',
    width: 150,
    csv: ({ targetServerName }) => targetServerName,
    cell: ({ targetServerName, size }) => (
      <NameCell below={size === null ? undefined : bytes(size)}>
        <Mono>{targetServerName}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Status',
    width: 130,
    csv: ({ state }) => badges[state].label,
    cell: ({ state, error, failures }) => (
      <span title={error ? `${error} (${counted(failures, ['run', 'runs'])} failed)` : undefined}>
        <StatusBadge {...badges[state]} />
      </span>
    ),
  },
  {
    key: 'lastAt',
    title: 'Last copied',
    width: 120,
    csv: ({ lastAt }) => lastAt ?? '',
    cell: ({ lastAt }) => (lastAt ? <When at={lastAt} /> : 'never'),
  },
  {
    key: 'copied',
    title: 'Backups',
    width: 90,
    align: 'right',
    csv: ({ copied }) => copied,
    cell: ({ copied }) => <span className="num">{count(copied)}</span>,
  },
  { key: 'waiting', title: 'Not copied yet', width: 240, csv: lagOf, cell: lagOf },
  {
    key: 'when',
    title: 'Schedule',
    width: 190,
    csv: ({ when }) => (when ? whenText(when) : ''),
    cell: ({ when, limit }) => (
      <NameCell below={limit ? `${count(limit)} kB/s` : undefined}>{when ? whenText(when) : 'by hand'}</NameCell>
    ),
  },
]

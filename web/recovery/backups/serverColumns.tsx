import { keepText } from '@innkeeper/contract/recovery/backups/keep'
import type { BackupServer } from '@innkeeper/contract/recovery/backups/shapes'
import { whenText } from '@innkeeper/contract/recovery/backups/when'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { bytes, count, counted, longDay } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { Share } from '../../kit/look/Share.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

export const stateOf = ({ status, observed }: BackupServer) => (status === 'ready' ? observed : status)

export const columns: readonly Column<BackupServer>[] = [
  {
    key: 'name',
    title: 'Server',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, address, port, note, s3 }) => (
      <NameCell below={note ?? (s3 ? `bucket ${s3.bucket}, ${s3.endpoint}` : `${address ?? 'no address'}:${port}`)}>
        <Mono fw={450}>{name}</Mono>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 110,
    csv: stateOf,
    cell: (server) => <StatusBadge state={stateOf(server)} />,
  },
  {
    key: 'backups',
    title: 'Backups',
    width: 90,
    align: 'right',
    csv: ({ backups }) => backups,
    cell: ({ backups, repositories }) => (
      <span className="num" title={`in ${counted(repositories, ['repository', 'repositories'])}`}>
        {count(backups)}
      </span>
    ),
  },
  {
    key: 'disk',
    title: 'Disk',
    width: 170,
    csv: ({ disk }) => (disk ? disk.used / disk.total : ''),
    cell: ({ disk, fullAt, s3 }) =>
      s3 ? (
        'in a bucket'
      ) : disk ? (
        <Share
          label={`${bytes(disk.used)} of ${bytes(disk.total)}${fullAt ? `, full ${longDay(fullAt)}` : ''}`}
          share={disk.total ? disk.used / disk.total : 0}
        />
      ) : (
        'unknown'
      ),
  },
  {
    key: 'keep',
    title: 'Keeps',
    width: 220,
    off: true,
    csv: ({ keep }) => keepText(keep),
    cell: ({ keep }) => keepText(keep),
  },
  {
    key: 'forget',
    title: 'Forget',
    width: 180,
    csv: ({ forget }) => (forget ? whenText(forget) : ''),
    cell: ({ forget }) => (forget ? whenText(forget) : 'by hand'),
  },
  {
    key: 'prune',
    title: 'Prune',
    width: 180,
    csv: ({ prune }) => (prune ? whenText(prune) : ''),
    cell: ({ prune }) => (prune ? whenText(prune) : 'by hand'),
  },
]

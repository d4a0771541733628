import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { Text, VisuallyHidden } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { serverColumn } from '../../kit/list/serverColumn.tsx'
import { statusColumn } from '../../kit/list/statusColumn.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { size } from '../plans/limits.ts'

export const columns: readonly Column<SystemUser>[] = [
  {
    key: 'username',
    title: 'System user',
    sort: 'username',
    csv: ({ username }) => username,
    cell: ({ id, username, ownerName }) => (
      <NameCell below={ownerName}>
        <NameLink to="/system-users/edit/$id" params={{ id: String(id) }}>
          <Mono fw={450} title={username}>
            {username}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  statusColumn,
  { ...serverColumn, width: 150 },
  { key: 'plan', title: 'Plan', width: 140, csv: ({ planName }) => planName, cell: ({ planName }) => planName },
  {
    key: 'websites',
    title: 'Websites',
    width: 92,
    align: 'right',
    csv: ({ websites }) => websites,
    cell: ({ websites }) => <span className="num">{count(websites)}</span>,
  },
  {
    key: 'diskUsedMb',
    title: 'Disk used',
    sort: 'diskUsedMb',
    width: 104,
    align: 'right',
    csv: ({ diskUsedMb }) => diskUsedMb ?? '',
    cell: ({ diskUsedMb, diskSeenAt, diskOverSince, planDiskMb }) => (
      <Text
        span
        c={diskUsedMb === null ? 'dimmed' : diskOverSince ? 'var(--mantine-color-warning-text)' : undefined}
        fw={diskOverSince ? 600 : undefined}
        className="num"
        title={diskSeenAt ? `Of ${size(planDiskMb)}, seen ${moment(diskSeenAt)}` : 'Not asked yet'}
      >
        {diskUsedMb === null ? 'not asked' : size(diskUsedMb)}
        {diskOverSince && <VisuallyHidden>, more than its plan has</VisuallyHidden>}
      </Text>
    ),
  },
  {
    key: 'uid',
    title: 'uid',
    width: 76,
    off: true,
    align: 'right',
    csv: ({ uid }) => uid ?? '',
    cell: ({ uid }) => <Mono c="dimmed">{uid ?? ''}</Mono>,
  },
  whenColumn('createdAt', 'Created'),
]

export const SystemUserCard = ({
  account: { username, ownerName, status, serverName, websites },
}: {
  account: SystemUser
}) => (
  <RowCard name={username} below={`${ownerName}, ${counted(websites, ['website', 'websites'])}`}>
    <StatusBadge state={status} />
    <Mono c="dimmed" fz="xs" display="block">
      {serverName}
    </Mono>
  </RowCard>
)

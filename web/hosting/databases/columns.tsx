import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { RowCard } from '../../kit/list/RowCard.tsx'
import { serverColumn } from '../../kit/list/serverColumn.tsx'
import { statusColumn } from '../../kit/list/statusColumn.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { count, megabytes, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { engineWords } from './words.ts'

export const columns: readonly Column<Database>[] = [
  {
    key: 'name',
    title: 'Database',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ websiteId, name, domain }) => (
      <NameCell below={domain}>
        <NameLink to="/websites/$id" params={{ id: String(websiteId) }}>
          <Mono fw={450} title={name}>
            {name}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  statusColumn,
  { ...serverColumn, width: 150 },
  { key: 'owner', title: 'Owner', width: 150, csv: ({ ownerName }) => ownerName, cell: ({ ownerName }) => ownerName },
  {
    key: 'sizeMb',
    title: 'Size',
    sort: 'sizeMb',
    width: 104,
    align: 'right',
    csv: ({ sizeMb }) => sizeMb ?? '',
    cell: ({ sizeMb, sizeSeenAt }) => (
      <Text
        span
        c={sizeMb === null ? 'dimmed' : undefined}
        className="num"
        title={sizeSeenAt ? `Measured ${moment(sizeSeenAt)}` : 'Not measured yet'}
      >
        {sizeMb === null ? 'not measured' : megabytes(sizeMb)}
      </Text>
    ),
  },
  {
    key: 'users',
    title: 'Accounts',
    spare: true,
    width: 92,
    align: 'right',
    csv: ({ users }) => users.map(({ username }) => username).join(' '),
    cell: ({ users }) => (
      <span className="num" title={users.map(({ username }) => username).join(', ')}>
        {count(users.length)}
      </span>
    ),
  },
  {
    key: 'engine',
    title: 'Engine',
    width: 104,
    csv: ({ engine }) => engine,
    cell: ({ engine }) => engineWords[engine],
  },
  {
    key: 'collation',
    title: 'Collation',
    width: 170,
    off: true,
    csv: ({ collation }) => collation,
    cell: ({ collation }) => (
      <Mono truncate display="block">
        {collation}
      </Mono>
    ),
  },
  whenColumn('createdAt', 'Created'),
]

/** Two lines on a phone. */
export const DatabaseCard = ({ database: { name, domain, status, serverName } }: { database: Database }) => (
  <RowCard name={name} below={domain}>
    <StatusBadge state={status} />
    <Mono c="dimmed" fz="xs" display="block">
      {serverName}
    </Mono>
  </RowCard>
)

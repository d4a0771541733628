import type { DatabaseAccount } from '@innkeeper/contract/hosting/databases/calls'
import { Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { RowCard } from '../../../kit/list/RowCard.tsx'
import { serverColumn } from '../../../kit/list/serverColumn.tsx'
import { whenColumn } from '../../../kit/list/whenColumn.tsx'
import { clock } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { engineWords, hostWords, privilegeWords } from '../words.ts'

/** A locked account is suspended in the words of the product. */
const stateOf = ({ status, locked, suspended }: DatabaseAccount) =>
  status === 'active' && (locked || suspended) ? 'suspended' : status
export const Status = ({ user, pill }: { user: DatabaseAccount; pill?: boolean }) => (
  <StatusBadge
    pill={pill}
    state={stateOf(user)}
    label={user.status === 'active' && user.locked ? 'Locked' : undefined}
  />
)

export const columns: readonly Column<DatabaseAccount>[] = [
  {
    key: 'username',
    title: 'Database user',
    sort: 'username',
    csv: ({ username }) => username,
    cell: ({ id, username, domain, login }) => (
      <NameCell below={login ? `until ${clock(login.endsAt)}, ${login.by}: ${login.reason}` : domain}>
        <NameLink to="/databases/users/edit/$userId" params={{ userId: String(id) }}>
          <Mono fw={450} title={username}>
            {username}
          </Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 124,
    csv: (user) => (user.locked ? 'locked' : stateOf(user)),
    cell: (user) => <Status user={user} />,
  },
  {
    key: 'engine',
    title: 'Engine',
    width: 104,
    csv: ({ engine }) => engine,
    cell: ({ engine }) => engineWords[engine],
  },
  {
    key: 'host',
    title: 'Comes from',
    spare: true,
    width: 150,
    csv: ({ host }) => host,
    cell: ({ host }) => (
      <Text span truncate display="block" title={host}>
        {hostWords(host)}
      </Text>
    ),
  },
  {
    key: 'databases',
    title: 'Databases',
    width: 260,
    csv: ({ databases }) => databases.map(({ name, privileges }) => `${name}: ${privileges}`).join(', '),
    cell: ({ databases }) => (
      <Text
        span
        truncate
        display="block"
        c={databases.length ? undefined : 'dimmed'}
        title={databases.map((one) => `${one.name}: ${privilegeWords[one.privileges]}`).join(', ')}
      >
        {databases.map(({ name }) => name).join(', ') || 'none'}
      </Text>
    ),
  },
  { ...serverColumn, width: 150 },
  { key: 'owner', title: 'Owner', width: 150, off: true, csv: (one) => one.ownerName, cell: (one) => one.ownerName },
  whenColumn('createdAt', 'Created'),
]

/** Two lines on a phone. */
export const UserCard = ({ user }: { user: DatabaseAccount }) => (
  <RowCard name={user.username} below={user.domain}>
    <Status user={user} />
    <Mono c="dimmed" fz="xs" display="block">
      {user.serverName}
    </Mono>
  </RowCard>
)

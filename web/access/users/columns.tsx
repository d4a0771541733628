import type { User } from '@innkeeper/contract/access/users/shapes'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { Avatar } from '../../kit/look/Avatar.tsx'
import { ago } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { rightsWord, stateOfUser } from './words.ts'

const dim = (text: string | null) => (
  <Text span c="dimmed" truncate>
    {text ?? '–'}
  </Text>
)

export const columns: readonly Column<User>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, username, profileImage }) => (
      <Group gap={10} wrap="nowrap" miw={0}>
        <Avatar name={name} image={profileImage} />
        <NameCell below={username}>
          <NameLink to="/users/edit/$userId" params={{ userId: String(id) }}>
            {name}
          </NameLink>
        </NameCell>
      </Group>
    ),
  },
  {
    key: 'state',
    title: 'Sign-in',
    width: 150,
    csv: (user) => stateOfUser(user).label,
    cell: (user) => <StatusBadge {...stateOfUser(user)} />,
  },
  { key: 'role', title: 'Role', width: 180, csv: rightsWord, cell: (user) => dim(rightsWord(user)) },
  {
    key: 'department',
    title: 'Department',
    width: 150,
    csv: ({ departmentName }) => departmentName,
    cell: ({ departmentName }) => dim(departmentName),
  },
  {
    key: 'email',
    title: 'Email',
    sort: 'email',
    width: 240,
    off: true,
    csv: ({ email }) => email,
    cell: ({ email }) => dim(email),
  },
  {
    key: 'secondFactor',
    title: 'Second factor',
    width: 118,
    csv: ({ secondFactor }) => (secondFactor ? 'on' : 'off'),
    cell: ({ secondFactor }) => dim(secondFactor ? 'On' : 'Off'),
  },
  {
    key: 'lastSignInAt',
    title: 'Last sign-in',
    sort: 'lastSignInAt',
    width: 116,
    csv: ({ lastSignInAt }) => lastSignInAt,
    cell: ({ lastSignInAt }) => dim(lastSignInAt ? ago(lastSignInAt) : 'never'),
  },
  {
    key: 'username',
    title: 'User name',
    sort: 'username',
    width: 160,
    off: true,
    csv: ({ username }) => username,
    cell: ({ username }) => dim(username),
  },
  {
    key: 'createdAt',
    title: 'Created',
    sort: 'createdAt',
    width: 116,
    off: true,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => dim(ago(createdAt)),
  },
]

export const UserCard = ({ user }: { user: User }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <Group gap={10} wrap="nowrap" miw={0}>
      <Avatar name={user.name} image={user.profileImage} />
      <div style={{ minWidth: 0 }}>
        <Text fw={450} truncate>
          {user.name}
        </Text>
        <Text c="dimmed" fz="xs" truncate>
          {rightsWord(user)}
        </Text>
      </div>
    </Group>
    <div style={{ flex: 'none', textAlign: 'right' }}>
      <StatusBadge {...stateOfUser(user)} />
      <Text c="dimmed" fz="xs">
        {user.departmentName}
      </Text>
    </div>
  </Group>
)

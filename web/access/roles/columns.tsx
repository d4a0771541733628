import type { Role } from '@innkeeper/contract/access/roles'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'

const dim = (text: string | null) => (
  <Text span c="dimmed" truncate>
    {text ?? '–'}
  </Text>
)

export const columns: readonly Column<Role>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, description }) => (
      <NameCell below={description ?? 'no description'}>
        <NameLink to="/roles/edit/$roleId" params={{ roleId: String(id) }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'people',
    title: 'People',
    width: 92,
    align: 'right',
    csv: ({ people }) => people,
    cell: ({ id, people }) => (
      <LinkTo to="/users" search={{ role: String(id) }} c="inherit" className="num">
        {count(people)}
      </LinkTo>
    ),
  },
  {
    key: 'scopes',
    title: 'Permissions',
    width: 112,
    align: 'right',
    csv: ({ scopes }) => scopes.length,
    cell: ({ scopes }) => <span className="num">{count(scopes.length)}</span>,
  },
  {
    key: 'department',
    title: 'Department',
    width: 170,
    csv: ({ departmentName }) => departmentName,
    cell: ({ departmentName }) => dim(departmentName ?? 'all'),
  },
  {
    key: 'secondFactor',
    title: 'Second factor',
    width: 124,
    csv: ({ requiresSecondFactor }) => (requiresSecondFactor ? 'required' : 'optional'),
    cell: ({ requiresSecondFactor }) => dim(requiresSecondFactor ? 'Required' : 'Optional'),
  },
  {
    key: 'createdAt',
    title: 'Created',
    sort: 'createdAt',
    width: 116,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => dim(ago(createdAt)),
  },
]

/** Two lines on a phone. */
export const RoleCard = ({ role }: { role: Role }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {role.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {role.description ?? 'no description'}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" className="num" style={{ flex: 'none' }}>
      {counted(role.people, ['person', 'people'])}
    </Text>
  </Group>
)

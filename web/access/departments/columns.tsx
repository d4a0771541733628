import type { Department } from '@innkeeper/contract/access/departments'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'

export const columns: readonly Column<Department>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, description }) => (
      <NameCell below={description ?? 'no description'}>
        <NameLink to="/departments/edit/$departmentId" params={{ departmentId: String(id) }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'people',
    title: 'People',
    width: 100,
    align: 'right',
    csv: ({ people }) => people,
    cell: ({ id, people }) => (
      <LinkTo to="/users" search={{ department: String(id) }} c="inherit" className="num">
        {count(people)}
      </LinkTo>
    ),
  },
  {
    key: 'roles',
    title: 'Roles',
    width: 92,
    align: 'right',
    csv: ({ roles }) => roles,
    cell: ({ id, roles }) => (
      <LinkTo to="/roles" search={{ department: String(id) }} c="inherit" className="num">
        {count(roles)}
      </LinkTo>
    ),
  },
  {
    key: 'createdAt',
    title: 'Created',
    sort: 'createdAt',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => (
      <Text span c="dimmed">
        {ago(createdAt)}
      </Text>
    ),
  },
]

/** Two lines on a phone. */
export const DepartmentCard = ({ department }: { department: Department }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {department.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {department.description ?? 'no description'}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" className="num" style={{ flex: 'none' }}>
      {counted(department.people, ['person', 'people'])}
    </Text>
  </Group>
)

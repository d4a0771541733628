import type { ProfileRow } from '@innkeeper/contract/access/profiles'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { Avatar } from '../../kit/look/Avatar.tsx'
import { Mono } from '../../kit/look/Mono.tsx'
import { calendarDay } from './days.ts'

/** Lists identify rows by `id`; the specified call names the field `_id`. */
export type Row = ProfileRow & { id: number }
export const toRow = (profile: ProfileRow): Row => ({ ...profile, id: profile._id })

const nameOf = ({ personalDetails: { firstName, lastName } }: Row) => `${firstName} ${lastName}`
const Unsaid = () => <Text c="dimmed">–</Text>

const Person = ({ row }: { row: Row }) => (
  <Group gap={10} wrap="nowrap">
    <Avatar name={nameOf(row)} image={row.personalDetails.image} />
    <NameCell below={row.email}>
      <NameLink to="/profile/$userId" params={{ userId: String(row.id) }}>
        {nameOf(row)}
      </NameLink>
    </NameCell>
  </Group>
)

export const columns: readonly Column<Row>[] = [
  { key: 'name', title: 'Name', sort: 'name', csv: nameOf, cell: (row) => <Person row={row} /> },
  {
    key: 'username',
    title: 'User name',
    sort: 'username',
    width: 220,
    csv: ({ username }) => username,
    cell: ({ username }) => (
      <Mono truncate display="block" title={username}>
        {username}
      </Mono>
    ),
  },
  {
    key: 'department',
    title: 'Department',
    width: 150,
    csv: ({ departmentName }) => departmentName,
    cell: ({ departmentName }) => departmentName ?? <Unsaid />,
  },
  {
    key: 'phone',
    title: 'Telephone',
    width: 160,
    csv: ({ personalDetails: { phone } }) => phone,
    cell: ({ personalDetails: { phone } }) => (phone ? <span className="num">{phone}</span> : <Unsaid />),
  },
  {
    key: 'hiredAt',
    title: 'Since',
    width: 110,
    csv: ({ hiredAt }) => hiredAt,
    cell: ({ hiredAt }) => (hiredAt ? <span className="num">{calendarDay(hiredAt)}</span> : <Unsaid />),
  },
  {
    key: 'timeZone',
    title: 'Time zone',
    width: 160,
    off: true,
    csv: ({ timeZone }) => timeZone,
    cell: ({ timeZone }) => timeZone ?? <Unsaid />,
  },
]

export const ProfileCard = ({ row }: { row: Row }) => (
  <Group gap={10} wrap="nowrap">
    <Avatar name={nameOf(row)} image={row.personalDetails.image} size={34} />
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {nameOf(row)}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {row.departmentName ?? row.email}
      </Text>
    </div>
  </Group>
)

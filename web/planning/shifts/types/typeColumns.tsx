import type { ShiftType } from '@innkeeper/contract/planning/shifts/calls'
import { Group, Text } from '@mantine/core'
import { Chip } from '../../../kit/calendar/Legend.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { RowName } from '../../../kit/list/NameCell.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { hoursText } from '../words.ts'

const figure = (text: string) => <span className="num">{text}</span>
const state = ({ isActive, progress }: ShiftType) =>
  progress < 100 ? (
    <StatusBadge state="running" label={`Updating, ${progress} %`} />
  ) : (
    <StatusBadge state={isActive ? 'active' : 'skipped'} label={isActive ? 'In use' : 'Off'} />
  )

export const typeColumns: readonly Column<ShiftType>[] = [
  {
    key: 'name',
    title: 'Shift type',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, code, colour }) => (
      <Group gap={10} wrap="nowrap">
        <Chip short={code} colour={colour} />
        <RowName>{name}</RowName>
      </Group>
    ),
  },
  { key: 'state', title: 'Status', width: 140, csv: ({ isActive }) => (isActive ? 'in use' : 'off'), cell: state },
  {
    key: 'times',
    title: 'Times',
    sort: 'startTime',
    width: 150,
    csv: ({ startTime, endTime }) => `${startTime}–${endTime}`,
    cell: ({ startTime, endTime }) => figure(`${startTime}–${endTime}`),
  },
  {
    key: 'breakMinutes',
    title: 'Break, min',
    width: 110,
    align: 'right',
    csv: ({ breakMinutes }) => breakMinutes,
    cell: ({ breakMinutes }) => figure(String(breakMinutes)),
  },
  {
    key: 'nightHours',
    title: 'Night hours',
    width: 120,
    align: 'right',
    csv: ({ nightHours }) => nightHours,
    cell: ({ nightHours }) => figure(String(nightHours)),
  },
  {
    key: 'hours',
    title: 'Weighted hours',
    width: 140,
    align: 'right',
    csv: ({ hours }) => hours,
    cell: ({ hours }) => figure(hoursText(hours)),
  },
]

export const TypeCard = ({ type }: { type: ShiftType }) => (
  <>
    <Group gap={8} wrap="nowrap">
      <Chip short={type.code} colour={type.colour} />
      <Text fw={500}>{type.name}</Text>
    </Group>
    <Text c="dimmed" fz="xs">
      {type.startTime}–{type.endTime}, {hoursText(type.hours)} weighted hours{type.isActive ? '' : ', off'}
    </Text>
  </>
)

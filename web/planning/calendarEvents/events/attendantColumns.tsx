import { type Attendant, attendances, rsvps } from '@innkeeper/contract/planning/calendarEvents/event'
import { Text } from '@mantine/core'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell } from '../../../kit/list/NameCell.tsx'
import { moment } from '../../../kit/look/format.ts'

const said = ({ rsvp, waitingPlace }: Attendant) =>
  waitingPlace ? `${rsvps[rsvp]}, number ${waitingPlace}` : rsvps[rsvp]

export const columns: readonly Column<Attendant>[] = [
  {
    key: 'name',
    title: 'Person',
    sort: 'name',
    csv: ({ userName }) => userName,
    cell: ({ userName, departmentName }) => (
      <NameCell below={departmentName ?? 'No department'}>
        <Text fw={450} truncate>
          {userName}
        </Text>
      </NameCell>
    ),
  },
  { key: 'rsvp', title: 'Answer', width: 190, csv: ({ rsvp }) => rsvps[rsvp], cell: said },
  {
    key: 'answeredAt',
    title: 'Answered',
    width: 160,
    csv: ({ answeredAt }) => answeredAt ?? '',
    cell: ({ answeredAt }) => (answeredAt ? moment(answeredAt) : '–'),
  },
  {
    key: 'attendance',
    title: 'Was there',
    width: 120,
    csv: ({ attendance }) => attendances[attendance],
    cell: ({ attendance }) => (
      <Text span c={attendance === 'unknown' ? 'dimmed' : undefined}>
        {attendances[attendance]}
      </Text>
    ),
  },
  {
    key: 'invitedBy',
    title: 'Invited by',
    width: 170,
    csv: ({ invitedBy }) => invitedBy ?? '',
    cell: ({ invitedBy }) => invitedBy ?? 'Signed up unasked',
  },
  {
    key: 'createdAt',
    title: 'On the list since',
    sort: 'createdAt',
    width: 160,
    off: true,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => moment(createdAt),
  },
]

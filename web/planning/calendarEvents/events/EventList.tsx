import type { CalendarEvent } from '@innkeeper/contract/planning/calendarEvents/event'
import { Text } from '@mantine/core'
import { IconPencil, IconUserCheck, IconUsers } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { eventsApi } from '../api.ts'
import { DayCard, typeColumns } from '../listParts.tsx'
import { listWhenText, typeOptions, whenText } from '../words.ts'

const When = ({ event }: { event: CalendarEvent }) => (
  <Text truncate title={whenText(event)}>
    {listWhenText(event)}
  </Text>
)
const places = ({ accepted, capacity }: CalendarEvent) =>
  capacity === null ? String(accepted) : `${accepted} of ${capacity}`

const columns: readonly Column<CalendarEvent>[] = [
  {
    key: 'title',
    title: 'Event',
    sort: 'title',
    csv: ({ title }) => title,
    cell: ({ id, title, location, organizerName }) => (
      <NameCell below={location ?? organizerName}>
        <NameLink to="/calendar/events/event/$eventId/singup" params={{ eventId: String(id) }} title={title}>
          {title}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'when',
    title: 'When',
    sort: 'startsAt',
    width: 340,
    csv: ({ startsAt }) => startsAt,
    cell: (event) => <When event={event} />,
  },
  ...typeColumns,
  {
    key: 'accepted',
    title: 'Coming',
    width: 92,
    align: 'right',
    csv: ({ accepted }) => accepted,
    cell: (event) => <span className="num">{places(event)}</span>,
  },
  {
    key: 'waiting',
    title: 'Waiting',
    spare: true,
    width: 84,
    align: 'right',
    csv: ({ waiting }) => waiting,
    cell: ({ waiting }) => <span className="num">{waiting}</span>,
  },
  {
    key: 'organizer',
    title: 'Organizer',
    width: 160,
    off: true,
    csv: ({ organizerName }) => organizerName,
    cell: ({ organizerName }) => organizerName,
  },
]

const filters = [
  {
    key: 'when',
    label: 'When',
    single: true,
    options: [
      { value: 'upcoming', label: 'Still to come' },
      { value: 'past', label: 'Over' },
    ],
  },
  { key: 'type', label: 'Type', options: typeOptions },
]

export function EventList() {
  const list = useList(eventsApi.list, { filters: ['search', 'type', 'when'] })
  return (
    <ListTable
      name="events"
      noun={['event', 'events']}
      list={list}
      columns={columns}
      card={(event) => <DayCard title={event.title} below={listWhenText(event)} />}
      label={({ title }) => title}
      open={({ id }) => `/calendar/events/event/${id}/singup`}
      menu={(event) => <Acts event={event} />}
      search={{ key: 'search', placeholder: 'Title or place' }}
      filters={filters}
      empty={{
        title: 'No event yet',
        text: 'A meeting, a training, a party: something that people come to, once.',
        action: (
          <CreateButton call={eventsApi.create} to="/calendar/events/event">
            Add event
          </CreateButton>
        ),
        tag: 'EV',
      }}
    />
  )
}

function Acts({ event }: { event: CalendarEvent }) {
  const lacking = useReason()
  const navigate = useNavigate()
  const params = { eventId: String(event.id) }
  return (
    <>
      <MenuAction
        label="Sign up"
        icon={<IconUserCheck size={15} />}
        onClick={() => void navigate({ to: '/calendar/events/event/$eventId/singup', params })}
      />
      <MenuAction
        label="Attendants"
        icon={<IconUsers size={15} />}
        reason={lacking(eventsApi.attendants)}
        onClick={() => void navigate({ to: '/calendar/events/event/$eventId/attendant', params })}
      />
      <MenuAction
        label="Change…"
        icon={<IconPencil size={15} />}
        reason={lacking(eventsApi.update)}
        onClick={() => void navigate({ to: '/calendar/events/event/$eventId', params })}
      />
    </>
  )
}

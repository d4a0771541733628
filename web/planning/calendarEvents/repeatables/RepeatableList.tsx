import type { RepeatableEvent } from '@innkeeper/contract/planning/calendarEvents/repeatable'
import { useNavigate } from '@tanstack/react-router'
import { succeeds } from '../../../kit/api/attempt.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { eventsApi } from '../api.ts'
import { ChangeOrDelete, DayCard, typeColumns } from '../listParts.tsx'
import { typeOptions } from '../words.ts'
import { repeatText } from './repeat.ts'

const nextText = ({ next }: RepeatableEvent) =>
  next[0] ? `${dayText(next[0], 'short')} ${next[0].slice(0, 4)}` : 'Never again'

const columns: readonly Column<RepeatableEvent>[] = [
  {
    key: 'title',
    title: 'Event',
    sort: 'title',
    csv: ({ title }) => title,
    cell: ({ id, title, location, organizerName }) => (
      <NameCell below={location ?? organizerName}>
        <NameLink to="/calendar/events/repeatable-event/$eventId" params={{ eventId: String(id) }} title={title}>
          {title}
        </NameLink>
      </NameCell>
    ),
  },
  { key: 'rule', title: 'Repeats', width: 300, csv: ({ rrule }) => rrule, cell: ({ rrule }) => repeatText(rrule) },
  {
    key: 'time',
    title: 'Begins at',
    sort: 'startLocal',
    width: 190,
    csv: ({ startLocal }) => startLocal,
    cell: ({ startLocal, timeZone, allDay }) =>
      allDay ? 'Whole day' : `${startLocal.slice(11)} ${timeZone.replaceAll('_', ' ')}`,
  },
  { key: 'next', title: 'Next', width: 110, csv: ({ next }) => next[0] ?? '', cell: nextText },
  ...typeColumns,
]

const filters = [{ key: 'type', label: 'Type', options: typeOptions }]

export function RepeatableList() {
  const list = useList(eventsApi.repeatables, { filters: ['search', 'type'] })
  return (
    <ListTable
      name="repeatable-events"
      noun={['repeatable event', 'repeatable events']}
      list={list}
      columns={columns}
      card={(event) => <DayCard title={event.title} below={repeatText(event.rrule)} />}
      label={({ title }) => title}
      open={({ id }) => `/calendar/events/repeatable-event/${id}`}
      menu={(event) => <Acts event={event} />}
      search={{ key: 'search', placeholder: 'Title' }}
      filters={filters}
      empty={{
        title: 'No repeatable event yet',
        text: 'Events that repeat by a rule: a stand-up each morning, a review on the last Friday of the month.',
        action: (
          <CreateButton call={eventsApi.createRepeatable} to="/calendar/events/repeatable-event">
            Add repeatable event
          </CreateButton>
        ),
        tag: 'RE',
      }}
    />
  )
}

function Acts({ event }: { event: RepeatableEvent }) {
  const navigate = useNavigate()
  return (
    <ChangeOrDelete
      update={eventsApi.updateRepeatable}
      remove={eventsApi.removeRepeatable}
      onChange={() =>
        void navigate({
          to: '/calendar/events/repeatable-event/$eventId',
          params: { eventId: String(event.id) },
          search: {},
        })
      }
      onDelete={() => void remove(event)}
    />
  )
}

async function remove({ id, title, version }: RepeatableEvent): Promise<void> {
  const sure = await confirmByName({
    title: `Delete ${title}?`,
    name: title,
    verb: 'Delete event',
    goes: [`${title}, on all its days, past days included`],
    stays: 'To end it from a day on, open that day in the calendar.',
  })
  if (!sure) return
  const done = await succeeds(() => eventsApi.removeRepeatable({ id, version }), ['calendarEvents'])
  if (done) toast.success(`${title} is deleted`)
}

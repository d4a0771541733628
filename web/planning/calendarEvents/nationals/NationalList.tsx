import type { NationalEvent } from '@innkeeper/contract/planning/calendarEvents/national'
import { useNavigate } from '@tanstack/react-router'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { eventsApi } from '../api.ts'
import { confirmLeaves } from '../confirmLeaves.ts'
import { ChangeOrDelete, DayCard } from '../listParts.tsx'
import { ruleText } from '../words.ts'

const years = ({ validFrom, validTo }: NationalEvent) =>
  validTo === null ? `from ${validFrom}` : `${validFrom}–${validTo}`

const columns: readonly Column<NationalEvent>[] = [
  {
    key: 'name',
    title: 'National event',
    sort: 'name',
    csv: ({ name }) => name,
    cell: (event) => (
      <NameCell below={ruleText(event)}>
        <NameLink
          to="/calendar/events/national-event/$eventId"
          params={{ eventId: String(event.id) }}
          title={event.name}
        >
          {event.name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'country',
    title: 'Country',
    sort: 'country',
    width: 110,
    csv: ({ country }) => country ?? '',
    cell: ({ country }) => country ?? 'Everywhere',
  },
  {
    key: 'kind',
    title: 'Kind',
    sort: 'kind',
    width: 100,
    csv: ({ kind }) => kind,
    cell: ({ kind }) => (kind === 'fixed' ? 'Fixed' : 'Movable'),
  },
  {
    key: 'next',
    title: 'Next',
    width: 120,
    csv: ({ next }) => next ?? '',
    cell: ({ next }) => (next ? `${dayText(next, 'short')} ${next.slice(0, 4)}` : 'Never again'),
  },
  {
    key: 'isDayOff',
    title: 'Day off',
    width: 90,
    csv: ({ isDayOff }) => (isDayOff ? 'yes' : 'no'),
    cell: ({ isDayOff }) => (isDayOff ? 'Yes' : 'No'),
  },
  {
    key: 'substitution',
    title: 'On a weekend',
    width: 180,
    csv: ({ substitution }) => substitution,
    cell: ({ substitution, isDayOff }) => (isDayOff && substitution === 'next-working-day' ? 'Next working day' : '–'),
  },
  { key: 'years', title: 'Years', width: 120, csv: years, cell: years },
]

const filters = [
  {
    key: 'kind',
    label: 'Kind',
    single: true,
    options: [
      { value: 'fixed', label: 'Fixed' },
      { value: 'movable', label: 'Movable' },
    ],
  },
]

export function NationalList() {
  const list = useList(eventsApi.nationals, { filters: ['search', 'kind'] })
  return (
    <ListTable
      name="national-events"
      noun={['national event', 'national events']}
      list={list}
      columns={columns}
      card={(event) => <DayCard title={event.name} below={ruleText(event)} />}
      label={({ name }) => name}
      open={({ id }) => `/calendar/events/national-event/${id}`}
      menu={(event) => <Acts event={event} />}
      search={{ key: 'search', placeholder: 'Name' }}
      filters={filters}
      empty={{
        title: 'No national event of your own',
        text: 'Public holidays come from the holiday library, by the workplace of each department. Add missing or differing days.',
        action: (
          <CreateButton call={eventsApi.createNational} to="/calendar/events/national-event">
            Add national event
          </CreateButton>
        ),
        tag: 'NE',
      }}
    />
  )
}

function Acts({ event }: { event: NationalEvent }) {
  const navigate = useNavigate()
  return (
    <ChangeOrDelete
      update={eventsApi.updateNational}
      remove={eventsApi.removeNational}
      onChange={() =>
        void navigate({ to: '/calendar/events/national-event/$eventId', params: { eventId: String(event.id) } })
      }
      onDelete={() => void remove(event)}
    />
  )
}

async function remove({ id, name, version, replaces }: NationalEvent): Promise<void> {
  const sure = await confirmByName({
    title: `Delete ${name}?`,
    name,
    verb: 'Delete national event',
    goes: [`${name}, in all years`],
    stays: replaces ? 'The holiday of the library counts again in its place.' : 'Existing shifts stay unchanged.',
  })
  if (!sure) return
  const seen = await attempt(() => confirmLeaves(() => eventsApi.nationalRemovalLeaves({ id })), [])
  if (!seen) return
  const done = await succeeds(() => eventsApi.removeNational({ id, version, ...seen }), ['calendarEvents', 'leaves'])
  if (done) toast.success(`${name} is deleted`)
}

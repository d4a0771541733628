import { type Attendant, attendances, rsvps } from '@innkeeper/contract/planning/calendarEvents/event'
import { Group, Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { eventsApi } from '../api.ts'
import { whenText } from '../words.ts'
import { Acts, Bulk } from './AttendantActs.tsx'
import { columns } from './attendantColumns.tsx'
import { InviteModal } from './InviteModal.tsx'

export default numbered('eventId', AttendantsScreen)

const filters = [
  { key: 'rsvp', label: 'Answer', options: Object.entries(rsvps).map(([value, label]) => ({ value, label })) },
]

/** Attendants of an event: invited, accepted, waiting, and present. */
function AttendantsScreen({ id: eventId }: { id: number }) {
  const query = useQuery(eventsApi.one.query({ id: eventId }))
  const list = useList(eventsApi.attendants, { filters: ['search', 'rsvp'], fixed: { eventId } })
  const reason = useReason()(eventsApi.inviteMany)
  const [inviting, setInviting] = useState(false)
  const event = query.data
  if (!event) return <Screen query={query}>{null}</Screen>
  const { accepted, capacity, waiting } = event
  const invite = (
    <ActButton reason={reason} leftSection={<IconUserPlus size={15} />} onClick={() => setInviting(true)}>
      Invite people
    </ActButton>
  )
  const places =
    capacity === null ? `${counted(accepted, ['person comes', 'people come'])}` : `${accepted} of ${capacity} places`
  return (
    <Screen
      scroll={false}
      title={event.title}
      meta={
        <Text>
          {whenText(event)} · {places}
          {waiting > 0 && `, ${waiting} waiting`}
        </Text>
      }
      actions={
        <Group gap={8}>
          <LinkButton
            variant="default"
            to="/calendar/events/event/$eventId/singup"
            params={{ eventId: String(eventId) }}
          >
            Sign-up
          </LinkButton>
          {invite}
        </Group>
      }
    >
      <ListTable
        name="attendants"
        noun={['person', 'people']}
        list={list}
        columns={columns}
        card={(person) => <Card person={person} />}
        label={({ userName }) => userName}
        menu={(person) => <Acts person={person} />}
        bulk={(people, clear) => <Bulk people={people} clear={clear} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={filters}
        empty={{
          title: 'Nobody is invited yet',
          text: 'Invite people, one by one or a whole department. Others who see the event can sign up by themselves.',
          action: invite,
          tag: 'AT',
        }}
      />
      {inviting && <InviteModal eventId={eventId} close={() => setInviting(false)} />}
    </Screen>
  )
}

const Card = ({ person }: { person: Attendant }) => (
  <Group justify="space-between" wrap="nowrap">
    <Text fw={500} truncate>
      {person.userName}
    </Text>
    <Text c="dimmed" fz="xs" style={{ flex: 'none' }}>
      {rsvps[person.rsvp]}
      {person.attendance !== 'unknown' && `, ${attendances[person.attendance].toLowerCase()}`}
    </Text>
  </Group>
)

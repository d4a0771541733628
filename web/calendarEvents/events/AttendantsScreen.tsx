import { type AttendanceState, type Attendant, attendances, rsvps } from '@innkeeper/contract/calendarEvents/event'
import { Group, Menu, Text } from '@mantine/core'
import { IconCheck, IconTrash, IconUserPlus, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { MenuAction } from '../../kit/look/MenuAction.tsx'
import { eventsApi } from '../api.ts'
import { whenText } from '../words.ts'
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

/** Records whether a person was present; creates or changes the attendance. */
const note = ({ eventId, userId, attendanceId }: Attendant, attendance: AttendanceState): Promise<unknown> =>
  attendanceId === null
    ? eventsApi.createAttendance({ eventId, userId, attendance })
    : eventsApi.updateAttendance({ eventId, id: attendanceId, attendance })

const states = ['present', 'absent', 'excused'] as const

function Acts({ person }: { person: Attendant }) {
  const lacking = useReason()
  const { eventId, id, userName, version, rsvp, attendance, attendanceId } = person
  const noting = lacking(attendanceId === null ? eventsApi.createAttendance : eventsApi.updateAttendance)
  const answer = (said: 'accepted' | 'declined') =>
    attempt(() => eventsApi.updateAttendant({ eventId, id, rsvp: said, version }), ['calendarEvents'])
  const remove = async () => {
    const sure = await confirm({
      title: `Take ${userName} off the list?`,
      text: 'The first on the waiting list gets the place.',
      verb: 'Take off',
      danger: true,
    })
    if (!sure) return
    const done = await attempt(
      () => eventsApi.removeAttendant({ eventId, id, version }).then(() => true),
      ['calendarEvents'],
    )
    if (done) toast.success(`${userName} is off the list`)
  }
  return (
    <>
      {states.map((state) => (
        <MenuAction
          key={state}
          label={attendances[state]}
          reason={noting ?? (attendance === state ? 'Noted so already' : undefined)}
          onClick={() => void attempt(() => note(person, state), ['calendarEvents'])}
        />
      ))}
      <Menu.Divider />
      <MenuAction
        label="Comes"
        icon={<IconCheck size={15} />}
        reason={lacking(eventsApi.updateAttendant) ?? (rsvp === 'accepted' ? 'Said so already' : undefined)}
        onClick={() => void answer('accepted')}
      />
      <MenuAction
        label="Does not come"
        icon={<IconX size={15} />}
        reason={lacking(eventsApi.updateAttendant) ?? (rsvp === 'declined' ? 'Said so already' : undefined)}
        onClick={() => void answer('declined')}
      />
      <Menu.Divider />
      <MenuAction
        label="Take off the list…"
        danger
        icon={<IconTrash size={15} />}
        reason={lacking(eventsApi.removeAttendant)}
        onClick={() => void remove()}
      />
    </>
  )
}

function Bulk({ people, clear }: { people: Attendant[]; clear: () => void }) {
  const lacking = useReason()
  const reason = lacking(eventsApi.createAttendance) ?? lacking(eventsApi.updateAttendance)
  const all = async (state: AttendanceState) => {
    const done = await attempt(async () => {
      for (const person of people) await note(person, state)
      return true
    }, ['calendarEvents'])
    if (!done) return
    toast.success(`${counted(people.length, ['person is', 'people are'])} noted as ${attendances[state].toLowerCase()}`)
    clear()
  }
  return (
    <>
      {states.map((state) => (
        <ActButton key={state} size="xs" variant="default" reason={reason} onClick={() => void all(state)}>
          {attendances[state]}
        </ActButton>
      ))}
    </>
  )
}

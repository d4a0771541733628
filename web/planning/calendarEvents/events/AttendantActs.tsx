import { type AttendanceState, type Attendant, attendances } from '@innkeeper/contract/planning/calendarEvents/event'
import { Menu } from '@mantine/core'
import { IconCheck, IconTrash, IconX } from '@tabler/icons-react'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { eventsApi } from '../api.ts'

/** Records whether a person was present; creates or changes the attendance. */
const note = ({ eventId, userId, attendanceId }: Attendant, attendance: AttendanceState): Promise<unknown> =>
  attendanceId === null
    ? eventsApi.createAttendance({ eventId, userId, attendance })
    : eventsApi.updateAttendance({ eventId, id: attendanceId, attendance })

const states = ['present', 'absent', 'excused'] as const

/** What people do with one person on the list of an event. */
export function Acts({ person }: { person: Attendant }) {
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
    const done = await succeeds(() => eventsApi.removeAttendant({ eventId, id, version }), ['calendarEvents'])
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

/** What people do with the chosen rows of the list. */
export function Bulk({ people, clear }: { people: Attendant[]; clear: () => void }) {
  const lacking = useReason()
  const reason = lacking(eventsApi.createAttendance) ?? lacking(eventsApi.updateAttendance)
  const all = async (state: AttendanceState) => {
    const done = await succeeds(async () => {
      for (const person of people) await note(person, state)
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

import type { CalendarEvent } from '@innkeeper/contract/planning/calendarEvents/event'
import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { localIn } from '../../../kit/form/wallClock.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { eventsApi } from '../api.ts'
import { whenText } from '../words.ts'
import { EventFields } from './EventFields.tsx'
import { labels, wantedOf } from './form.ts'

export default numbered('eventId', EventScreen)

function EventScreen({ id }: { id: number }) {
  const query = useQuery(eventsApi.one.query({ id }))
  return query.data ? <Form event={query.data} /> : <Screen query={query}>{null}</Screen>
}

const valuesOf = (event: CalendarEvent) =>
  wantedOf(event, event.signupUntil ? localIn(event.signupUntil, event.timeZone) : '')

function Form({ event }: { event: CalendarEvent }) {
  const navigate = useNavigate()
  const lacking = useReason()
  const opened = useOpened(event)
  const { id, version } = opened
  const toCalendar = () => void navigate({ to: '/calendar/events', search: { date: opened.startLocal.slice(0, 10) } })
  const form = useCallForm(eventsApi.update, {
    initial: valuesOf(opened),
    valuesOf,
    fixed: { id, version },
    labels,
    onDone: ({ title }) => {
      void readAgain(['calendarEvents'])
      toast.success(`${title} is saved`)
      toCalendar()
    },
  })
  const params = { eventId: String(id) }
  return (
    <FormScreen
      form={form}
      title={event.title}
      meta={whenText(event)}
      actions={
        <Group gap={8}>
          <LinkButton variant="default" to="/calendar/events/event/$eventId/singup" params={params}>
            Sign-up
          </LinkButton>
          <LinkButton variant="default" to="/calendar/events/event/$eventId/attendant" params={params}>
            Attendants
          </LinkButton>
        </Group>
      }
      nothing="Nothing was saved."
      edits
      left={consequence(event)}
      save="Save event"
      onCancel={toCalendar}
    >
      <EventFields form={form} organizerName={event.organizerName} departmentName={event.departmentName} />
      <Group>
        <ActButton
          variant="outline"
          color="error"
          reason={lacking(eventsApi.remove)}
          onClick={() => void remove(event).then((done) => done && toCalendar())}
        >
          Cancel event…
        </ActButton>
      </Group>
    </FormScreen>
  )
}

const consequence = ({ accepted }: CalendarEvent): string | undefined =>
  accepted ? `${counted(accepted, ['attendant is', 'attendants are'])} notified if it moves.` : undefined

async function remove({ id, title, version, accepted, waiting }: CalendarEvent): Promise<boolean> {
  const sure = await confirmByName({
    title: `Cancel ${title}?`,
    name: title,
    verb: 'Cancel event',
    goes: [`${title}, for ${counted(accepted + waiting, ['person', 'people'])} who signed up: they are notified`],
    stays: 'Its history stays in the log.',
  })
  if (!sure) return false
  const done = await succeeds(() => eventsApi.remove({ id, version }), ['calendarEvents'])
  if (done) toast.success(`${title} is cancelled`)
  return done === true
}

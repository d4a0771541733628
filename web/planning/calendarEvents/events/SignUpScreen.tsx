import type { CalendarEvent } from '@innkeeper/contract/planning/calendarEvents/event'
import { eventTypes, rsvps } from '@innkeeper/contract/planning/calendarEvents/event'
import { Alert, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Facts, Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted, moment } from '../../../kit/look/format.ts'
import { Linkified } from '../../../kit/look/Linkified.tsx'
import { useAct } from '../../../kit/look/useAct.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { eventsApi } from '../api.ts'
import { whenText } from '../words.ts'
import { answerEvent } from './answerEvent.ts'

export default numbered('eventId', SignUpScreen)

/** Details of an event, and the person's answer to the invitation. */
function SignUpScreen({ id }: { id: number }) {
  const query = useQuery(eventsApi.one.query({ id }))
  const lacking = useReason()
  const event = query.data
  if (!event) return <Screen query={query}>{null}</Screen>
  const params = { eventId: String(id) }
  return (
    <Screen
      title={event.title}
      meta={<Text>{whenText(event)}</Text>}
      actions={
        <Group gap={8}>
          {!lacking(eventsApi.attendants) && (
            <LinkButton variant="default" to="/calendar/events/event/$eventId/attendant" params={params}>
              Attendants
            </LinkButton>
          )}
          {!lacking(eventsApi.update) && (
            <LinkButton variant="default" to="/calendar/events/event/$eventId" params={params}>
              Change event
            </LinkButton>
          )}
        </Group>
      }
    >
      <Stack gap={16} maw={760}>
        <Answer event={event} />
        <Section title="About the event">
          <Facts of={factsOf(event)} />
          {event.description && (
            <Text mt={14} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              <Linkified text={event.description} />
            </Text>
          )}
        </Section>
      </Stack>
    </Screen>
  )
}

function factsOf(event: CalendarEvent): [string, string][] {
  const { type, location, organizerName, departmentName, capacity, accepted, waiting, signupUntil } = event
  const coming = capacity === null ? counted(accepted, ['person', 'people']) : `${accepted} of ${capacity}`
  return [
    ['Type', eventTypes[type]],
    ...(location ? [['Place', location] satisfies [string, string]] : []),
    ['Organizer', organizerName],
    ['For', departmentName ?? 'Everybody'],
    ['Coming', waiting ? `${coming}, and ${waiting} waiting` : coming],
    ...(signupUntil ? [['Sign up until', moment(signupUntil)] satisfies [string, string]] : []),
  ]
}

/** Why an answer cannot be given again. */
const SAID = 'You said so already.'

function Answer({ event }: { event: CalendarEvent }) {
  const { busy, run } = useAct()
  const now = useNow(30_000).getTime()
  const isOver = Date.parse(event.endsAt) <= now
  const isClosed = event.signupUntil !== null && Date.parse(event.signupUntil) < now
  const isFull = event.capacity !== null && event.accepted >= event.capacity && event.myRsvp !== 'accepted'
  const say = (rsvp: 'accepted' | 'tentative' | 'declined') => run(() => answerEvent(event.id, rsvp))
  const said = (rsvp: 'tentative' | 'declined') =>
    event.myRsvp === rsvp ? SAID : busy ? 'Your answer is being sent.' : undefined
  const why = isOver ? 'The event is over.' : isClosed ? 'The time to sign up is over.' : undefined
  return (
    <Section title="Do you come?" hint={event.myRsvp ? `You said: ${rsvps[event.myRsvp]}` : undefined}>
      <Stack gap={12}>
        {why && <Text c="dimmed">{why}</Text>}
        {event.myRsvp === 'waitlisted' && (
          <Alert color="info" p="10px 14px">
            You are on the waiting list. You are notified when a place becomes free.
          </Alert>
        )}
        {isFull && !why && event.myRsvp !== 'waitlisted' && (
          <Text c="dimmed">All places are taken. Signing up puts you on the waiting list.</Text>
        )}
        {!isOver && (
          <Group gap={8}>
            {!isClosed && (
              <>
                <ActButton
                  reason={event.myRsvp === 'accepted' || event.myRsvp === 'waitlisted' ? SAID : undefined}
                  loading={busy}
                  onClick={() => void say('accepted')}
                >
                  {isFull ? 'Join the waiting list' : 'I come'}
                </ActButton>
                <ActButton variant="default" reason={said('tentative')} onClick={() => void say('tentative')}>
                  Maybe
                </ActButton>
              </>
            )}
            <ActButton variant="default" reason={said('declined')} onClick={() => void say('declined')}>
              I do not come
            </ActButton>
          </Group>
        )}
      </Stack>
    </Section>
  )
}

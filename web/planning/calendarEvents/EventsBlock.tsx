import type { CalendarEvent } from '@innkeeper/contract/planning/calendarEvents/event'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../kit/access/reasons.ts'
import { attempt } from '../../kit/api/attempt.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Block } from '../../kit/home/Block.tsx'
import { BlockRow } from '../../kit/home/BlockRow.tsx'
import { useAct } from '../../kit/look/useAct.ts'
import { eventsApi } from './api.ts'
import { answerEvent } from './events/answerEvent.ts'
import { calendarEventTexts, rsvpTexts } from './texts.ts'
import { shortWhenText } from './words.ts'

/** Upcoming events and unanswered invitations, which are answered here. */
export default function EventsBlock() {
  const words = calendarEventTexts()
  const { data, error } = useQuery(eventsApi.upcoming.query())
  const mayOpen = !useReason()(eventsApi.one)
  return (
    <Block
      all={
        mayOpen && (
          <LinkTo to="/calendar/events" fz="xs">
            {words.calendar}
          </LinkTo>
        )
      }
      error={error}
      rows={data?.items.map((event) => (
        <BlockRow
          key={event.id}
          {...(mayOpen && { to: `/calendar/events/event/${event.id}/singup` })}
          plain
          name={event.title}
          kind={event.location ?? event.organizerName}
          note={shortWhenText(event)}
          when={event.myRsvp && event.myRsvp !== 'needs-action' ? rsvpTexts()[event.myRsvp] : ''}
          {...(event.myRsvp === 'needs-action' && { acts: <Answers event={event} /> })}
        />
      ))}
      empty={words.none}
    />
  )
}

function Answers({ event: { id, title } }: { event: CalendarEvent }) {
  const words = calendarEventTexts()
  const { busy, run } = useAct()
  const say = (rsvp: 'accepted' | 'declined') =>
    void run(() => attempt(() => answerEvent(id, rsvp), ['calendarEvents']))
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={busy}
        aria-label={words.comesNot(title)}
        onClick={() => say('declined')}
      >
        {words.decline}
      </Button>
      <Button size="xs" variant="light" loading={busy} aria-label={words.comes(title)} onClick={() => say('accepted')}>
        {words.come}
      </Button>
    </>
  )
}

import { type CalendarEvent, rsvps } from '@innkeeper/contract/calendarEvents/event'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { eventsApi } from '../calendarEvents/api.ts'
import { shortWhenText, whenText } from '../calendarEvents/words.ts'
import { useReason } from '../kit/access/reasons.ts'
import { ErrorLine } from '../kit/frame/ErrorLine.tsx'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Section } from '../kit/frame/Section.tsx'
import css from './Home.module.css'

/** Upcoming events and unanswered invitations; renders nothing without any. */
export function UpcomingEvents() {
  const { data, error } = useQuery(eventsApi.upcoming.query())
  const mayOpen = !useReason()(eventsApi.one)
  if (!data?.items.length && !error) return null
  return (
    <Section
      title="Events"
      pad={false}
      aside={
        mayOpen && (
          <LinkTo to="/calendar/events" fz="xs">
            Calendar
          </LinkTo>
        )
      }
    >
      {error && <ErrorLine error={error} />}
      {data?.items.map((event) =>
        mayOpen ? (
          <Link
            key={event.id}
            to="/calendar/events/event/$eventId/singup"
            params={{ eventId: String(event.id) }}
            className={css.row}
          >
            <Cells event={event} />
          </Link>
        ) : (
          <div key={event.id} className={css.row}>
            <Cells event={event} />
          </div>
        ),
      )}
    </Section>
  )
}

const Cells = ({ event }: { event: CalendarEvent }) => (
  <>
    <span className={css.name}>
      <Text span fw={450} truncate title={event.title}>
        {event.title}
      </Text>
      <Text span c="dimmed" fz="xs" truncate>
        {event.location ?? event.organizerName}
      </Text>
    </span>
    <Text span c="dimmed" truncate className={css.note} title={whenText(event)}>
      {shortWhenText(event)}
    </Text>
    <Text span c={event.myRsvp === 'needs-action' ? undefined : 'dimmed'} className={css.when}>
      {event.myRsvp && rsvps[event.myRsvp]}
    </Text>
  </>
)

import { type CalendarEvent, rsvps } from '@innkeeper/contract/calendarEvents/event'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useReason } from '../kit/access/reasons.ts'
import { LinkTo } from '../kit/frame/LinkTo.tsx'
import { Block } from '../kit/home/Block.tsx'
import css from '../kit/home/block.module.css'
import { eventsApi } from './api.ts'
import { shortWhenText, whenText } from './words.ts'

/** Upcoming events and unanswered invitations. */
export default function EventsBlock() {
  const { data, error } = useQuery(eventsApi.upcoming.query())
  const mayOpen = !useReason()(eventsApi.one)
  return (
    <Block
      title="Events"
      all={
        mayOpen && (
          <LinkTo to="/calendar/events" fz="xs">
            Calendar
          </LinkTo>
        )
      }
      error={error}
      rows={data?.items.map((event) =>
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
      empty="No event is planned for you."
    />
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

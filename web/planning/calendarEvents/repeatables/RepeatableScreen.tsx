import type { RepeatableEvent } from '@innkeeper/contract/planning/calendarEvents/repeatable'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { dayText, readDay } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { eventsApi } from '../api.ts'
import { confirmLostDays } from './confirmLostDays.ts'
import { labels, wantedOf } from './form.ts'
import { RepeatableForm } from './RepeatableForm.tsx'
import { repeatText } from './repeat.ts'

export default numbered('eventId', RepeatableScreen)

/** Edits all occurrences, or with `?reach=following&occurrence=2026-11-23` that day and all later ones. */
function RepeatableScreen({ id }: { id: number }) {
  const query = useQuery(eventsApi.repeatable.query({ id }))
  const search = useSearch({ strict: false })
  const from = search.reach === 'following' ? readDay(search.occurrence) : undefined
  return query.data ? <Form event={query.data} from={from} /> : <Screen query={query}>{null}</Screen>
}

function Form({ event, from }: { event: RepeatableEvent; from: string | undefined }) {
  const navigate = useNavigate()
  const opened = useOpened(event)
  const toList = () => void navigate({ to: '/calendar/events/manage', search: { show: 'repeatable' } })
  const form = useCallForm(eventsApi.updateRepeatable, {
    initial: wantedOf(opened, from),
    valuesOf: (stored: RepeatableEvent) => wantedOf(stored, from),
    fixed: { id: opened.id, version: opened.version, ...(from && { reach: 'following', occurrence: from }) },
    labels,
    send: async ({ version, ...input }) => {
      const { items } = await eventsApi.lostDays(input)
      const isSure = !items.length || (await confirmLostDays(items))
      return isSure ? eventsApi.updateRepeatable({ ...input, version }) : undefined
    },
    onDone: ({ title }) => {
      void readAgain(['calendarEvents'])
      toast.success(`${title} is saved`)
      toList()
    },
  })
  const reach = from
    ? `From ${dayText(from, 'short')} ${from.slice(0, 4)} on; earlier days stay unchanged.`
    : 'On all its days.'
  return (
    <RepeatableForm
      form={form}
      title={event.title}
      meta={repeatText(event.rrule)}
      organizerName={event.organizerName}
      departmentName={event.departmentName}
      save={from ? 'Save these days' : 'Save all days'}
      nothing="Nothing was saved."
      edits
      left={reach}
      cancel={toList}
    />
  )
}

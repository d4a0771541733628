import type { NationalEvent } from '@innkeeper/contract/planning/calendarEvents/national'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { eventsApi } from '../api.ts'
import { confirmLeaves } from '../confirmLeaves.ts'
import { labels, nationalOf } from './form.ts'
import { NationalForm } from './NationalForm.tsx'

export default numbered('eventId', NationalScreen)

function NationalScreen({ id }: { id: number }) {
  const query = useQuery(eventsApi.national.query({ id }))
  return query.data ? <Form event={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ event }: { event: NationalEvent }) {
  const navigate = useNavigate()
  const opened = useOpened(event)
  const toList = () => void navigate({ to: '/calendar/events/manage', search: { show: 'national' } })
  const form = useCallForm(eventsApi.updateNational, {
    initial: nationalOf(opened),
    fixed: { id: opened.id, version: opened.version },
    labels,
    valuesOf: nationalOf,
    send: async ({ version, ...input }) => {
      const seen = await confirmLeaves(() => eventsApi.nationalLeaves({ ...input, id: opened.id }))
      return seen && eventsApi.updateNational({ ...input, version, ...seen })
    },
    onDone: ({ name }) => {
      void readAgain(['calendarEvents'])
      toast.success(`${name} is saved`)
      toList()
    },
  })
  return (
    <NationalForm
      form={form}
      id={opened.id}
      title={event.name}
      save="Save national event"
      nothing="Nothing was saved."
      edits
      cancel={toList}
    />
  )
}

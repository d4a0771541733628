import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { eventsApi } from '../api.ts'
import { confirmLeaves } from '../confirmLeaves.ts'
import { labels, newNational } from './form.ts'
import { NationalForm } from './NationalForm.tsx'

export default function NationalCreateScreen() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/calendar/events/manage', search: { show: 'national' } })
  const form = useCallForm(eventsApi.createNational, {
    initial: newNational(new Date().getFullYear()),
    labels,
    send: async (input) => {
      const seen = await confirmLeaves(() => eventsApi.newNationalLeaves(input))
      return seen && eventsApi.createNational({ ...input, ...seen })
    },
    onDone: ({ name }) => {
      void readAgain(['calendarEvents'])
      toast.success(`${name} is added`)
      toList()
    },
  })
  return <NationalForm form={form} save="Add national event" nothing="Nothing was added." cancel={toList} />
}

import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { today } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ownZone } from '../../../kit/form/zones.ts'
import { useZone } from '../../../kit/look/zone.ts'
import { eventsApi } from '../api.ts'
import { labels, newWanted } from './form.ts'
import { RepeatableForm } from './RepeatableForm.tsx'

export default function RepeatableCreateScreen() {
  const navigate = useNavigate()
  const zone = useZone() ?? ownZone()
  const toList = () => void navigate({ to: '/calendar/events/manage', search: { show: 'repeatable' } })
  const form = useCallForm(eventsApi.createRepeatable, {
    initial: newWanted(today(zone), zone),
    labels,
    onDone: ({ title }) => {
      void readAgain(['calendarEvents'])
      toast.success(`${title} is in the calendar`)
      toList()
    },
  })
  return (
    <RepeatableForm
      form={form}
      save="Add repeatable event"
      nothing="Nothing was added."
      left="It is in the calendar on all its days."
      cancel={toList}
    />
  )
}

import { useNavigate, useSearch } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { today as dayToday, readDay } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { ownZone } from '../../../kit/form/zones.ts'
import { useZone } from '../../../kit/look/zone.ts'
import { eventsApi } from '../api.ts'
import { EventFields } from './EventFields.tsx'
import { labels, newWanted, pickedDays } from './form.ts'

/** Creates an event; `?from=&to=` are the days selected in the calendar. */
export default function EventCreateScreen() {
  const navigate = useNavigate()
  const zone = useZone() ?? ownZone()
  const search = useSearch({ strict: false })
  const [from, to] = pickedDays(readDay(search.from), readDay(search.to), dayToday(zone))
  const form = useCallForm(eventsApi.create, {
    initial: newWanted(from, to, zone),
    labels,
    onDone: ({ id, title }) => {
      void readAgain(['calendarEvents'])
      toast.success(`${title} is in the calendar`, 'Invite people here.')
      void navigate({ to: '/calendar/events/event/$eventId/attendant', params: { eventId: String(id) } })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was added."
      left="People are invited next."
      save="Add event"
      onCancel={() => void navigate({ to: '/calendar/events' })}
    >
      <EventFields form={form} isNew />
    </FormScreen>
  )
}

import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { today } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { confirmLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { shiftsApi } from '../api.ts'
import { AutomationFields, automationLabels, type WantedAutomation } from './AutomationFields.tsx'
import { nextMonday } from './PatternField.tsx'

const first = (): WantedAutomation => ({
  name: '',
  userId: null,
  teamId: null,
  departmentId: null,
  pattern: Array.from({ length: 7 }, () => null),
  startDate: nextMonday(today()),
  endDate: '',
  stagger: 0,
  onHoliday: 'work',
  onLeave: 'skip',
  status: 'published',
  weeksAhead: 8,
  isActive: true,
})

export function AddAutomation({ close }: { close: () => void }) {
  const navigate = useNavigate()
  const form = useCallForm(shiftsApi.createAutomation, {
    initial: first(),
    labels: automationLabels,
    send: async (input) => {
      const seen = await confirmLeaves(() => shiftsApi.newAutomationLeaves(input))
      return seen && shiftsApi.createAutomation({ ...input, ...seen })
    },
    onDone: ({ id, name, plannedTo, progress }) => {
      void readAgain(['shifts'])
      const planned = plannedTo ? `Its shifts are planned to ${plannedTo}.` : undefined
      toast.success(`${name} is added`, progress < 100 ? 'Its shifts are being planned.' : planned)
      close()
      void navigate({ to: '/calendar/shifts/automation/$id', params: { id: String(id) } })
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title="Add automation"
      save="Add automation"
      nothing="Nothing was added."
      form={form}
    >
      <AutomationFields form={form} />
    </FormModal>
  )
}

import type { ShiftAutomation } from '@innkeeper/contract/planning/shifts/calls'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt, succeeds } from '../../../kit/api/attempt.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirmByName } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { counted } from '../../../kit/look/format.ts'
import { confirmLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { shiftsApi } from '../api.ts'
import { AutomationFields, automationLabels } from './AutomationFields.tsx'
import { RunSection } from './RunSection.tsx'

export default numbered('id', AutomationScreen)

function AutomationScreen({ id }: { id: number }) {
  const query = useQuery(shiftsApi.automation.query({ id }))
  return query.data ? <Form automation={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ automation }: { automation: ShiftAutomation }) {
  const navigate = useNavigate()
  const lacking = useReason()
  const reason = lacking(shiftsApi.updateAutomation)
  const toList = () => void navigate({ to: '/calendar/shifts/automation' })
  const opened = useOpened(automation)
  const { id, version, name } = opened
  const form = useCallForm(shiftsApi.updateAutomation, {
    initial: {
      ...{ name, userId: opened.userId, teamId: opened.teamId, departmentId: opened.departmentId },
      ...{
        pattern: opened.pattern,
        startDate: opened.startDate,
        endDate: opened.endDate ?? '',
        stagger: opened.stagger,
      },
      ...{ onHoliday: opened.onHoliday, onLeave: opened.onLeave, status: opened.status },
      ...{ weeksAhead: opened.weeksAhead, isActive: opened.isActive },
    },
    fixed: { id, version },
    labels: automationLabels,
    send: async ({ version, ...input }) => {
      const seen = await confirmLeaves(() => shiftsApi.automationLeaves(input))
      return seen && shiftsApi.updateAutomation({ ...input, version, ...seen })
    },
    onDone: (saved) => {
      void readAgain(['shifts'])
      toast.success(
        `${saved.name} is saved`,
        saved.progress < 100 ? 'Its future shifts are being updated.' : 'Its future shifts are updated.',
      )
    },
  })
  const remove = async () => {
    const sure = await confirmByName({
      title: `Delete ${name}?`,
      name,
      verb: 'Delete automation',
      goes: ['The automation', 'Its future shifts that nobody edited'],
      stays: 'Past shifts, and shifts that somebody edited.',
    })
    if (!sure) return
    const asks = () => confirmLeaves(() => shiftsApi.automationRemovalLeaves({ id }), { verb: 'Delete automation' })
    const seen = await attempt(asks, [])
    if (!seen) return
    const gone = await succeeds(() => shiftsApi.removeAutomation({ id, version, ...seen }), ['shifts'])
    if (gone) toList()
  }
  return (
    <FormScreen
      form={form}
      title={name}
      meta={
        automation.progress < 100
          ? `Planning the shifts, ${automation.progress} %`
          : `${opened.who}, ${counted(opened.people, ['person', 'people'])}`
      }
      actions={
        <ActButton
          variant="default"
          leftSection={<IconTrash size={15} />}
          reason={lacking(shiftsApi.removeAutomation)}
          onClick={() => void remove()}
        >
          Delete…
        </ActButton>
      }
      nothing="Nothing was saved."
      side={<RunSection automation={automation} />}
      edits
      reason={reason}
      left="Its future shifts are updated, except those that somebody edited."
      save="Save automation"
      onCancel={toList}
    >
      <AutomationFields form={form} />
    </FormScreen>
  )
}

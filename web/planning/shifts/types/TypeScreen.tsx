import type { ShiftType } from '@innkeeper/contract/planning/shifts/calls'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { counted } from '../../../kit/look/format.ts'
import { confirmLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { shiftsApi } from '../api.ts'
import { TypeFields, typeLabels } from './TypeFields.tsx'

export default numbered('shiftTypeId', TypeScreen)

function TypeScreen({ id }: { id: number }) {
  const query = useQuery(shiftsApi.type.query({ id }))
  return query.data ? <Form type={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ type }: { type: ShiftType }) {
  const navigate = useNavigate()
  const reason = useReason()(shiftsApi.updateType)
  const toList = () => void navigate({ to: '/calendar/shifts/type' })
  const { id, version, name, code, startTime, endTime, breakMinutes, colour, isActive } = useOpened(type)
  const form = useCallForm(shiftsApi.updateType, {
    initial: { name, code, startTime, endTime, breakMinutes, colour, isActive, version },
    fixed: { id },
    labels: typeLabels,
    send: async ({ version, ...input }) => {
      const seen = await confirmLeaves(() => shiftsApi.typeLeaves(input))
      return seen && shiftsApi.updateType({ ...input, version, ...seen })
    },
    onDone: (saved) => {
      void readAgain(['shifts'])
      toast.success(
        `${saved.name} is saved`,
        saved.progress < 100
          ? 'The future shifts are being updated. You are notified when all are.'
          : `${counted(saved.shifts, ['future shift is', 'future shifts are'])} updated.`,
      )
      toList()
    },
  })
  return (
    <FormScreen
      form={form}
      title={type.name}
      meta={type.progress < 100 ? `Updating future shifts, ${type.progress} %` : `${type.startTime}–${type.endTime}`}
      nothing="Nothing was saved."
      edits
      reason={reason}
      left="Future shifts are updated; past ones stay unchanged."
      save="Save shift type"
      onCancel={toList}
    >
      <TypeFields form={form} />
    </FormScreen>
  )
}

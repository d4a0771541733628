import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Button, SegmentedControl, Text } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { shiftsApi } from '../api.ts'
import { usePlanning } from '../planning/usePlanning.ts'
import { insist } from '../planning/warnings.ts'
import { clockChangeText, hoursText, timesText, zoneText } from '../words.ts'
import { labels, ShiftFields } from './ShiftFields.tsx'

/** Edits a shift of an open month, at the version that was opened. */
export default function EditShift({ shift, roster, close }: { shift: Shift; roster: Roster; close: () => void }) {
  const planning = usePlanning()
  const { id, version, userId, date, shiftTypeId, startTime, endTime, breakMinutes, status } = shift
  const form = useCallForm(shiftsApi.update, {
    initial: {
      ...{ userId: userId as number | null | undefined, date, shiftTypeId: shiftTypeId as number | null },
      ...{ startTime, endTime, breakMinutes: breakMinutes as number | '', version },
      status: status === 'published' ? ('published' as const) : ('draft' as const),
    },
    fixed: { id },
    labels,
    send: (input) => insist((stopAtWarnings) => shiftsApi.update({ ...input, stopAtWarnings }), 'Save shift'),
    onDone: (saved) => {
      void readAgain(['shifts'])
      toast.success(`${timesText(saved)} is saved`, saved.userName ?? undefined)
      close()
    },
  })
  const isOpen = status === 'open'
  const note = [
    `${hoursText(shift.hours)} weighted hours`,
    zoneText(shift),
    shift.freedFrom && `Open because ${shift.freedFrom} is on leave`,
    clockChangeText(shift.clockChange),
    shift.automationId !== null &&
      (shift.edited ? 'By an automation, edited since' : 'By an automation; a change of yours stays'),
  ]
  return (
    <FormModal
      opened
      close={close}
      title={`${timesText(shift)}${shift.userName ? `, ${shift.userName}` : ''}`}
      save="Save shift"
      nothing="Nothing was saved."
      form={form}
    >
      <ShiftFields
        roster={roster}
        userId={form.field('userId')}
        date={form.field('date')}
        shiftTypeId={form.field('shiftTypeId')}
        startTime={form.field('startTime')}
        endTime={form.field('endTime')}
        breakMinutes={form.field('breakMinutes')}
      />
      {!isOpen && (
        <SegmentedControl
          aria-label="Who sees the shift"
          data={[
            { value: 'draft', label: 'Draft' },
            { value: 'published', label: 'Published' },
          ]}
          value={form.values.status}
          onChange={(next) => form.set('status', next === 'published' ? 'published' : 'draft')}
        />
      )}
      <Text c="dimmed" fz="xs">
        {note.filter(Boolean).join('. ')}.
      </Text>
      <Button
        variant="subtle"
        color="error"
        onClick={() => {
          close()
          void planning.remove([
            { id: `shift-${id}`, from: date, to: date, label: shift.name, colour: shift.colour, userId, shift },
          ])
        }}
      >
        Remove shift…
      </Button>
    </FormModal>
  )
}

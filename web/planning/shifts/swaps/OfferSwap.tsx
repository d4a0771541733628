import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Select, Text, Textarea } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import { insist } from '../planning/warnings.ts'
import { timesText } from '../words.ts'
import { swappable } from './swappable.ts'

interface Props {
  shift: Shift
  roster: Roster
  /** The person on whose row the shift was dropped. */
  userId?: number | undefined
  otherShiftId?: number | undefined
  close: () => void
}
const NOTHING = ''
const EVERYBODY = 'all'

/** Offers one's own shift to a colleague, for one of the colleague's shifts or for nothing, or to everybody. */
export default function OfferSwap({ shift, roster, userId, otherShiftId, close }: Props) {
  const now = useNow(60_000)
  const form = useCallForm(shiftsApi.offerSwap, {
    initial: { userId: userId ?? null, otherShiftId: otherShiftId ?? null, note: '' } as {
      userId: number | null
      otherShiftId: number | null
      note: string
    },
    fixed: { shiftId: shift.id },
    labels: { userId: 'To', otherShiftId: 'In return', note: 'Note' },
    send: (input) => insist((stopAtWarnings) => shiftsApi.offerSwap({ ...input, stopAtWarnings }), 'Offer swap'),
    onDone: (swap) => {
      void readAgain(['shifts'])
      toast.success(
        `The shift is offered to ${swap.to.userName ?? 'everybody who is free then'}`,
        'You are notified of the answer.',
      )
      close()
    },
  })
  const colleague = form.field('userId')
  const other = form.field('otherShiftId')
  const theirs = roster.shifts.filter((one) => one.userId === colleague.value && swappable(one, now))
  return (
    <FormModal
      opened
      close={close}
      title={`Offer ${timesText(shift)}, ${dayText(shift.date, 'long')}`}
      save={colleague.value === null ? 'Offer shift' : 'Offer swap'}
      nothing="Nothing was offered."
      form={form}
    >
      <Select
        label="To"
        searchable
        allowDeselect={false}
        withAsterisk={colleague.required}
        data={[
          { value: EVERYBODY, label: 'Everybody who is free then' },
          ...roster.people
            .filter((one) => one.id !== shift.userId && one.departmentId === shift.departmentId)
            .map(({ id, name }) => ({ value: String(id), label: name })),
        ]}
        value={colleague.value === null ? EVERYBODY : String(colleague.value)}
        onChange={(next) => {
          colleague.onChange(next === EVERYBODY ? null : Number(next))
          other.onChange(null)
        }}
        onBlur={colleague.onBlur}
        error={colleague.error}
      />
      <Select
        label="In return"
        allowDeselect={false}
        disabled={colleague.value === null}
        data={[
          { value: NOTHING, label: 'Nothing: the colleague takes the shift over' },
          ...theirs.map((one) => ({ value: String(one.id), label: `${dayText(one.date, 'long')}: ${timesText(one)}` })),
        ]}
        value={other.value === null ? NOTHING : String(other.value)}
        onChange={(next) => other.onChange(next ? Number(next) : null)}
        onBlur={other.onBlur}
        error={other.error}
      />
      <Textarea label="Note" autosize minRows={2} maxLength={300} {...form.text('note')} />
      <Text c="dimmed" fz="xs">
        {colleague.value === null
          ? 'People of your department without a shift or a leave at that time are notified. Whoever accepts first takes the shift over; by the rules, a planner approves first.'
          : 'The list has shifts of the days on the roster. Nothing changes until the colleague accepts; by the rules, a planner approves first.'}{' '}
        If a shift changes meanwhile, the swap is void.
      </Text>
    </FormModal>
  )
}

import type { Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { Select, Text, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useNow } from '../../../kit/look/useNow.ts'
import { shiftsApi } from '../api.ts'
import { ownShiftTexts } from '../dialogTexts.ts'
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
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const NOTHING = ''
const EVERYBODY = 'all'

/** Offers one's own shift to a colleague, for one of the colleague's shifts or for nothing, or to everybody. */
export default function OfferSwap({ shift, roster, userId, otherShiftId, close }: Props) {
  const words = ownShiftTexts()
  const now = useNow(60_000)
  const form = useCallForm(shiftsApi.offerSwap, {
    initial: { userId: userId ?? null, otherShiftId: otherShiftId ?? null, note: '' } as {
      userId: number | null
      otherShiftId: number | null
      note: string
    },
    fixed: { shiftId: shift.id },
    labels: { userId: words.to, otherShiftId: words.inReturn, note: words.note },
    send: (input) => insist((stopAtWarnings) => shiftsApi.offerSwap({ ...input, stopAtWarnings }), words.offerSwap),
    onDone: (swap) => {
      void readAgain(['shifts'])
      toast.success(words.isOffered(swap.to.userName ?? words.everybodyFree), words.youHear)
      close()
    },
  })
  const colleague = form.field('userId')
  const other = form.field('otherShiftId')
  const { from, to } = roster
  const { data } = useQuery({
    ...shiftsApi.roster.query({ from, to, userIds: [colleague.value ?? 0] }),
    enabled: colleague.value !== null,
  })
  const theirs = data?.shifts.filter((one) => one.userId === colleague.value && swappable(one, now)) ?? []
  return (
    <FormModal
      opened
      close={close}
      title={words.offerTitle(timesText(shift), dayText(shift.date, 'long'))}
      save={colleague.value === null ? words.offerShift : words.offerSwap}
      nothing={words.nothingOffered}
      form={form}
    >
      <Select
        label={words.to}
        searchable
        allowDeselect={false}
        withAsterisk={colleague.required}
        data={[
          { value: EVERYBODY, label: capital(words.everybodyFree) },
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
        label={words.inReturn}
        allowDeselect={false}
        disabled={colleague.value === null}
        data={[
          { value: NOTHING, label: words.nothingInReturn },
          ...theirs.map((one) => ({ value: String(one.id), label: `${dayText(one.date, 'long')}: ${timesText(one)}` })),
        ]}
        value={other.value === null ? NOTHING : String(other.value)}
        onChange={(next) => other.onChange(next ? Number(next) : null)}
        onBlur={other.onBlur}
        error={other.error}
      />
      <Textarea label={words.note} autosize minRows={2} maxLength={300} {...form.text('note')} />
      <Text c="dimmed" fz="xs">
        {colleague.value === null ? words.toAll : words.toOne} {words.void}
      </Text>
    </FormModal>
  )
}

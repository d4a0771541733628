import type { WorkingDays as Found } from '@innkeeper/contract/planning/leaves/calls'
import { NumberInput, SimpleGrid, Switch, Text } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { today } from '../../../kit/calendar/days.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { confirmLeaves } from '../../calendarEvents/confirmLeaves.ts'
import { leavesApi } from '../api.ts'
import { weekdays } from '../words.ts'

/** Sets the working days of a person from a day on. */
export default function WorkingDaysModal({ found, close }: { found: Found; close: () => void }) {
  const { userId, name, items, weekend } = found
  const usual = weekdays.map((_, n) => (weekend.includes(n + 1) ? 0 : 480))
  const form = useCallForm(leavesApi.setWorkingDays, {
    initial: { from: today(), minutes: items[0]?.minutes ?? (usual as number[] | null) },
    fixed: { id: userId },
    labels: { from: 'From', minutes: 'Hours' },
    send: async (input) => {
      const seen = await confirmLeaves(() => leavesApi.previewWorkingDays(input))
      return seen && leavesApi.setWorkingDays({ ...input, ...seen })
    },
    onDone: () => {
      void readAgain(['leaves', 'shifts'])
      toast.success(`The working days of ${name} are saved`)
      close()
    },
  })
  const { minutes } = form.values
  const setDay = (n: number, hours: number | string) =>
    form.set(
      'minutes',
      (minutes ?? usual).map((one, at) => (at === n ? Math.round((Number(hours) || 0) * 60) : one)),
    )
  return (
    <FormModal
      opened
      close={close}
      title={`Working days of ${name}`}
      save="Save working days"
      form={{ ...form, valid: form.valid, dirty: true }}
      nothing="Nothing was saved."
    >
      <DateField
        label="From"
        description="Earlier days keep their working days"
        data-autofocus
        {...form.field('from')}
      />
      <Switch
        label="As the workplace"
        checked={minutes === null}
        onChange={({ currentTarget }) => form.set('minutes', currentTarget.checked ? null : usual)}
      />
      {minutes && (
        <SimpleGrid cols={{ base: 3, xs: 4 }} spacing={12}>
          {weekdays.map((day, n) => (
            <NumberInput
              key={day}
              label={day}
              suffix=" h"
              min={0}
              max={24}
              step={0.5}
              decimalScale={2}
              value={(minutes[n] ?? 0) / 60}
              onChange={(hours) => setDay(n, hours)}
            />
          ))}
        </SimpleGrid>
      )}
      {form.field('minutes').error && (
        <Text c="error" fz="sm">
          {form.field('minutes').error}
        </Text>
      )}
      <Text c="dimmed" fz="xs">
        0 hours is a day off. The yearly days become the share of a whole week, from the next month on.
      </Text>
    </FormModal>
  )
}

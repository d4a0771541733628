import { nextRun, type When, whenText } from '@innkeeper/contract/recovery/backups/when'
import { Select, SimpleGrid, Text } from '@mantine/core'
import { TimeField } from '../../kit/form/TimeField.tsx'
import { moment } from '../../kit/look/format.ts'

const every = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'Every week' },
  { value: 'month', label: 'Every month' },
]
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((label, n) => ({
  value: String(n + 1),
  label,
}))
const days = Array.from({ length: 28 }, (_, n) => ({ value: String(n + 1), label: `Day ${n + 1}` }))

/** When something repeats, with its next run. */
export function WhenField({ value, onChange }: { value: When; onChange: (value: When) => void }) {
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={12}>
        <Select
          label="Runs"
          allowDeselect={false}
          data={every}
          value={value.every}
          onChange={(next) => onChange({ ...value, every: (next ?? 'day') as When['every'] })} // an option of the list above
        />
        <TimeField
          label={value.every === 'hour' ? 'At (its minute), UTC' : 'At, UTC'}
          required
          withAsterisk={false}
          value={value.at}
          onChange={(at) => at && onChange({ ...value, at })}
        />
        {value.every === 'week' && (
          <Select
            label="On"
            allowDeselect={false}
            data={weekdays}
            value={String(value.weekday)}
            onChange={(weekday) => onChange({ ...value, weekday: Number(weekday) })}
          />
        )}
        {value.every === 'month' && (
          <Select
            label="On"
            allowDeselect={false}
            data={days}
            value={String(value.day)}
            onChange={(day) => onChange({ ...value, day: Number(day) })}
          />
        )}
      </SimpleGrid>
      <Text c="dimmed" fz="xs" mt={6} role="status">
        {whenText(value)}. Next: {moment(nextRun(value, new Date()))}
      </Text>
    </div>
  )
}

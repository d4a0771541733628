import { Checkbox, Fieldset, Group, Input, Select, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ScheduleRuns } from './ScheduleRuns.tsx'
import { type Choice, choiceOf, cronOf, type Schedule, sentenceOf, weekdayNames } from './schedule.ts'
import { TimeField } from './TimeField.tsx'
import { WRONG } from './useTyped.ts'
import { ZoneField } from './ZoneField.tsx'

interface Props {
  label: string
  value: Schedule
  onChange: (schedule: Schedule) => void
  onBlur?: () => void
  error?: string
}

const kinds: { value: Choice['every']; label: string }[] = [
  { value: 'hour', label: 'Every hour' },
  { value: 'day', label: 'Every day' },
  { value: 'week', label: 'On weekdays' },
  { value: 'month', label: 'Every month' },
  { value: 'rule', label: 'By a rule of cron' },
]
const monthDays = [
  ...Array.from({ length: 31 }, (_, n) => ({ value: String(n + 1), label: `Day ${n + 1}` })),
  { value: 'last', label: 'The last day' },
]

/** A schedule by choices or a cron expression, shown as a sentence with its next three runs. */
export function ScheduleField({ label, value, onChange, onBlur, error }: Props) {
  const { cron, timeZone } = value
  const read = choiceOf(cron)
  const [typesRule, setTypesRule] = useState(read.every === 'rule')
  const choice: Choice = typesRule ? { every: 'rule' } : read
  const set = (next: Choice) => {
    setTypesRule(next.every === 'rule')
    if (next.every !== 'rule') onChange({ cron: cronOf(next), timeZone })
  }
  const sentence = sentenceOf(cron)
  return (
    <Fieldset variant="unstyled" m={0} p={0} legend={<Input.Label component="span">{label}</Input.Label>}>
      <Stack gap={12}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing={12} verticalSpacing={12}>
          <Select
            label="Runs"
            allowDeselect={false}
            data={kinds}
            value={choice.every}
            onBlur={onBlur}
            onChange={(every) => every && set(startOf(every, read))}
          />
          <When choice={choice} set={set} />
          {choice.every === 'rule' && (
            <TextInput
              label="Rule"
              description="Minute, hour, day, month, weekday; L is the last day"
              autoComplete="off"
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              value={cron}
              onBlur={onBlur}
              onChange={(event) => onChange({ cron: event.currentTarget.value, timeZone })}
              {...{ [WRONG]: sentence === undefined || undefined }}
              error={sentence === undefined ? 'Five fields, such as 30 2 * * 1-5' : undefined}
            />
          )}
          <ZoneField
            field={{
              name: 'timeZone',
              value: timeZone,
              onChange: (zone) => onChange({ cron, timeZone: zone }),
              onBlur: () => onBlur?.(),
              required: false,
            }}
          />
        </SimpleGrid>
        {choice.every === 'week' && (
          <Checkbox.Group
            label="On"
            value={choice.weekdays.map(String)}
            // a weekly schedule needs at least one weekday
            onChange={(days) => days.length > 0 && set({ ...choice, weekdays: days.map(Number) })}
          >
            <Group gap="8px 14px" mt={6}>
              {weekdayNames.map((name, n) => (
                <Checkbox key={name} value={String(n + 1)} label={name} />
              ))}
            </Group>
          </Checkbox.Group>
        )}
        {sentence && <ScheduleRuns sentence={sentence} schedule={value} />}
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
    </Fieldset>
  )
}

/** Initial choice of a kind of schedule: keeps the current time, or proposes a time at night. */
function startOf(every: string, now: Choice): Choice {
  const time = 'time' in now ? now.time : '02:30'
  if (every === 'hour') return { every, minute: 0 }
  if (every === 'day') return { every, time }
  if (every === 'week') return { every, time, weekdays: [1] }
  return every === 'month' ? { every, time, day: 1 } : { every: 'rule' }
}

function When({ choice, set }: { choice: Choice; set: (choice: Choice) => void }) {
  if (choice.every === 'rule') return null
  if (choice.every === 'hour')
    return (
      <TextInput
        label="Minutes past"
        inputMode="numeric"
        value={String(choice.minute)}
        onChange={(event) => {
          const minute = Number(event.currentTarget.value.replace(/\D/g, '').slice(-2))
          if (minute < 60) set({ ...choice, minute })
        }}
      />
    )
  return (
    <>
      {choice.every === 'month' && (
        <Select
          label="On"
          allowDeselect={false}
          data={monthDays}
          value={String(choice.day)}
          onChange={(day) => day && set({ ...choice, day: day === 'last' ? day : Number(day) })}
        />
      )}
      <TimeField
        label="At"
        required
        withAsterisk={false}
        value={choice.time}
        onChange={(time) => time && set({ ...choice, time })}
      />
    </>
  )
}

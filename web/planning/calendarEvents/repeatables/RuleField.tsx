import type { Frequency, Weekday } from '@innkeeper/contract/planning/calendarEvents/rrule'
import { Button, Checkbox, Group, Radio, Select, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DateField } from '../../../kit/form/DateField.tsx'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { frequencies, newRepeat, type Repeat, repeatOf, ruleOf, weekdayCodes } from './repeat.ts'

/** A repetition rule by choices; rules beyond the choices are typed in the syntax of RFC 5545. */
export function RuleField({ field, day }: { field: FieldProps<string>; day: string }) {
  const [typed, setTyped] = useState(repeatOf(field.value, day) === undefined)
  const repeat = repeatOf(field.value, day) ?? newRepeat
  const set = (change: Partial<Repeat>) => field.onChange(ruleOf({ ...repeat, ...change }, day))
  if (typed)
    return (
      <Stack gap={6} align="flex-start">
        <TextInput
          label="Rule"
          description="As in RFC 5545, by days: FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1 is the last working day of each month"
          w="100%"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...field}
          onChange={(event) => field.onChange(event.currentTarget.value)}
        />
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            field.onChange(ruleOf(repeat, day))
            setTyped(false)
          }}
        >
          Choose instead
        </Button>
      </Stack>
    )
  return (
    <Stack gap={14}>
      <Group gap={8} align="flex-end">
        <TextInput
          label="Every"
          inputMode="numeric"
          w={72}
          value={repeat.interval}
          onChange={(event) => set({ interval: event.currentTarget.value.replace(/\D/g, '').slice(0, 3) || '1' })}
        />
        <Select
          aria-label="Unit"
          w={130}
          allowDeselect={false}
          data={frequencies}
          value={repeat.freq}
          onChange={(freq) => freq && set({ freq: freq as Frequency })} // one of `frequencies`
        />
        <Button size="compact-sm" variant="subtle" mb={4} onClick={() => setTyped(true)}>
          Type the rule
        </Button>
      </Group>
      {repeat.freq === 'WEEKLY' && (
        <Checkbox.Group
          label="On"
          description="None: the weekday of the first day"
          value={repeat.weekdays}
          onChange={(days) => set({ weekdays: days as Weekday[] })} // some of `weekdayCodes`
        >
          <Group gap={14} mt={6}>
            {weekdayCodes.map(({ value, label }) => (
              <Checkbox key={value} value={value} label={label} />
            ))}
          </Group>
        </Checkbox.Group>
      )}
      {repeat.freq === 'MONTHLY' && (
        <Radio.Group
          label="On"
          value={repeat.monthly}
          onChange={(monthly) => set({ monthly: monthly as Repeat['monthly'] })} // one of the three below
        >
          <Stack gap={8} mt={6}>
            <Radio value="day" label="The same day of the month; months without it are left out" />
            <Radio value="nth" label="The same weekday, counted from the start of the month" />
            <Radio value="last" label="The last such weekday of the month" />
          </Stack>
        </Radio.Group>
      )}
      <Ends repeat={repeat} set={set} day={day} />
      {field.error && (
        <Text c="var(--mantine-color-error-text)" fz="xs" role="alert">
          {field.error}
        </Text>
      )}
    </Stack>
  )
}

function Ends({ repeat, set, day }: { repeat: Repeat; set: (change: Partial<Repeat>) => void; day: string }) {
  return (
    <Group gap={8} align="flex-end">
      <Select
        label="Ends"
        w={170}
        allowDeselect={false}
        data={[
          { value: 'never', label: 'Never' },
          { value: 'until', label: 'After a day' },
          { value: 'count', label: 'After a number of times' },
        ]}
        value={repeat.ends}
        onChange={(ends) => set({ ends: ends as Repeat['ends'], until: repeat.until || day })} // one of `data`
      />
      {repeat.ends === 'until' && (
        <DateField aria-label="Last day" min={day} value={repeat.until} onChange={(until) => until && set({ until })} />
      )}
      {repeat.ends === 'count' && (
        <TextInput
          aria-label="Times"
          inputMode="numeric"
          w={84}
          value={repeat.count}
          onChange={(event) => set({ count: event.currentTarget.value.replace(/\D/g, '').slice(0, 4) || '1' })}
        />
      )}
    </Group>
  )
}

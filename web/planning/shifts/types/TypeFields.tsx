import { durationOf, lengthOf, spokenNight, toHours } from '@innkeeper/contract/planning/shifts/duration'
import { clockTime, type ShiftColour, shiftColours } from '@innkeeper/contract/planning/shifts/values'
import { Select, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { TimeField } from '../../../kit/form/TimeField.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { shiftsApi } from '../api.ts'
import { hoursText } from '../words.ts'

export const initialType = {
  name: '',
  code: '',
  startTime: '09:00',
  endTime: '17:00',
  breakMinutes: 0,
  colour: 'info' as ShiftColour,
  isActive: true,
}
type WantedType = typeof initialType
export const typeLabels = {
  name: 'Name',
  code: 'Letters',
  startTime: 'Begins',
  endTime: 'Ends',
  breakMinutes: 'Break',
  colour: 'Colour',
  isActive: 'In use',
}
const colourNames: Record<ShiftColour, string> = {
  primary: 'Lake',
  secondary: 'Slate',
  accent: 'Plum',
  info: 'Blue',
  success: 'Green',
  warning: 'Amber',
  error: 'Red',
}

interface Form {
  values: WantedType
  text: (key: 'name' | 'code') => TextProps
  field: {
    (key: 'startTime' | 'endTime'): FieldProps<string>
    (key: 'breakMinutes'): FieldProps<number>
    (key: 'colour'): FieldProps<ShiftColour>
    (key: 'isActive'): FieldProps<boolean>
  }
}

/** Fields of a shift type, with the hours that such a shift counts. */
export function TypeFields({ form: { values, text, field } }: { form: Form }) {
  const [breakMinutes, colour, isActive] = [field('breakMinutes'), field('colour'), field('isActive')]
  const lacking = useReason()(shiftsApi.settings)
  const { data: rule } = useQuery({ ...shiftsApi.settings.query(), enabled: !lacking })
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={typeLabels.name} autoComplete="off" data-autofocus {...text('name')} />
        <TextInput
          label={typeLabels.code}
          description="One to three, for a calendar’s narrow cells"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...text('code')}
        />
      </SimpleGrid>
      <SimpleGrid cols={3}>
        <TimeField label={typeLabels.startTime} placeholder="22:00" {...field('startTime')} />
        <TimeField label={typeLabels.endTime} placeholder="06:00" {...field('endTime')} />
        <NumberField
          label="Break, min"
          min={0}
          max={720}
          value={breakMinutes.value}
          onChange={(next) => breakMinutes.onChange(Number(next) || 0)}
          onBlur={breakMinutes.onBlur}
          error={breakMinutes.error}
        />
      </SimpleGrid>
      <Text c="dimmed" fz="xs" aria-live="polite">
        {countsText(values, rule ?? spokenNight)}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Select
          label={typeLabels.colour}
          allowDeselect={false}
          data={shiftColours.map((value) => ({ value, label: colourNames[value] }))}
          value={colour.value}
          onChange={(next) => colour.onChange(shiftColours.find((one) => one === next) ?? 'info')}
        />
        <Switch
          label="In use for new shifts"
          mt={28}
          checked={isActive.value}
          onChange={(event) => isActive.onChange(event.currentTarget.checked)}
        />
      </SimpleGrid>
    </>
  )
}

/** "Ends on the next day. 8 h by the clock, of which 7 at night: 9.0 weighted hours." */
function countsText({ startTime, endTime, breakMinutes }: WantedType, rule: Parameters<typeof durationOf>[3]): string {
  if (!clockTime.safeParse(startTime).success || !clockTime.safeParse(endTime).success) return 'Times are such as 22:30'
  const length = lengthOf(startTime, endTime)
  if (breakMinutes >= length) return 'The break is as long as the shift'
  const { end, night, workedMinutes, weighted420 } = durationOf(startTime, endTime, breakMinutes, rule)
  const next = end > 1440 ? 'Ends on the next day. ' : ''
  const nights = night ? `, of which ${night} at night` : ''
  return `${next}${hoursText(workedMinutes / 60)} h by the clock${nights}: ${hoursText(toHours(weighted420))} weighted hours`
}

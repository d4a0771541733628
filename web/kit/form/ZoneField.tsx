import { Select } from '@mantine/core'
import { type Day, readDay } from '../calendar/days.ts'
import type { FieldProps } from './useCallForm.ts'
import { zoneOptions } from './zones.ts'

interface Props {
  field: FieldProps<string>
  description?: string
  /** The day whose offsets from UTC are shown; otherwise today. */
  day?: Day
}

/** Select for the time zone of local times. */
export function ZoneField({ field, description, day }: Props) {
  const { onChange, required, ...rest } = field
  return (
    <Select
      label="Time zone"
      description={description}
      searchable
      allowDeselect={false}
      withAsterisk={required}
      data={zoneOptions(field.value, readDay(day) ? new Date(`${day}T12:00Z`) : undefined)}
      limit={60}
      onChange={(zone) => zone && onChange(zone)}
      {...rest}
    />
  )
}

import { Select } from '@mantine/core'
import type { FieldProps } from './useCallForm.ts'
import { zoneOptions } from './zones.ts'

/** Select for the time zone of local times. */
export function ZoneField({ field, description }: { field: FieldProps<string>; description?: string }) {
  const { onChange, required, ...rest } = field
  return (
    <Select
      label="Time zone"
      description={description}
      searchable
      allowDeselect={false}
      withAsterisk={required}
      data={zoneOptions(field.value)}
      limit={60}
      onChange={(zone) => zone && onChange(zone)}
      {...rest}
    />
  )
}

import type { EventType } from '@innkeeper/contract/calendarEvents/event'
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import type { FieldProps, TextProps } from '../kit/form/useCallForm.ts'
import { labels } from './events/form.ts'
import { typeOptions } from './words.ts'

/** Type and location of an event. */
export const KindFields = ({ type, location }: { type: FieldProps<EventType>; location: TextProps }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12} verticalSpacing={18}>
    <Select
      label={labels.type}
      data={typeOptions}
      allowDeselect={false}
      value={type.value}
      onChange={(value) => value && type.onChange(value as EventType)} // one of `typeOptions`
      error={type.error}
    />
    <TextInput label={labels.location} autoComplete="off" {...location} />
  </SimpleGrid>
)

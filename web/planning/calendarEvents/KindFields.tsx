import type { EventType } from '@innkeeper/contract/planning/calendarEvents/event'
import { Select, TextInput } from '@mantine/core'
import { Pair } from '../../kit/form/Pair.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { labels } from './events/form.ts'
import { typeOptions } from './words.ts'

/** Type and location of an event. */
export const KindFields = ({ type, location }: { type: FieldProps<EventType>; location: TextProps }) => (
  <Pair>
    <Select
      label={labels.type}
      data={typeOptions}
      allowDeselect={false}
      value={type.value}
      onChange={(value) => value && type.onChange(value as EventType)} // one of `typeOptions`
      error={type.error}
    />
    <TextInput label={labels.location} autoComplete="off" {...location} />
  </Pair>
)

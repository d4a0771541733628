import { Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { DateField } from '../../../kit/form/DateField.tsx'
import { DateTimeField } from '../../../kit/form/DateTimeField.tsx'
import type { CallForm, FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { ZoneField } from '../../../kit/form/ZoneField.tsx'
import { KindFields } from '../KindFields.tsx'
import { PeopleFields } from '../PeopleFields.tsx'
import { endAfter, labels, type WantedEvent } from './form.ts'

interface Props {
  form: Pick<CallForm, 'busy'> & {
    values: WantedEvent
    set: <K extends keyof WantedEvent>(key: K, value: WantedEvent[K]) => void
    field: <K extends keyof WantedEvent>(key: K) => FieldProps<WantedEvent[K]>
    text: (key: 'title' | 'location' | 'description' | 'capacity') => TextProps
  }
  organizerName?: string
  departmentName?: string | null
  isNew?: boolean
}

const columns = { base: 1, sm: 2 }

/** Common fields of the forms that add and change an event. */
export function EventFields({ form, organizerName, departmentName, isNew }: Props) {
  return (
    <>
      <TextInput label={labels.title} autoFocus={isNew} autoComplete="off" {...form.text('title')} />
      <KindFields type={form.field('type')} location={form.text('location')} />
      <WhenFields form={form} />
      <Textarea label={labels.description} autosize minRows={2} maxRows={12} {...form.text('description')} />
      <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
        <TextInput
          label={labels.capacity}
          description="Empty: no limit. When all places are taken, people wait"
          inputMode="numeric"
          autoComplete="off"
          {...form.text('capacity')}
        />
        <DateTimeField
          label={labels.signupUntil}
          description="Empty: until the event is over"
          zone={form.values.timeZone}
          {...form.field('signupUntil')}
        />
        <PeopleFields
          organizer={form.field('organizerId')}
          organizerName={organizerName}
          department={form.field('departmentId')}
          departmentName={departmentName}
        />
      </SimpleGrid>
    </>
  )
}

/** Start and end in local time of a zone; days only for all-day events. */
function WhenFields({ form }: Pick<Props, 'form'>) {
  const { allDay, startsAt, endsAt } = form.values
  const [start, end] = [form.field('startsAt'), form.field('endsAt')]
  const shown = (local: string) => (allDay ? local.slice(0, 10) : local)
  const read = (text: string) => (allDay && text ? `${text}T00:00` : text)
  const Field = allDay ? DateField : DateTimeField
  return (
    <>
      <Checkbox
        label="Whole days"
        checked={allDay}
        onChange={(event) => {
          const whole = event.currentTarget.checked
          form.set('allDay', whole)
          form.set('startsAt', `${startsAt.slice(0, 10)}T${whole ? '00:00' : '09:00'}`)
          form.set('endsAt', `${endsAt.slice(0, 10)}T${whole ? '00:00' : '10:00'}`)
        }}
      />
      <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
        <Field
          {...start}
          label={labels.startsAt}
          value={shown(startsAt)}
          onChange={(typed) => {
            const next = read(typed)
            form.set('endsAt', endAfter(form.values, next))
            form.set('startsAt', next)
          }}
        />
        <Field
          {...end}
          label={allDay ? 'Last day' : labels.endsAt}
          value={shown(endsAt)}
          onChange={(typed) => form.set('endsAt', read(typed))}
        />
      </SimpleGrid>
      <ZoneField field={form.field('timeZone')} day={form.values.startsAt.slice(0, 10)} />
    </>
  )
}

import { Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { CallForm, FieldProps, TextProps } from '../kit/form/useCallForm.ts'
import { type EventWish, endAfter, labels } from './eventWish.ts'
import { KindFields } from './KindFields.tsx'
import { PeopleFields } from './PeopleFields.tsx'
import { ZoneField } from './ZoneField.tsx'

interface Props {
  form: Pick<CallForm, 'busy'> & {
    values: EventWish
    set: <K extends keyof EventWish>(key: K, value: EventWish[K]) => void
    field: <K extends keyof EventWish>(key: K) => FieldProps<EventWish[K]>
    text: (key: 'title' | 'location' | 'description' | 'capacity' | 'signupUntil') => TextProps
  }
  organizerName?: string
  departmentName?: string | null
  isNew?: boolean
}

const columns = { base: 1, sm: 2 }

/** What adding and changing an event share. */
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
          description="Empty: as many as come. When it is full, people wait"
          inputMode="numeric"
          autoComplete="off"
          {...form.text('capacity')}
        />
        <TextInput
          label={labels.signupUntil}
          description="Empty: until it is over"
          type="datetime-local"
          {...form.text('signupUntil')}
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

/** Beginning and end on the wall clock of a zone; of whole days only the days. */
function WhenFields({ form }: Pick<Props, 'form'>) {
  const { allDay, startsAt, endsAt } = form.values
  const [start, end] = [form.field('startsAt'), form.field('endsAt')]
  const shown = (local: string) => (allDay ? local.slice(0, 10) : local)
  const read = (text: string) => (allDay && text ? `${text}T00:00` : text)
  const type = allDay ? 'date' : 'datetime-local'
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
        <TextInput
          {...start}
          label={labels.startsAt}
          type={type}
          value={shown(startsAt)}
          onChange={(event) => {
            const next = read(event.currentTarget.value)
            form.set('endsAt', endAfter(form.values, next))
            form.set('startsAt', next)
          }}
        />
        <TextInput
          {...end}
          label={allDay ? 'Last day' : labels.endsAt}
          type={type}
          value={shown(endsAt)}
          onChange={(event) => form.set('endsAt', read(event.currentTarget.value))}
        />
      </SimpleGrid>
      <ZoneField field={form.field('timeZone')} />
    </>
  )
}

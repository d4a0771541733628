import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { dayText } from '../../../kit/calendar/days.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { DateTimeField } from '../../../kit/form/DateTimeField.tsx'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { Pair } from '../../../kit/form/Pair.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { ZoneField } from '../../../kit/form/ZoneField.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { eventsApi } from '../api.ts'
import { KindFields } from '../KindFields.tsx'
import { PeopleFields } from '../PeopleFields.tsx'
import { labels, type WantedRepeat } from './form.ts'
import { RuleField } from './RuleField.tsx'
import { repeatText } from './repeat.ts'

interface Props {
  form: ComponentProps<typeof FormScreen>['form'] & {
    values: WantedRepeat
    set: <K extends keyof WantedRepeat>(key: K, value: WantedRepeat[K]) => void
    field: <K extends keyof WantedRepeat>(key: K) => FieldProps<WantedRepeat[K]>
    text: (key: 'title' | 'location' | 'description' | 'durationMin') => TextProps
  }
  title?: string
  meta?: ReactNode
  organizerName?: string
  departmentName?: string | null
  save: string
  nothing: string
  edits?: boolean
  left: string
  cancel: () => void
}

/** Form with the repeating event on the left and its next days on the right. */
export function RepeatableForm(props: Props) {
  const { form, title, meta, save, nothing, edits, left, cancel } = props
  return (
    <FormScreen
      form={form}
      title={title}
      meta={meta}
      nothing={nothing}
      side={<Days wanted={form.values} />}
      left={left}
      save={save}
      edits={edits}
      onCancel={cancel}
    >
      <TextInput label={labels.title} autoComplete="off" {...form.text('title')} />
      <KindFields type={form.field('type')} location={form.text('location')} />
      <WhenFields form={form} />
      <RuleField field={form.field('rrule')} day={form.values.startLocal.slice(0, 10)} />
      <Textarea label={labels.description} autosize minRows={2} {...form.text('description')} />
      <Pair>
        <PeopleFields
          organizer={form.field('organizerId')}
          organizerName={props.organizerName}
          department={form.field('departmentId')}
          departmentName={props.departmentName}
        />
      </Pair>
    </FormScreen>
  )
}

function WhenFields({ form }: Pick<Props, 'form'>) {
  const { allDay, startLocal, durationMin } = form.values
  const start = form.field('startLocal')
  return (
    <>
      <Checkbox
        label="Whole days"
        checked={allDay}
        onChange={(event) => {
          const whole = event.currentTarget.checked
          form.set('allDay', whole)
          form.set('startLocal', `${startLocal.slice(0, 10)}T${whole ? '00:00' : '09:00'}`)
          form.set('durationMin', whole ? '1440' : '60')
        }}
      />
      <Pair>
        {allDay ? (
          <DateField
            label="First day"
            {...start}
            value={startLocal.slice(0, 10)}
            onChange={(day) => start.onChange(day && `${day}T00:00`)}
          />
        ) : (
          <DateTimeField label={labels.startLocal} {...start} />
        )}
        {allDay ? (
          <TextInput
            label="Days"
            {...form.text('durationMin')}
            inputMode="numeric"
            value={String(Math.ceil(Number(durationMin) / 1440))}
            onChange={(event) => form.set('durationMin', String((Number(event.currentTarget.value) || 1) * 1440))}
          />
        ) : (
          <TextInput label={labels.durationMin} inputMode="numeric" {...form.text('durationMin')} />
        )}
      </Pair>
      <ZoneField field={form.field('timeZone')} description="The event keeps its local time when the clocks change" />
    </>
  )
}

/** First days of the unsaved rule. */
function Days({ wanted: { rrule, startLocal } }: { wanted: WantedRepeat }) {
  const [typed] = useDebouncedValue(`${startLocal} ${rrule}`, 300)
  const [start = '', ...rule] = typed.split(' ')
  const { data, error } = useQuery({
    ...eventsApi.previewRepeatable.query({ startLocal: start, rrule: rule.join(' ') }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  return (
    <Section title="Its first days" hint={repeatText(rrule)}>
      {error && <Text c="dimmed">The dates appear here once the rule is complete.</Text>}
      {!error && data?.items.length === 0 && <Text c="dimmed">No day fits this rule.</Text>}
      {!error && (
        <Stack gap={4}>
          {data?.items.map((day) => (
            <Text key={day} className="num">
              {dayText(day, 'long')} {day.slice(0, 4)}
            </Text>
          ))}
        </Stack>
      )}
    </Section>
  )
}

import type { CronFilter } from '@innkeeper/contract/quality/qc/settings'
import { Code, SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { Section } from '../../../kit/frame/Section.tsx'
import { ago, count, counted } from '../../../kit/look/format.ts'
import { qcSettingsApi } from '../api.ts'

export const cronLabels = {
  name: 'Name',
  value: 'Filter',
  isActive: 'In use',
  everyMinutes: 'Every, min',
  perAgent: 'Per agent and period of the queue',
}
type Values = Pick<CronFilter, keyof typeof cronLabels>

export const cronValues = ({ name, value, isActive, everyMinutes, perAgent }: Values): Values => ({
  ...{ name, value, isActive, everyMinutes, perAgent },
})

interface Form {
  values: Values
  text: (key: 'name' | 'value') => TextProps
  field: <K extends 'isActive' | 'everyMinutes' | 'perAgent'>(key: K) => FieldProps<Values[K]>
}

export function CronFields({ values, text, field }: Form) {
  const [everyMinutes, perAgent, isActive] = [field('everyMinutes'), field('perAgent'), field('isActive')]
  return (
    <>
      <TextInput label={cronLabels.name} autoFocus autoComplete="off" {...text('name')} />
      <TextInput
        label={cronLabels.value}
        placeholder='csat<=2 messages>=4 source:"Help desk" newer:7d refund'
        description={
          <>
            All conditions have to match: <Code>csat</Code> and <Code>messages</Code> with &lt;=, &gt;= or =;{' '}
            <Code>source:</Code> <Code>agent:</Code> <Code>department:</Code> <Code>tag:</Code> with a name;{' '}
            <Code>newer:7d</Code> <Code>older:2d</Code>; words of subject and customer.
          </>
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        spellCheck={false}
        {...text('value')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NumberField
          label={cronLabels.everyMinutes}
          min={5}
          max={10_080}
          value={everyMinutes.value}
          onChange={(next) => everyMinutes.onChange(Number(next) || 60)}
          onBlur={everyMinutes.onBlur}
          error={everyMinutes.error}
        />
        <NumberField
          label={cronLabels.perAgent}
          placeholder="No limit"
          min={1}
          max={1000}
          value={perAgent.value ?? ''}
          onChange={(next) => perAgent.onChange(Number(next) || null)}
          onBlur={perAgent.onBlur}
          error={perAgent.error}
        />
      </SimpleGrid>
      <Switch
        label="In use"
        checked={isActive.value}
        onChange={(event) => isActive.onChange(event.currentTarget.checked)}
      />
      <Preview value={values.value} />
    </>
  )
}

/** What the filter would queue now. */
function Preview({ value }: { value: string }) {
  const [asked] = useDebouncedValue(value.trim(), 300)
  const { data } = useQuery({
    ...qcSettingsApi.previewCron.query({ value: asked }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
  })
  const shown = asked === '' ? undefined : data
  const said = shown?.problem
    ? shown.problem
    : shown
      ? `would match ${shown.more ? `${count(shown.total)} or more` : counted(shown.total, ['ticket', 'tickets'])} now`
      : 'type a filter'
  return (
    <Section title="Preview" hint={<span aria-live="polite">{said}</span>}>
      {shown?.first.length ? (
        shown.first.map(({ id, externalId, subject, lastAt }) => (
          <Text key={id} truncate>
            <Text span ff="monospace" c="dimmed">
              {externalId}
            </Text>{' '}
            {subject || 'No subject'}{' '}
            <Text span c="dimmed" fz="xs">
              {ago(lastAt)}
            </Text>
          </Text>
        ))
      ) : (
        <Text c="dimmed">Tickets that are in no queue and match the filter show here.</Text>
      )}
    </Section>
  )
}

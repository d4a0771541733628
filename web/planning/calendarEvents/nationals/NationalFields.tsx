import { movableMethods, substitutions } from '@innkeeper/contract/planning/calendarEvents/national'
import { Checkbox, Radio, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { eventsApi } from '../api.ts'
import { monthChoices, weekChoices, weekdayChoices } from '../words.ts'
import { labels, type WantedNational } from './form.ts'

export interface NationalForm {
  values: WantedNational
  set: <K extends keyof WantedNational>(key: K, value: WantedNational[K]) => void
  field: <K extends keyof WantedNational>(key: K) => FieldProps<WantedNational[K]>
  text: (key: 'name' | 'description' | 'day' | 'offsetDays' | 'validFrom' | 'validTo') => TextProps
}

const methods = Object.entries(movableMethods).map(([value, label]) => ({ value, label }))
const columns = { base: 1, sm: 2 }

/** An optional select. Which fields are required depends on the kind; the server validates this. */
function pick<K extends 'month' | 'movableMethod' | 'weekday' | 'week' | 'country' | 'replaces'>(
  form: NationalForm,
  key: K,
) {
  const { required: _, ...field } = form.field(key)
  return { ...field, label: labels[key] }
}

/** Common fields of the forms that add and change a national event. */
export function NationalFields({ form }: { form: NationalForm }) {
  const { kind, country, isDayOff } = form.values
  const countries = useQuery(eventsApi.countries.query())
  const library = useQuery({
    ...eventsApi.libraryHolidays.query({ country: country ?? 'NO' }),
    enabled: country !== null,
  })
  const rules = new Map(library.data?.items.map(({ rule, name }) => [rule, name]))
  return (
    <>
      <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
        <TextInput label={labels.name} autoComplete="off" {...form.text('name')} />
        <Select
          placeholder="Every workplace"
          searchable
          clearable
          data={countries.data?.items.map(({ code, name }) => ({ value: code, label: name })) ?? []}
          {...pick(form, 'country')}
        />
      </SimpleGrid>
      <Radio.Group
        label="When"
        value={kind}
        onChange={(next) => form.set('kind', next === 'movable' ? 'movable' : 'fixed')}
      >
        <Stack gap={8} mt={6}>
          <Radio value="fixed" label="On the same day each year" />
          <Radio value="movable" label="On a day that moves" />
        </Stack>
      </Radio.Group>
      {kind === 'fixed' ? <FixedFields form={form} /> : <MovableFields form={form} />}
      <Checkbox
        label="Nobody has to work"
        description="Otherwise the day is only shown in the calendar"
        checked={isDayOff}
        onChange={(event) => form.set('isDayOff', event.currentTarget.checked)}
      />
      {isDayOff && (
        <Radio.Group
          label="When it falls on a weekend"
          value={form.values.substitution}
          onChange={(next) => form.set('substitution', next === 'none' ? 'none' : 'next-working-day')}
        >
          <Stack gap={8} mt={6}>
            {Object.entries(substitutions).map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {country !== null && (
        <Select
          description="A holiday of the library that this event replaces"
          placeholder="None: an additional holiday"
          searchable
          clearable
          data={[...rules].map(([value, label]) => ({ value, label }))}
          {...pick(form, 'replaces')}
        />
      )}
      <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
        <TextInput label={labels.validFrom} inputMode="numeric" {...form.text('validFrom')} />
        <TextInput label={labels.validTo} placeholder="Without an end" inputMode="numeric" {...form.text('validTo')} />
      </SimpleGrid>
      <Textarea label={labels.description} autosize minRows={2} {...form.text('description')} />
    </>
  )
}

const FixedFields = ({ form }: { form: NationalForm }) => (
  <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
    <Select data={monthChoices} {...pick(form, 'month')} withAsterisk />
    <TextInput label={labels.day} inputMode="numeric" autoComplete="off" {...form.text('day')} withAsterisk />
  </SimpleGrid>
)

function MovableFields({ form }: { form: NationalForm }) {
  const { movableMethod } = form.values
  const byWeekday = movableMethod === 'nth-weekday' || movableMethod === 'last-weekday'
  const { onChange, ...method } = pick(form, 'movableMethod')
  return (
    <>
      <SimpleGrid cols={columns} spacing={12} verticalSpacing={18}>
        <Select
          data={methods}
          allowDeselect={false}
          withAsterisk
          {...method}
          onChange={(next) => onChange(next as WantedNational['movableMethod'])} // one of `methods`
        />
        <TextInput
          label={labels.offsetDays}
          description="Good Friday is −2"
          inputMode="text"
          autoComplete="off"
          {...form.text('offsetDays')}
        />
      </SimpleGrid>
      {byWeekday && (
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing={12} verticalSpacing={18}>
          {movableMethod === 'nth-weekday' && <Select data={weekChoices} {...pick(form, 'week')} withAsterisk />}
          <Select data={weekdayChoices} {...pick(form, 'weekday')} withAsterisk />
          <Select data={monthChoices} {...pick(form, 'month')} withAsterisk />
        </SimpleGrid>
      )}
    </>
  )
}

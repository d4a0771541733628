import type { ScoreType } from '@innkeeper/contract/quality/qc/settings'
import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { qcSettingsApi } from '../api.ts'
import { UsedForField } from './fields.tsx'

export const typeLabels = {
  name: 'Name',
  description: 'Description',
  weight: 'Weight',
  isCritical: 'Critical',
  mayBeNA: 'N/A',
  usedFor: 'For',
  position: 'Position',
  isActive: 'In use',
  gradeIds: 'Grades',
}
type Values = Pick<ScoreType, keyof typeof typeLabels>

export const typeValues = (type: Values): Values => {
  const { name, description, weight, isCritical, mayBeNA, usedFor, position, isActive, gradeIds } = type
  return { name, description, weight, isCritical, mayBeNA, usedFor, position, isActive, gradeIds }
}

interface Form {
  text: (key: 'name' | 'description') => TextProps
  field: <K extends Exclude<keyof Values, 'name' | 'description'>>(key: K) => FieldProps<Values[K]>
}

export function TypeFields({ text, field }: Form) {
  const { data: grades } = useQuery(qcSettingsApi.grades.query({ itemsPerPage: 200, isActive: 'true' }))
  const [weight, position, gradeIds] = [field('weight'), field('position'), field('gradeIds')]
  const switches = [
    ['isCritical', 'Critical: the grade of value 0 makes the whole review 0'],
    ['mayBeNA', 'Reviewers may answer N/A, which excludes the weight'],
    ['isActive', 'In use for new reviews'],
  ] as const
  return (
    <>
      <TextInput label={typeLabels.name} autoFocus autoComplete="off" {...text('name')} />
      <Textarea
        label={typeLabels.description}
        description="Reviewers read it beside the grades"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autosize
        minRows={2}
        {...text('description')}
      />
      <MultiSelectField
        label={typeLabels.gradeIds}
        description="In the order of the number keys, the lowest first"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        required
        searchable
        data={(grades?.items ?? []).map(({ id, name, value }) => ({ value: String(id), label: `${name} (${value})` }))}
        value={gradeIds.value.map(String)}
        onChange={(next) => gradeIds.onChange(next.map(Number))}
        onBlur={gradeIds.onBlur}
        error={gradeIds.error}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberField
          label={typeLabels.weight}
          min={0}
          max={100}
          required
          value={weight.value}
          onChange={(next) => weight.onChange(Number(next) || 0)}
          onBlur={weight.onBlur}
          error={weight.error}
        />
        <NumberField
          label={typeLabels.position}
          min={0}
          max={10_000}
          value={position.value}
          onChange={(next) => position.onChange(Number(next) || 0)}
          onBlur={position.onBlur}
          error={position.error}
        />
        <UsedForField label={typeLabels.usedFor} field={field('usedFor')} />
      </SimpleGrid>
      {switches.map(([key, label]) => {
        const { value, onChange } = field(key)
        return (
          <Switch key={key} label={label} checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
        )
      })}
    </>
  )
}

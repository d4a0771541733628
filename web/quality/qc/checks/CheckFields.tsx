import { checks } from '@innkeeper/contract/quality/qc/checks'
import { Select, SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { departmentsApi } from '../../../access/departments/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { MultiSelectField } from '../../../kit/form/MultiSelectField.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { qcSettingsApi, qcSourcesApi } from '../api.ts'
import { UsedForField } from '../settings/fields.tsx'
import { CheckSettingFields } from './CheckSettingFields.tsx'
import { TryCheck } from './TryCheck.tsx'
import { type CheckForm, checkLabels } from './values.ts'
import { checkHints, checkNames } from './words.ts'

const optionsOf = (items: readonly { id: number; name: string }[] = []) =>
  items.map(({ id, name }) => ({ value: String(id), label: name }))

export function CheckFields(form: CheckForm) {
  const { values, text, field } = form
  const lacking = useReason()
  const isNot = (call: Parameters<typeof lacking>[0]) => lacking(call) !== undefined
  const all = { itemsPerPage: 200 }
  const [noSources, noDepartments] = [isNot(qcSourcesApi.sources), isNot(departmentsApi.list)]
  const noTypes = isNot(qcSettingsApi.types)
  const sources = useQuery({ ...qcSourcesApi.sources.query(all), enabled: !noSources }).data
  const departments = useQuery({ ...departmentsApi.list.query(all), enabled: !noDepartments }).data
  const types = useQuery({ ...qcSettingsApi.types.query(all), enabled: !noTypes }).data
  const [check, scoreTypeId, lowBelow, isActive] = [
    field('check'),
    field('scoreTypeId'),
    field('lowBelow'),
    field('isActive'),
  ]
  const scopes = [
    ['sourceIds', noSources, optionsOf(sources?.items)],
    ['departmentIds', noDepartments, optionsOf(departments?.items)],
  ] as const
  return (
    <>
      <TextInput label={checkLabels.name} autoFocus autoComplete="off" {...text('name')} />
      <Textarea label={checkLabels.description} autosize minRows={1} {...text('description')} />
      <Select
        label={checkLabels.check}
        description={checkHints[values.check]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        allowDeselect={false}
        data={checks.map((value) => ({ value, label: checkNames[value] }))}
        value={check.value}
        onChange={(next) => check.onChange(checks.find((one) => one === next) ?? 'firstAnswer')}
        error={check.error}
      />
      <CheckSettingFields {...form} />
      <Section title="Which conversations" hint="empty: all">
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <UsedForField label={checkLabels.usedFor} field={field('usedFor')} />
          {scopes.map(([key, isLacking, data]) => {
            const { value, onChange, onBlur, error } = field(key)
            return (
              <MultiSelectField
                key={key}
                label={checkLabels[key]}
                placeholder={value.length ? undefined : 'All'}
                disabled={isLacking}
                searchable
                data={data}
                value={value.map(String)}
                onChange={(next) => onChange(next.map(Number))}
                onBlur={onBlur}
                error={error}
              />
            )
          })}
        </SimpleGrid>
      </Section>
      <Section title="Compared with people" hint="how often a failed check means a low score">
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Select
            label={checkLabels.scoreTypeId}
            placeholder="None"
            clearable
            disabled={noTypes}
            data={optionsOf(types?.items)}
            value={scoreTypeId.value === null ? null : String(scoreTypeId.value)}
            onChange={(next) => scoreTypeId.onChange(next === null ? null : Number(next))}
            error={scoreTypeId.error}
          />
          <NumberField
            label={checkLabels.lowBelow}
            min={1}
            max={100}
            disabled={values.scoreTypeId === null}
            value={lowBelow.value}
            onChange={(next) => lowBelow.onChange(Number(next) || 60)}
            onBlur={lowBelow.onBlur}
            error={lowBelow.error}
          />
        </SimpleGrid>
      </Section>
      <Switch
        label={checkLabels.isActive}
        checked={isActive.value}
        onChange={(event) => isActive.onChange(event.currentTarget.checked)}
      />
      <TryCheck values={values} />
    </>
  )
}

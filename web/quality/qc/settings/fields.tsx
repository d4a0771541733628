import { colours, scopesOfUse } from '@innkeeper/contract/quality/qc/values'
import { Select } from '@mantine/core'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { colourNames, usedForNames } from '../words.ts'

type Choice<T extends string> = { field: FieldProps<T>; label: string; description?: string }

export const ColourField = ({ field, label }: Choice<(typeof colours)[number]>) => (
  <Select
    label={label}
    allowDeselect={false}
    data={colours.map((value) => ({ value, label: colourNames[value] }))}
    value={field.value}
    onChange={(next) => field.onChange(colours.find((one) => one === next) ?? 'secondary')}
  />
)

export const UsedForField = ({ field, label, description }: Choice<(typeof scopesOfUse)[number]>) => (
  <Select
    label={label}
    description={description}
    inputWrapperOrder={['label', 'input', 'description', 'error']}
    allowDeselect={false}
    data={scopesOfUse.map((value) => ({ value, label: usedForNames[value] }))}
    value={field.value}
    onChange={(next) => field.onChange(scopesOfUse.find((one) => one === next) ?? 'all')}
  />
)

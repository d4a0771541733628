import { Switch, Textarea, TextInput } from '@mantine/core'
import { NumberField } from '../../kit/form/NumberField.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'

interface Props {
  name: TextProps
  description: TextProps
  weight: FieldProps<number>
  status: FieldProps<'active' | 'inactive'>
}

export const ComponentFields = ({ name, description, weight, status }: Props) => (
  <>
    <TextInput label="Name" autoComplete="off" {...name} />
    <Textarea label="Description" autosize minRows={2} {...description} />
    <NumberField
      label="Weight"
      description="A component of 20 counts twice as much as one of 10"
      maw={220}
      min={1}
      max={100}
      allowDecimal={false}
      {...weight}
      onChange={(next) => weight.onChange(Number(next) || 1)}
    />
    <Switch
      label="Scored in new audits"
      checked={status.value === 'active'}
      onChange={(event) => status.onChange(event.currentTarget.checked ? 'active' : 'inactive')}
    />
  </>
)

import type { ScoreGrade } from '@innkeeper/contract/quality/qc/settings'
import { SimpleGrid, Switch, Textarea, TextInput } from '@mantine/core'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { ColourField } from './fields.tsx'

export const gradeLabels = {
  name: 'Name',
  description: 'Description',
  value: 'Value',
  colour: 'Colour',
  needsComment: 'Comment',
  position: 'Position',
  isActive: 'In use',
}
type Values = Pick<ScoreGrade, keyof typeof gradeLabels>

export const gradeValues = ({
  name,
  description,
  value,
  colour,
  needsComment,
  position,
  isActive,
}: Values): Values => ({
  ...{ name, description, value, colour, needsComment, position, isActive },
})

interface Form {
  text: (key: 'name' | 'description') => TextProps
  field: <K extends 'value' | 'colour' | 'needsComment' | 'position' | 'isActive'>(key: K) => FieldProps<Values[K]>
}

export function GradeFields({ text, field }: Form) {
  const [value, position] = [field('value'), field('position')]
  const [needsComment, isActive] = [field('needsComment'), field('isActive')]
  return (
    <>
      <TextInput label={gradeLabels.name} autoFocus autoComplete="off" {...text('name')} />
      <Textarea label={gradeLabels.description} autosize minRows={2} {...text('description')} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <NumberField
          label={gradeLabels.value}
          description="0 to 100"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          max={100}
          value={value.value}
          onChange={(next) => value.onChange(Number(next) || 0)}
          onBlur={value.onBlur}
          error={value.error}
          required
        />
        <NumberField
          label={gradeLabels.position}
          description="Order in lists"
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          min={0}
          max={10_000}
          value={position.value}
          onChange={(next) => position.onChange(Number(next) || 0)}
          onBlur={position.onBlur}
          error={position.error}
        />
        <ColourField label={gradeLabels.colour} field={field('colour')} />
      </SimpleGrid>
      <Switch
        label="A score with this grade needs a comment"
        checked={needsComment.value}
        onChange={(event) => needsComment.onChange(event.currentTarget.checked)}
      />
      <Switch
        label="In use"
        checked={isActive.value}
        onChange={(event) => isActive.onChange(event.currentTarget.checked)}
      />
    </>
  )
}

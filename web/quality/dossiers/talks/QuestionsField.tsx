import { Textarea } from '@mantine/core'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'

/** The questions of a talk or template, one on each line. */
export const QuestionsField = ({ value, onChange, error }: FieldProps<string[]>) => (
  <Textarea
    label="Questions"
    description="One on each line"
    required
    autosize
    minRows={5}
    value={value.join('\n')}
    onChange={(event) => onChange(event.currentTarget.value.split('\n'))}
    onBlur={() => onChange(value.map((one) => one.trim()).filter(Boolean))}
    error={error}
  />
)

import type { Tag } from '@innkeeper/contract/quality/qc/settings'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { ColourField, UsedForField } from './fields.tsx'

export const tagLabels = { name: 'Name', description: 'Description', colour: 'Colour', usedFor: 'For' }

export const tagValues = ({ name, description, colour, usedFor }: Pick<Tag, keyof typeof tagLabels>) => ({
  ...{ name, description, colour, usedFor },
})

interface Form {
  text: (key: 'name' | 'description') => TextProps
  colour: FieldProps<Tag['colour']>
  usedFor: FieldProps<Tag['usedFor']>
}

export const TagFields = ({ text, colour, usedFor }: Form) => (
  <>
    <TextInput label={tagLabels.name} autoFocus autoComplete="off" {...text('name')} />
    <Textarea label={tagLabels.description} autosize minRows={2} {...text('description')} />
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ColourField label={tagLabels.colour} field={colour} />
      <UsedForField label={tagLabels.usedFor} field={usedFor} />
    </SimpleGrid>
  </>
)

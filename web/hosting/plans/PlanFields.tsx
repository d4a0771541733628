import { SimpleGrid, Text, TextInput } from '@mantine/core'
import type { ComponentProps } from 'react'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { figures, type WantedPlan } from './form.ts'

interface Props {
  text: (key: Exclude<keyof WantedPlan, 'phpVersions'>) => ComponentProps<typeof TextInput>
  php: { value: string[]; onChange: (versions: string[]) => void; onBlur: () => void; error?: string }
}

/** Common fields of the forms that add and change a plan. */
export const PlanFields = ({ text, php }: Props) => (
  <>
    <TextInput label="Name" data-autofocus autoComplete="off" {...text('name')} />
    <Text c="dimmed" fz="xs">
      The disk limit is enforced on servers with quotas. On the others it is measured: an account over it goes on, but
      gets no imports and no moved websites. The page of a server says which applies.
    </Text>
    <SimpleGrid cols={2} spacing={14} verticalSpacing={14}>
      {figures.map(({ key, label, unit }) => (
        <TextInput
          key={key}
          label={label}
          description={unit || undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          inputMode="numeric"
          autoComplete="off"
          {...text(key)}
        />
      ))}
    </SimpleGrid>
    <TagsInputField
      label="PHP versions"
      withAsterisk
      description="The first is used unless another is chosen for a website"
      placeholder="8.2"
      {...php}
    />
  </>
)

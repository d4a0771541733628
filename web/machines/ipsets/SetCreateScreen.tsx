import { TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ipsetsApi } from './api.ts'
import { SetFields } from './SetFields.tsx'
import { labels } from './words.ts'

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

export default function SetCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(ipsetsApi.create, {
    initial: { name: '', description: '', everywhere: true, serverIds: [] as number[], maxElements: 100_000 },
    labels,
    onDone: ({ name }) => {
      void readAgain(['ipsets', 'workflows'])
      void navigate({ to: '/ipset/sets/$setName', params: { setName: name } })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was added."
      left="The set drops nothing until an address is banned."
      save="Add IP set"
      onCancel={() => void navigate({ to: '/ipset/sets' })}
    >
      <TextInput
        label={labels.name}
        description="Lower-case letters, digits and hyphens; the set has this name on servers too"
        placeholder="brute-force"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...form.text('name')}
      />
      <SetFields
        description={form.text('description')}
        everywhere={form.field('everywhere')}
        serverIds={form.field('serverIds')}
        maxElements={form.field('maxElements')}
      />
    </FormScreen>
  )
}

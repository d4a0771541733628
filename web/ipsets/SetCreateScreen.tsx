import { Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../kit/api/readAgain.ts'
import { FormNotes } from '../kit/form/FormNotes.tsx'
import css from '../kit/form/form.module.css'
import { SaveBar } from '../kit/form/SaveBar.tsx'
import { useCallForm } from '../kit/form/useCallForm.ts'
import { Screen } from '../kit/frame/Screen.tsx'
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
    <form {...form.form} className={css.form}>
      <Screen scroll={false}>
        <div className={css.body}>
          <Stack gap={18} maw={640}>
            <FormNotes form={form} nothing="Nothing was added." />
            <TextInput
              label={labels.name}
              description="Lower-case letters, digits and hyphens; on a server the sets are called by it"
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
          </Stack>
        </div>
      </Screen>
      <SaveBar
        left={form.wanting ?? 'The set drops nothing until an address is banned.'}
        save="Add IP set"
        busy={form.busy}
        disabled={!form.valid}
        onCancel={() => void navigate({ to: '/ipset/sets' })}
      />
    </form>
  )
}

import type { Website } from '@innkeeper/contract/hosting/websites'
import { Select, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { WhatWillRun } from '../../kit/workflow/WhatWillRun.tsx'
import { domains } from './acts.ts'
import { namesApi } from './api.ts'
import { usePreview } from './usePreview.ts'
import { modes } from './words.ts'

interface Wanted {
  domain: string
  mode: 'serve' | 'redirect'
  excludeActions: string[]
}
const empty: Wanted = { domain: '', mode: 'serve', excludeActions: [] }
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** Adds an alias to a website. */
export function AddAlias({ website, close }: { website: Website; close: () => void }) {
  const form = useCallForm(namesApi.addAlias, {
    initial: empty,
    fixed: { id: website.id, websiteId: website.id },
    labels: { domain: 'Name' },
    onDone: ({ data }) => {
      void readAgain(domains)
      toast.info(`Adding ${data.domain}`, 'The alias answers as soon as its server has finished.')
      close()
    },
  })
  const { values } = form
  const plan = usePreview(namesApi.planAlias, { id: website.id, domain: values.domain, mode: values.mode })
  const problem = plan.current ? plan.data?.problems.domain : undefined
  return (
    <FormModal
      opened
      close={close}
      title={`Add an alias to ${website.domain}`}
      save="Add alias"
      form={form}
      nothing="Nothing was added."
    >
      <TextInput
        label="Name"
        withAsterisk
        description="With its www. For all names below one: *.example.org"
        data-autofocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={mono}
        {...form.text('domain')}
        error={form.text('domain').error ?? problem}
      />
      <Select
        label="Effect"
        data={modes}
        allowDeselect={false}
        {...form.field('mode')}
        onChange={(mode) => form.set('mode', mode === 'redirect' ? 'redirect' : 'serve')}
      />
      {(plan.data?.actions.length ?? 0) > 0 && (
        <WhatWillRun
          actions={plan.data?.actions ?? []}
          left={values.excludeActions}
          onChange={(left) => form.set('excludeActions', left)}
        />
      )}
    </FormModal>
  )
}

import type { Website } from '@innkeeper/contract/hosting/websites'
import { Radio, Select, Stack, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { environmentChoices } from '../../kit/look/environments.ts'
import { WhatWillRun } from '../../kit/workflow/WhatWillRun.tsx'
import { domains } from './acts.ts'
import { namesApi } from './api.ts'
import { usePreview } from './usePreview.ts'

interface Wanted {
  domain: string
  root: 'own' | 'parent'
  folder: string
  websiteEnvironment: string
  excludeActions: string[]
}
const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }
const plain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, styles: mono } as const

/** Adds a sub-website that uses the account of its parent website. */
export function AddSubwebsite({ website, close }: { website: Website; close: () => void }) {
  const initial: Wanted = {
    domain: '',
    root: 'own',
    folder: '',
    websiteEnvironment: website.environment,
    excludeActions: [],
  }
  const form = useCallForm(namesApi.addSubwebsite, {
    initial,
    fixed: { id: website.id, websiteId: website.id },
    labels: { domain: 'Domain', folder: 'Folder' },
    onDone: ({ data }) => {
      void readAgain(domains)
      toast.info(`Creating ${data.domain}`, 'The website is served as soon as its server has finished.')
      close()
    },
  })
  const { values } = form
  const wanted = { domain: values.domain, root: values.root, folder: values.root === 'parent' ? values.folder : '' }
  const plan = usePreview(namesApi.planSubwebsite, { id: website.id, ...wanted })
  const problems = (plan.current && plan.data?.problems) || {}
  const choose = (root: string) =>
    form.setValues((now) => ({ ...now, root: root === 'parent' ? 'parent' : 'own', folder: '' }))
  return (
    <FormModal
      opened
      close={close}
      title={`Add a sub-website to ${website.domain}`}
      save="Create sub-website"
      form={form}
      nothing="Nothing was created."
    >
      <TextInput
        label="Domain"
        withAsterisk
        description={`Such as blog.${website.domain}; www is added automatically`}
        data-autofocus
        {...plain}
        {...form.text('domain')}
        error={form.text('domain').error ?? problems.domain}
      />
      <Radio.Group label="Files" value={values.root} onChange={choose}>
        <Stack gap={8} mt={6}>
          <Radio
            value="own"
            label="A folder of its own"
            description={values.root === 'own' ? plan.data?.documentRoot : undefined}
          />
          <Radio value="parent" label={`The files of ${website.domain}`} description={website.documentRoot} />
        </Stack>
      </Radio.Group>
      {values.root === 'parent' && (
        <TextInput
          label="Folder of it"
          description="Empty for the same root"
          placeholder="blog"
          {...plain}
          {...form.text('folder')}
          error={form.text('folder').error ?? problems.folder}
        />
      )}
      <Select
        label="Environment"
        allowDeselect={false}
        data={environmentChoices}
        {...form.field('websiteEnvironment')}
        onChange={(environment) => form.set('websiteEnvironment', environment ?? website.environment)}
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

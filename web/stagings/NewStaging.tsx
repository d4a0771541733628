import type { Website } from '@innkeeper/contract/websites'
import { Text, TextInput } from '@mantine/core'
import { FormModal } from '../kit/FormModal.tsx'
import { queryClient } from '../kit/queries.ts'
import { toast } from '../kit/toast.ts'
import { useCallForm } from '../kit/useCallForm.ts'
import { stagingsApi } from './api.ts'

export function NewStaging({ website: { id, domain }, close }: { website: Website; close: () => void }) {
  const form = useCallForm(stagingsApi.create, {
    initial: { domain: '' },
    fixed: { id, websiteId: id },
    labels: { domain: 'Name' },
    onDone: ({ data }) => {
      for (const key of ['websites', 'workflows']) void queryClient.invalidateQueries({ queryKey: [key] })
      toast.info(`Copying ${domain} to ${data.domain}`)
      close()
    },
  })
  return (
    <FormModal opened close={close} title={`Copy ${domain}`} save="Make copy" form={form} nothing="No copy was begun.">
      <Text c="dimmed" fz="sm">
        Files, databases and configuration are copied on the same server, to an account of their own. {domain} is served
        all the while.
      </Text>
      <TextInput
        label="Name"
        description={`Empty: staging-1.${domain}, or the next number that is free`}
        autoComplete="off"
        spellCheck={false}
        {...form.text('domain')}
      />
    </FormModal>
  )
}

import type { Website } from '@innkeeper/contract/hosting/websites'
import { Text, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { LeftOut } from '../websites/LeftOut.tsx'
import { stagingsApi } from './api.ts'

export function NewStaging({ website: { id, domain }, close }: { website: Website; close: () => void }) {
  const form = useCallForm(stagingsApi.create, {
    initial: { domain: '' },
    fixed: { id, websiteId: id },
    labels: { domain: 'Name' },
    onDone: ({ data }) => {
      void readAgain(['websites', 'workflows'])
      toast.info(`Copying ${domain} to ${data.domain}`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Copy ${domain}`}
      save="Make copy"
      form={form}
      nothing="No copy was created."
    >
      <Text c="dimmed" fz="sm">
        Files, databases and configuration are copied on the same server, to an account of their own. {domain} is served
        meanwhile.
      </Text>
      <TextInput
        label="Name"
        description={`Empty: staging-1.${domain}, or the next number that is free`}
        autoComplete="off"
        spellCheck={false}
        {...form.text('domain')}
      />
      <LeftOut websiteId={id} way="copy" />
    </FormModal>
  )
}

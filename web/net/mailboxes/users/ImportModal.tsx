import type { MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { Text, TextInput } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { NumberField } from '../../../kit/form/NumberField.tsx'
import { PasswordField } from '../../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { domains } from '../acts.ts'
import { mailboxesApi } from '../api.ts'

/** Copies the mail of an account of another server into a mailbox. */
export default function ImportModal({ user, close }: { user: MailboxUser; close: () => void }) {
  const { id, address, version } = user
  const form = useCallForm(mailboxesApi.importMail, {
    initial: { host: '', port: 993, login: address, password: '', fingerprint: undefined as string | undefined },
    fixed: { id, version },
    labels: { host: 'Server', port: 'Port', login: 'Login', password: 'Password', fingerprint: 'Fingerprint' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Copying mail to ${address}`, 'The workflow shows how far it is.')
      close()
    },
  })
  const port = form.field('port')
  const fingerprint = form.field('fingerprint')
  return (
    <FormModal
      opened
      close={close}
      title={`Import mail into ${address}`}
      save="Import mail"
      form={form}
      nothing="Nothing was copied."
    >
      <Text c="dimmed" fz="xs">
        Folders, flags and dates are kept. Import again at any time, for instance after the MX record has changed: only
        what is missing is copied, and nothing is deleted.
      </Text>
      <TextInput label="Server" description="IMAP with TLS" autoComplete="off" {...form.text('host')} />
      <NumberField label="Port" min={1} max={65_535} {...port} onChange={(value) => port.onChange(Number(value))} />
      <TextInput label="Login" autoComplete="off" {...form.text('login')} />
      <PasswordField label="Password" description="Innkeeper forgets it after the import" {...form.field('password')} />
      <TextInput
        label="Fingerprint of the certificate"
        description="SHA-256, only for a server with a certificate that nobody signed"
        autoComplete="off"
        value={fingerprint.value ?? ''}
        error={fingerprint.error}
        onChange={(event) => fingerprint.onChange(event.currentTarget.value || undefined)}
      />
    </FormModal>
  )
}

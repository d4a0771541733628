import { ADDRESS_IN_LOGIN } from '@innkeeper/contract/recovery/archiveImports/lateMail'
import type { ArchiveImportView } from '@innkeeper/contract/recovery/archiveImports/shapes'
import { SegmentedControl, Text, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { MomentField } from '../../kit/form/MomentField.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { archiveImportsApi } from './api.ts'
import { touched } from './words.ts'

const DAYS = 14

/** Where mail still arrives, who may read it there, and until when it is fetched. */
export default function LateMailModal({ one, close }: { one: ArchiveImportView; close: () => void }) {
  const { id, version, lateMail, inventory } = one
  const [way, setWay] = useState<'master' | 'each'>('master')
  const [until] = useState(() => lateMail?.until ?? new Date(Date.now() + DAYS * 86_400_000).toISOString())
  const form = useCallForm(archiveImportsApi.fetchLate, {
    initial: {
      ...{ host: lateMail?.host ?? inventory?.addresses[0] ?? '', port: 993, login: `${ADDRESS_IN_LOGIN}*master` },
      ...{ password: '', passwords: '', until, fingerprint: undefined as string | undefined },
    },
    fixed: { id, version },
    labels: { host: 'Server', login: 'Login', password: 'Password', passwords: 'Passwords', until: 'Until' },
    send: ({ password, passwords, ...input }) =>
      archiveImportsApi.fetchLate({ ...input, ...(way === 'master' ? { password } : { passwords }) }),
    onDone: () => {
      void readAgain(touched)
      toast.info('Late mail is fetched from now on')
      close()
    },
  })
  const port = form.field('port')
  const fingerprint = form.field('fingerprint')
  const { required: _, ...end } = form.field('until')
  const choose = (value: 'master' | 'each') => {
    setWay(value)
    form.set('login', value === 'master' ? `${ADDRESS_IN_LOGIN}*master` : ADDRESS_IN_LOGIN)
  }
  return (
    <FormModal
      opened
      close={close}
      title="Fetch late mail"
      save="Fetch mail"
      form={form}
      nothing="Nothing was fetched."
    >
      <Text c="dimmed" fz="xs">
        Once an hour, for the mailboxes of this import. Nothing is deleted at the former server.
      </Text>
      <TextInput label="Former server" description="IMAP with TLS" autoComplete="off" {...form.text('host')} />
      <NumberField label="Port" min={1} max={65_535} {...port} onChange={(value) => port.onChange(Number(value))} />
      <SegmentedControl
        value={way}
        onChange={(value) => choose(value as 'master' | 'each')}
        data={[
          { value: 'master', label: 'One master user' },
          { value: 'each', label: 'A password for each mailbox' },
        ]}
      />
      <TextInput
        label="Login"
        description={`${ADDRESS_IN_LOGIN} stands for the address of each mailbox`}
        autoComplete="off"
        {...form.text('login')}
      />
      {way === 'master' ? (
        <PasswordField label="Password" description="Kept sealed until the date" {...form.field('password')} />
      ) : (
        <Textarea
          label="Passwords"
          description="A line for each mailbox: info@shop.example;its password. Kept sealed until the date."
          autosize
          minRows={4}
          maxRows={12}
          autoComplete="off"
          spellCheck={false}
          {...form.text('passwords')}
        />
      )}
      <MomentField label="Until" description="At most 90 days; the last fetch is at this time" {...end} />
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

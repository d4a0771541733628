import type { SftpAccess } from '@innkeeper/contract/hosting/sftp'
import { Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { domains } from './acts.ts'
import { sftpApi } from './api.ts'
import { endOf, terms } from './words.ts'

const empty = { key: '', comment: '', expiresAt: '' }

/** Adds a public key; shows its errors beside the field. */
export function AddKey({ access, close }: { access: SftpAccess; close: () => void }) {
  const [term, setTerm] = useState('')
  const form = useCallForm(sftpApi.addKey, {
    initial: empty,
    fixed: { id: access.systemUserId },
    labels: { key: 'Public key', comment: 'Whose it is', expiresAt: 'Expires' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Adding a key to ${access.username}`, 'The key signs in as soon as the server knows it.')
      close()
    },
  })
  const choose = (next: string | null) => {
    setTerm(next ?? '')
    form.set('expiresAt', endOf(next ?? '') ?? '')
  }
  return (
    <FormModal
      opened
      close={close}
      title={`Add a key to ${access.username}`}
      save="Add key"
      form={form}
      nothing="Nothing was added."
    >
      <Textarea
        label="Public key"
        description="One line of the owner’s .pub file: ssh-ed25519 AAAA…"
        autosize
        minRows={3}
        maxRows={8}
        data-autofocus
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', wordBreak: 'break-all' } }}
        {...form.text('key')}
      />
      <TextInput label="Whose it is" description="Empty: the comment of the key" {...form.text('comment')} />
      <Select
        label="Expires"
        data={terms}
        value={term}
        allowDeselect={false}
        onChange={choose}
        error={form.field('expiresAt').error}
      />
    </FormModal>
  )
}

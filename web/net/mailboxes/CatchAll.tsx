import type { MailboxDetails } from '@innkeeper/contract/net/mailboxes/calls'
import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import css from './Mailboxes.module.css'
import { notChangeable } from './words.ts'

/** Where mail to addresses that do not exist is delivered. */
export function CatchAll({ mailbox }: { mailbox: MailboxDetails }) {
  const lacking = useReason()
  const [open, setOpen] = useState(false)
  return (
    <div className={css.line}>
      <div className={css.grow}>
        <Text fw={450}>All other addresses</Text>
        <Text c="dimmed" fz="xs">
          {mailbox.catchAll
            ? `go to ${mailbox.catchAll}`
            : 'are refused: the sender is notified that they do not exist'}
        </Text>
      </div>
      <ActButton
        size="xs"
        variant="default"
        reason={lacking(mailboxesApi.update) ?? notChangeable(mailbox)}
        onClick={() => setOpen(true)}
      >
        Change…
      </ActButton>
      {open && <Change mailbox={mailbox} close={() => setOpen(false)} />}
    </div>
  )
}

function Change({ mailbox: { id, domain, catchAll, version }, close }: { mailbox: MailboxDetails; close: () => void }) {
  const form = useCallForm(mailboxesApi.update, {
    initial: { catchAll: catchAll ?? '' },
    fixed: { id, version },
    labels: { catchAll: 'Catch-all address' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Changing ${domain}`)
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title="All other addresses"
      save="Save"
      form={{ ...form, valid: form.valid && form.dirty }}
      nothing="Nothing was changed."
    >
      <TextInput
        label="Goes to"
        description="Empty: refused. A catch-all address receives much spam"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.text('catchAll')}
      />
    </FormModal>
  )
}

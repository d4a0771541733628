import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { Select, TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { MomentField } from '../../kit/form/MomentField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import { statuses } from './words.ts'

/** Sets the status of a mail domain, with a reason and an end. */
export default function StatusModal({ mailbox, close }: { mailbox: Mailbox; close: () => void }) {
  const { id, domain, status, reason, until, version } = useOpened(mailbox)
  const form = useCallForm(mailboxesApi.toggle, {
    initial: { status: status as string, reason, until: until ?? '', version },
    fixed: { id },
    labels: { status: 'Status', reason: 'Reason' },
    onDone: () => {
      void readAgain(domains)
      toast.info(`Changing ${domain}`)
      close()
    },
  })
  const { required: _, onChange, ...chosen } = form.field('status')
  const { required: __, ...end } = form.field('until')
  const isActive = form.values.status === 'active'
  return (
    <FormModal
      opened
      close={close}
      title={`Status of ${domain}`}
      save="Set status"
      form={{ ...form, valid: form.valid && form.dirty && (isActive || form.values.reason.trim() !== '') }}
      nothing="Nothing was changed."
    >
      <Select
        label="Status"
        allowDeselect={false}
        data={statuses}
        {...chosen}
        onChange={(value) => {
          onChange(value ?? status)
          if (value === 'active') {
            form.set('reason', '')
            form.set('until', '')
          }
        }}
      />
      {!isActive && (
        <>
          <TextInput label="Reason" withAsterisk description="Colleagues see it" {...form.text('reason')} />
          <MomentField label="Ends by itself" description="Empty: until somebody activates it" {...end} />
        </>
      )}
    </FormModal>
  )
}

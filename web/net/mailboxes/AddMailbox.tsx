import type { Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { PasswordField } from '../../kit/form/PasswordField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Again } from './Again.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'
import { inGb } from './words.ts'

interface Props {
  mailbox: Pick<Mailbox, 'id' | 'domain'>
  close: () => void
  /** Called with a password that Innkeeper chose. */
  onPassword: (address: string, password: string) => void
}
interface Wish {
  localPart: string
  name: string
  quotaMb: number
  password: string
  again: boolean | undefined
}
const empty: Wish = { localPart: '', name: '', quotaMb: 1024, password: '', again: undefined }

/** Creates a mailbox in a mail domain. */
export function AddMailbox({ mailbox, close, onPassword }: Props) {
  const form = useCallForm(mailboxesApi.createUser, {
    initial: empty,
    fixed: { id: mailbox.id },
    labels: { localPart: 'Name before @', quotaMb: 'Quota' },
    onDone: ({ data, password }) => {
      void readAgain(domains)
      toast.info(`Creating ${data.address}`)
      close()
      if (password) onPassword(data.address, password)
    },
  })
  const quota = form.field('quotaMb')
  const password = form.field('password')
  return (
    <FormModal
      opened
      close={close}
      title="Create mailbox"
      save="Create mailbox"
      form={form}
      nothing="Nothing was created."
    >
      <TextInput
        label="Address"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        rightSection={`@${mailbox.domain}`}
        rightSectionWidth={Math.min(220, 18 + mailbox.domain.length * 8)}
        {...form.text('localPart')}
      />
      <TextInput label="Name" description="Who reads it" autoComplete="off" {...form.text('name')} />
      <NumberField
        label="Quota"
        suffix=" MB"
        description={inGb(quota.value)}
        min={1}
        {...quota}
        onChange={(value) => quota.onChange(Number(value))}
      />
      <PasswordField
        label="Password"
        description="Empty: Innkeeper chooses one and shows it once"
        words={[form.values.localPart, mailbox.domain]}
        {...password}
        required={false}
      />
      <Again label="Create the address again, without the former mail" field={form.field('again')} />
    </FormModal>
  )
}

import type { MailAlias, Mailbox } from '@innkeeper/contract/net/mailboxes/calls'
import { TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { TagsInputField } from '../../kit/form/TagsInputField.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { Again } from './Again.tsx'
import { domains } from './acts.ts'
import { mailboxesApi } from './api.ts'

interface Props {
  mailbox: Pick<Mailbox, 'id' | 'domain'>
  /** The alias to change; absent to create one. */
  alias?: MailAlias | undefined
  close: () => void
}

/** Creates or changes an alias or distribution list. */
export function AliasModal({ mailbox, alias, close }: Props) {
  const form = useCallForm(mailboxesApi.setAlias, {
    initial: {
      localPart: alias?.localPart ?? '',
      targets: alias?.targets ?? [],
      again: undefined as boolean | undefined,
    },
    fixed: { id: mailbox.id },
    labels: { localPart: 'Alias', targets: 'Goes to' },
    onDone: () => {
      void readAgain(domains)
      toast.info('Changing the aliases')
      close()
    },
  })
  const { required: _, ...targets } = form.field('targets')
  return (
    <FormModal
      opened
      close={close}
      title={alias ? `Change ${alias.address}` : 'Create alias'}
      save={alias ? 'Save alias' : 'Create alias'}
      form={{ ...form, valid: form.valid && form.dirty && form.values.targets.length > 0 }}
      nothing="Nothing was changed."
    >
      <TextInput
        label="Alias"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        disabled={alias !== undefined}
        rightSection={`@${mailbox.domain}`}
        rightSectionWidth={Math.min(220, 18 + mailbox.domain.length * 8)}
        {...form.text('localPart')}
      />
      <TagsInputField
        label="Goes to"
        description="One or more addresses, here or elsewhere. Press Enter after each"
        placeholder="name@example.org"
        splitChars={[',', ' ', ';']}
        {...targets}
      />
      <Again label="Create the address again, without the former mail" field={form.field('again')} />
    </FormModal>
  )
}

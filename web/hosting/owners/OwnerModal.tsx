import type { Owner } from '@innkeeper/contract/hosting/owners'
import { TextInput } from '@mantine/core'
import { readAgain } from '../../kit/api/readAgain.ts'
import { FormModal } from '../../kit/form/FormModal.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { ownersApi } from './api.ts'

/** Adds an owner without leaving the form that needs one. */
export function OwnerModal({ name, close, added }: { name: string; close: () => void; added: (owner: Owner) => void }) {
  const form = useCallForm(ownersApi.create, {
    initial: { name, email: '', externalId: '' },
    labels: { name: 'Name', email: 'Email', externalId: 'Customer number' },
    onDone: (owner) => {
      void readAgain(['owners'])
      added(owner)
      close()
    },
  })
  return (
    <FormModal opened close={close} title="Add owner" save="Add owner" form={form} nothing="Nothing was added.">
      <TextInput label="Name" data-autofocus {...form.text('name')} />
      <TextInput label="Email" type="email" {...form.text('email')} />
      <TextInput
        label="Customer number"
        description="In the billing system, if it has one there"
        {...form.text('externalId')}
      />
    </FormModal>
  )
}

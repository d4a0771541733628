import type { StoredFile } from '@innkeeper/contract/desk/files'
import { TextInput } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { filesApi } from '../api.ts'

export default function RenameModal({ file: { id, name, version }, close }: { file: StoredFile; close: () => void }) {
  const form = useCallForm(filesApi.update, {
    initial: { name },
    fixed: { id, version },
    labels: { name: 'Name' },
    onDone: () => {
      void readAgain(['files'])
      close()
    },
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Rename ${name}`}
      save="Rename file"
      form={form}
      nothing="Nothing was renamed."
    >
      <TextInput label="Name" data-autofocus {...form.text('name')} />
    </FormModal>
  )
}

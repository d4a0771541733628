import type { Folder } from '@innkeeper/contract/desk/files'
import { Checkbox, TextInput } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { filesApi } from '../api.ts'

interface Props {
  /** The folder to rename; without one, creates a folder. */
  folder?: Folder
  parent?: { id: number; hidden: boolean }
  close: () => void
}

export default function FolderModal(props: Props) {
  return props.folder ? <Rename folder={props.folder} close={props.close} /> : <Create {...props} />
}

const done = (close: () => void) => () => {
  void readAgain(['files'])
  close()
}

function Create({ parent, close }: Props) {
  const form = useCallForm(filesApi.createFolder, {
    initial: { name: '', private: false },
    fixed: { parentId: parent?.id },
    labels: { name: 'Name' },
    onDone: done(close),
  })
  const { value, onChange, ...field } = form.field('private')
  const hidden = parent?.hidden ?? false
  return (
    <FormModal opened close={close} title="New folder" save="Make folder" form={form} nothing="No folder was made.">
      <TextInput label="Name" data-autofocus {...form.text('name')} />
      <Checkbox
        {...field}
        required={false}
        label="Private"
        description={
          hidden
            ? 'The folder is private, because its parent folder is.'
            : 'Only you and administrators see it and its content.'
        }
        checked={value || hidden}
        disabled={hidden}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </FormModal>
  )
}

function Rename({ folder: { id, name, version }, close }: { folder: Folder; close: () => void }) {
  const form = useCallForm(filesApi.updateFolder, {
    initial: { name },
    fixed: { id, version },
    labels: { name: 'Name' },
    onDone: done(close),
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Rename ${name}`}
      save="Rename folder"
      form={form}
      nothing="Nothing was renamed."
    >
      <TextInput label="Name" data-autofocus {...form.text('name')} />
    </FormModal>
  )
}

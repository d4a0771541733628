import type { Word } from '@innkeeper/contract/quality/dossiers/shapes'
import { Switch, Textarea, TextInput } from '@mantine/core'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import type { WordApi } from '../api.ts'

/** Categories, types and review categories have the same calls. */
export interface WordNoun extends WordApi {
  /** "review category", "review categories" */
  noun: readonly [string, string]
  text: string
}

const labels = { name: 'Name', description: 'Description', isActive: 'Offered in forms' }
const done = (name: string, what: string, close: () => void) => {
  void readAgain(['dossiers', 'dossierFeedback'])
  toast.success(`${name} is ${what}`)
  close()
}

export function CreateModal({ of, close }: { of: WordNoun; close: () => void }) {
  const form = useCallForm(of.create, {
    initial: { name: '', description: '', isActive: true },
    labels,
    onDone: ({ name }) => done(name, 'created', close),
  })
  const title = `Create ${of.noun[0]}`
  return (
    <FormModal opened close={close} title={title} save={title} form={form} nothing="Nothing was created.">
      <Fields form={form} />
    </FormModal>
  )
}

export function ChangeModal({ of, word, close }: { of: WordNoun; word: Word; close: () => void }) {
  const { id, version, name, description, isActive } = word
  const form = useCallForm(of.update, {
    initial: { name, description, isActive, version },
    fixed: { id },
    labels,
    onDone: (saved) => done(saved.name, 'saved', close),
  })
  return (
    <FormModal
      opened
      close={close}
      title={`Change ${name}`}
      save={`Save ${of.noun[0]}`}
      form={form}
      nothing="Nothing was saved."
    >
      <Fields form={form} />
    </FormModal>
  )
}

interface Form {
  text: (key: 'name' | 'description') => object
  values: { isActive: boolean }
  set: (key: 'isActive', value: boolean) => void
}
const Fields = ({ form }: { form: Form }) => (
  <>
    <TextInput label={labels.name} autoFocus data-autofocus autoComplete="off" {...form.text('name')} />
    <Textarea label={labels.description} autosize minRows={2} {...form.text('description')} />
    <Switch
      label={labels.isActive}
      checked={form.values.isActive}
      onChange={(event) => form.set('isActive', event.currentTarget.checked)}
    />
  </>
)

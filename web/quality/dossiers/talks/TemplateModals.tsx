import type { TalkTemplate } from '@innkeeper/contract/quality/dossiers/talkTemplates'
import type { TalkKind } from '@innkeeper/contract/quality/dossiers/values'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormModal } from '../../../kit/form/FormModal.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { talkTemplatesApi as api } from '../api.ts'
import { labels, TemplateFields } from './TemplateFields.tsx'

const done = (name: string, what: string, close: () => void) => {
  void readAgain(['dossiers'])
  toast.success(`${name} is ${what}`)
  close()
}

export function CreateModal({ close }: { close: () => void }) {
  const form = useCallForm(api.createTalkTemplate, {
    initial: { name: '', kind: 'one-to-one' as TalkKind, questions: [] as string[], isActive: true },
    labels,
    onDone: ({ name }) => done(name, 'created', close),
  })
  return (
    <FormModal
      {...{ opened: true, close, form }}
      title="Create template"
      save="Create template"
      nothing="Nothing was created."
    >
      <TemplateFields form={form} />
    </FormModal>
  )
}

export function ChangeModal({ template, close }: { template: TalkTemplate; close: () => void }) {
  const { id, version, name, kind, questions, isActive } = template
  const form = useCallForm(api.updateTalkTemplate, {
    initial: { name, kind: kind as TalkKind, questions, isActive, version },
    fixed: { id },
    labels,
    onDone: (saved) => done(saved.name, 'saved', close),
  })
  return (
    <FormModal
      {...{ opened: true, close, form }}
      title={`Change ${name}`}
      save="Save template"
      nothing="Nothing was saved."
    >
      <TemplateFields form={form} />
    </FormModal>
  )
}

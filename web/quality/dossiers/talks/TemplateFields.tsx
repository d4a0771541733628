import { type TalkKind, talkKinds } from '@innkeeper/contract/quality/dossiers/values'
import { SegmentedControl, Switch, TextInput } from '@mantine/core'
import type { FieldProps } from '../../../kit/form/useCallForm.ts'
import { talkKindNames } from '../words.ts'
import { QuestionsField } from './QuestionsField.tsx'

export const labels = { name: 'Name', questions: 'Questions', isActive: 'Offered when a talk is planned' }

export function KindField({ value, onChange }: { value: TalkKind; onChange: (kind: TalkKind) => void }) {
  return (
    <SegmentedControl
      aria-label="Kind of talk"
      value={value}
      onChange={(next) => onChange(talkKinds.find((kind) => kind === next) ?? 'one-to-one')}
      data={talkKinds.map((kind) => ({ value: kind, label: talkKindNames[kind] }))}
    />
  )
}

interface Form {
  text: (key: 'name') => object
  field: (key: 'questions') => FieldProps<string[]>
  values: { kind: TalkKind; isActive: boolean }
  set: { (key: 'kind', kind: TalkKind): void; (key: 'isActive', isActive: boolean): void }
}
export const TemplateFields = ({ form }: { form: Form }) => (
  <>
    <TextInput label={labels.name} data-autofocus autoComplete="off" {...form.text('name')} />
    <KindField value={form.values.kind} onChange={(kind) => form.set('kind', kind)} />
    <QuestionsField {...form.field('questions')} />
    <Switch
      label={labels.isActive}
      checked={form.values.isActive}
      onChange={(event) => form.set('isActive', event.currentTarget.checked)}
    />
  </>
)

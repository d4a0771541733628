import type { TalkTemplate } from '@innkeeper/contract/quality/dossiers/talkTemplates'
import type { TalkKind } from '@innkeeper/contract/quality/dossiers/values'
import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { DateField } from '../../../kit/form/DateField.tsx'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { talksApi, talkTemplatesApi } from '../api.ts'
import { talkKindNames } from '../words.ts'
import { QuestionsField } from './QuestionsField.tsx'
import { KindField } from './TemplateFields.tsx'

export default numbered('userId', TalkCreateScreen)

function TalkCreateScreen({ id }: { id: number }) {
  const query = useQuery(talkTemplatesApi.talkTemplates.query({ isActive: 'true', itemsPerPage: 200 }))
  return query.data ? <TalkForm userId={id} templates={query.data.items} /> : <Screen query={query}>{null}</Screen>
}

function TalkForm({ userId, templates }: { userId: number; templates: readonly TalkTemplate[] }) {
  const navigate = useNavigate()
  const [template, setTemplate] = useState(() => templates.find(({ kind }) => kind === 'one-to-one'))
  const form = useCallForm(talksApi.createTalk, {
    initial: {
      ...{ kind: 'one-to-one' as TalkKind, title: talkKindNames['one-to-one'] as string, heldOn: '' },
      questions: template?.questions ?? [],
    },
    fixed: { userId },
    labels: { title: 'Title', heldOn: 'Day of the talk', questions: 'Questions' },
    onDone: ({ id, title }) => {
      void readAgain(['dossierFeedback', 'dossiers'])
      toast.success(`${title} is planned`, 'Both of you prepare your answers.')
      void navigate({ to: `/dossiers/talks/${id}` })
    },
  })
  const { kind, questions } = form.values
  const offered = templates.filter((one) => one.kind === kind)
  const use = (next: TalkTemplate | undefined) => {
    setTemplate(next)
    form.set('questions', next?.questions ?? [])
  }
  const mayReplace = async () =>
    !questions.length ||
    questions.join('\n') === template?.questions.join('\n') ||
    (await confirm({
      ...{ title: 'Replace your questions?', text: 'The questions of the template replace what you typed.' },
      verb: 'Replace',
    })) !== undefined
  const take = async (next: TalkTemplate | undefined) => {
    if (await mayReplace()) use(next)
  }
  const choose = async (next: TalkKind) => {
    if (!(await mayReplace())) return
    form.set('kind', next)
    form.set('title', talkKindNames[next])
    use(templates.find((one) => one.kind === next))
  }
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Both sides prepare. Answers are released when both are ready."
      save="Plan talk"
      onCancel={() => void navigate({ to: `/dossiers/${userId}` })}
    >
      <KindField value={kind} onChange={(next) => void choose(next)} />
      <TextInput label="Title" autoComplete="off" {...form.text('title')} />
      <DateField label="Day of the talk" {...form.field('heldOn')} />
      <Select
        label="Template"
        placeholder={offered.length ? 'No template' : 'No template of this kind'}
        disabled={!offered.length}
        data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={template ? String(template.id) : null}
        onChange={(id) => void take(offered.find((one) => String(one.id) === id))}
      />
      <QuestionsField {...form.field('questions')} />
    </FormScreen>
  )
}

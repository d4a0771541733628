import { type TalkKind, talkKinds } from '@innkeeper/contract/dossiers/values'
import { SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { DateField } from '../../kit/form/DateField.tsx'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { talksApi } from '../api.ts'
import { talkKindNames, templates } from '../words.ts'

export default numbered('userId', TalkCreateScreen)

function TalkCreateScreen({ id: userId }: { id: number }) {
  const navigate = useNavigate()
  const form = useCallForm(talksApi.createTalk, {
    initial: {
      ...{ kind: 'one-to-one' as TalkKind, title: 'One-to-one', heldOn: '' },
      questions: [...templates['one-to-one']] as string[],
    },
    fixed: { userId },
    labels: { title: 'Title', heldOn: 'Day of the talk', questions: 'Questions' },
    onDone: ({ id, title }) => {
      void readAgain(['dossierFeedback', 'dossiers'])
      toast.success(`${title} is planned`, 'Both of you prepare your answers.')
      void navigate({ to: `/dossiers/talks/${id}` })
    },
  })
  const choose = (kind: TalkKind) => {
    form.set('kind', kind)
    form.set('title', talkKindNames[kind])
    form.set('questions', [...templates[kind]])
  }
  const questions = form.field('questions')
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Both sides prepare. Answers are released when both are ready."
      save="Plan talk"
      onCancel={() => void navigate({ to: `/dossiers/${userId}` })}
    >
      <SegmentedControl
        aria-label="Kind of talk"
        value={form.values.kind}
        onChange={(next) => choose(talkKinds.find((kind) => kind === next) ?? 'one-to-one')}
        data={talkKinds.map((kind) => ({ value: kind, label: talkKindNames[kind] }))}
      />
      <TextInput label="Title" autoComplete="off" {...form.text('title')} />
      <DateField label="Day of the talk" {...form.field('heldOn')} />
      <Textarea
        label="Questions"
        description="One on each line"
        autosize
        minRows={5}
        value={questions.value.join('\n')}
        onChange={(event) => questions.onChange(event.currentTarget.value.split('\n'))}
        onBlur={() => questions.onChange(questions.value.map((one) => one.trim()).filter(Boolean))}
        error={questions.error}
      />
    </FormScreen>
  )
}

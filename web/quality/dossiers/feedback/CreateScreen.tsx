import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { FEEDBACK, feedbackApi, peopleApi } from '../api.ts'
import { readersOf } from '../words.ts'
import { FeedbackFields, feedbackLabels, noFeedback } from './FeedbackFields.tsx'

export default numbered('userId', CreateScreen)

function CreateScreen({ id }: { id: number }) {
  const query = useQuery(peopleApi.user.query({ id }))
  return query.data ? <Form dossier={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ dossier: { id: userId, name } }: { dossier: DossierUser }) {
  const navigate = useNavigate()
  const form = useCallForm(feedbackApi.createFeedback, {
    initial: noFeedback,
    fixed: { userId },
    labels: feedbackLabels,
    onDone: ({ id, state }) => {
      void readAgain(FEEDBACK)
      toast.success(state === 'draft' ? 'The draft is saved' : 'The entry is published')
      void navigate({ to: `/dossiers/${userId}/feedbacks/${id}` })
    },
  })
  const { isDraft, visibility } = form.values
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      title={`Feedback about ${name}`}
      left={isDraft ? 'Only you read a draft.' : `${readersOf[visibility]}.`}
      save={isDraft ? 'Save draft' : 'Publish entry'}
      onCancel={() => void navigate({ to: `/dossiers/${userId}` })}
    >
      <FeedbackFields form={form} userId={userId} />
      <Switch
        label="Keep as a draft"
        checked={isDraft}
        onChange={(event) => form.set('isDraft', event.currentTarget.checked)}
      />
    </FormScreen>
  )
}

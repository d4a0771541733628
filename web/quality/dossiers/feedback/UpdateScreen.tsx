import type { DossierFeedbackPage } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useSession } from '../../../kit/access/session.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { FEEDBACK, feedbackApi } from '../api.ts'
import { FeedbackFields, feedbackLabels } from './FeedbackFields.tsx'

export default numbered('feedbackId', UpdateScreen)

function UpdateScreen({ id }: { id: number }) {
  const query = useQuery(feedbackApi.feedback.query({ id }))
  return query.data ? <Form entry={query.data} /> : <Screen query={query}>{null}</Screen>
}

const valuesOf = (entry: DossierFeedbackPage) => ({
  ...{ content: entry.content, visibility: entry.visibility, isDraft: entry.state === 'draft' },
  ...{ typeId: entry.type?.id ?? null, categoryId: entry.category?.id ?? null },
  ...{ reviewCategoryId: entry.reviewCategory?.id ?? null, followUpOn: entry.followUpOn ?? '' },
  mentions: entry.mentions.map((one) => one.id),
  fileIds: entry.files.filter(({ isGone }) => !isGone).map((one) => one.id),
})

function Form({ entry }: { entry: DossierFeedbackPage }) {
  const navigate = useNavigate()
  const me = useSession()
  const opened = useOpened(entry)
  const { id, version } = opened
  const wasDraft = opened.state === 'draft'
  const toEntry = () => void navigate({ to: `/dossiers/${entry.subject.id}/feedbacks/${id}` })
  const form = useCallForm(feedbackApi.updateFeedback, {
    initial: valuesOf(opened),
    fixed: { id, version },
    valuesOf,
    labels: feedbackLabels,
    onDone: () => {
      void readAgain(FEEDBACK)
      toast.success('The entry is saved')
      toEntry()
    },
  })
  const again = entry.acknowledgedAt ? ' The acknowledgement is cleared, and the person is asked again.' : ''
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={`Feedback about ${entry.subject.name}`}
      left={wasDraft ? 'Only you read a draft.' : `The earlier text stays in the history.${again}`}
      save={wasDraft && !form.values.isDraft ? 'Publish entry' : 'Save entry'}
      {...(entry.author.id !== me.id && { reason: `${entry.author.name} wrote the entry` })}
      onCancel={toEntry}
    >
      <FeedbackFields form={form} userId={entry.subject.id} entry={entry} />
      {wasDraft && (
        <Switch
          label="Keep as a draft"
          checked={form.values.isDraft}
          onChange={(event) => form.set('isDraft', event.currentTarget.checked)}
        />
      )}
    </FormScreen>
  )
}

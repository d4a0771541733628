import type { DossierFeedbackPage } from '@innkeeper/contract/quality/dossiers/feedbackShapes'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { useSession } from '../../../kit/access/session.ts'
import { succeeds } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { Timeline } from '../../../kit/timeline/Timeline.tsx'
import { FEEDBACK, feedbackApi } from '../api.ts'
import css from '../dossiers.module.css'
import { dossierPath } from '../paths.ts'
import { visibilityNames } from '../words.ts'
import { Entry } from './Entry.tsx'

export default numbered('feedbackId', EntryScreen)

function EntryScreen({ id }: { id: number }) {
  const query = useQuery(feedbackApi.feedback.query({ id }))
  const entry = query.data
  if (!entry) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      title={entry.type?.name ?? 'Feedback'}
      meta={`About ${entry.subject.name}`}
      actions={<Acts entry={entry} />}
    >
      <Split sideLast side={<History entry={entry} />}>
        <Entry entry={entry} />
      </Split>
    </Screen>
  )
}

function Acts({ entry: { id, version, author, subject, visibility, state } }: { entry: DossierFeedbackPage }) {
  const me = useSession()
  const lacking = useReason()
  const navigate = useNavigate()
  const foreign = author.id === me.id ? undefined : `${author.name} wrote the entry`
  const mayUpdate = lacking(feedbackApi.updateFeedback) ?? foreign
  const remove = async () => {
    const isTold = state !== 'draft' && (visibility === 'team' || visibility === 'subject-and-manager')
    const sure = await confirm({
      title: 'Delete the entry?',
      text: isTold ? `${subject.name} is notified that an entry was deleted.` : 'Nobody is notified.',
      verb: 'Delete entry',
      danger: true,
    })
    if (!sure) return
    const gone = await succeeds(() => feedbackApi.removeFeedback({ id, version }), FEEDBACK)
    if (!gone) return
    toast.success('The entry is deleted')
    void navigate({ to: `/dossiers/${subject.id}` })
  }
  return (
    <>
      <LinkButton to={dossierPath(subject.id)} variant="default">
        Dossier
      </LinkButton>
      <ActButton
        variant="default"
        reason={lacking(feedbackApi.removeFeedback) ?? foreign}
        onClick={() => void remove()}
      >
        Delete…
      </ActButton>
      {mayUpdate ? (
        <ActButton reason={mayUpdate}>Change</ActButton>
      ) : (
        <Button onClick={() => void navigate({ to: `/dossiers/${subject.id}/feedbacks/${id}/update` })}>Change</Button>
      )}
    </>
  )
}

const History = ({ entry }: { entry: DossierFeedbackPage }) => (
  <Section title="Earlier versions">
    <Timeline
      label="Earlier versions"
      empty="The entry was not changed."
      entries={entry.history.map(({ at, by, content, visibility }, n) => ({
        id: n,
        at,
        title: `Before a change by ${by.name}`,
        note: visibilityNames[visibility],
        children: (
          <Text dir="auto" className={css.prose}>
            {content}
          </Text>
        ),
      }))}
    />
  </Section>
)

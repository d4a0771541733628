import { useQuery } from '@tanstack/react-query'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { peopleApi } from '../api.ts'
import { dossierPath } from '../paths.ts'
import { CommentField } from './CommentField.tsx'
import { PersonTimeline } from './PersonTimeline.tsx'

const Beside = lazyPart(() => import('./Beside.tsx'), Skeletons)

export default numbered('userId', QcDossierScreen)

const QUALITY = ['comment', 'chat-comment', 'ticket-comment', 'review', 'escalation'] as const

/** The dossier as reviewers use it: comments, reviews and escalations. */
function QcDossierScreen({ id }: { id: number }) {
  const query = useQuery(peopleApi.user.query({ id }))
  const dossier = query.data
  if (!dossier) return <Screen query={query}>{null}</Screen>
  return (
    <Screen
      title={dossier.name}
      meta={[dossier.position?.name, dossier.team?.name].filter(Boolean).join(', ') || 'No team'}
      actions={
        <LinkButton to={dossierPath(id)} variant="default">
          Whole dossier
        </LinkButton>
      }
    >
      <Together key={id}>
        <Split sideLast side={<Beside dossier={dossier} />}>
          <Section title="Comment">
            <CommentField id={id} />
          </Section>
          <Section title="Comments, reviews and escalations">
            <PersonTimeline id={id} only={QUALITY} />
          </Section>
        </Split>
      </Together>
    </Screen>
  )
}

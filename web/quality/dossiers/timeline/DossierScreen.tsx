import type { DossierUser } from '@innkeeper/contract/quality/dossiers/shapes'
import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useReason } from '../../../kit/access/reasons.ts'
import { attempt } from '../../../kit/api/attempt.ts'
import { lazyPart } from '../../../kit/frame/lazyScreen.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { PageMenu } from '../../../kit/frame/PageMenu.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section, Split } from '../../../kit/frame/Section.tsx'
import { Skeletons } from '../../../kit/frame/Skeletons.tsx'
import { Together } from '../../../kit/frame/Together.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import { MenuAction } from '../../../kit/look/MenuAction.tsx'
import { feedbackApi, peopleApi, talksApi, timelineApi } from '../api.ts'
import { closeDossier } from '../people/closeDossier.ts'
import { CommentField } from './CommentField.tsx'
import { PersonTimeline } from './PersonTimeline.tsx'
import { saveExport } from './saveExport.ts'

const Beside = lazyPart(() => import('./Beside.tsx'), Skeletons)

export default numbered('userId', DossierScreen)

function DossierScreen({ id }: { id: number }) {
  const query = useQuery(peopleApi.user.query({ id }))
  const dossier = query.data
  if (!dossier) return <Screen query={query}>{null}</Screen>
  const place = [dossier.position?.name, dossier.team?.name].filter(Boolean).join(', ')
  return (
    <Screen
      title={dossier.name}
      meta={dossier.isGone ? 'Account deleted' : place || 'No team'}
      actions={
        <>
          <CreateButton call={feedbackApi.createFeedback} to={`/dossiers/${id}/feedbacks/create`}>
            Write feedback
          </CreateButton>
          <Acts dossier={dossier} />
        </>
      }
    >
      <Together key={id}>
        <Split sideLast side={<Beside dossier={dossier} />}>
          <Section title="Timeline">
            <PersonTimeline id={id} />
          </Section>
          <Section title="Comment">
            <CommentField id={id} />
          </Section>
        </Split>
      </Together>
    </Screen>
  )
}

function Acts({ dossier }: { dossier: DossierUser }) {
  const { id } = dossier
  const lacking = useReason()
  const navigate = useNavigate()
  const close = async () => {
    if (await closeDossier(dossier)) await navigate({ to: '/dossiers' })
  }
  return (
    <PageMenu>
      <MenuAction
        label="Plan a talk"
        reason={lacking(talksApi.createTalk)}
        onClick={() => void navigate({ to: `/dossiers/${id}/talks/create` })}
      />
      <MenuAction
        label="Change dossier"
        reason={lacking(peopleApi.updateUser)}
        onClick={() => void navigate({ to: `/dossiers/${id}/update` })}
      />
      <Menu.Divider />
      <MenuAction
        label="Export what I may read"
        reason={lacking(timelineApi.export)}
        onClick={() => void attempt(() => saveExport(id), [])}
      />
      <Menu.Divider />
      <MenuAction label="Close…" danger reason={lacking(peopleApi.removeUser)} onClick={() => void close()} />
      <MenuAction
        label="Erase texts…"
        danger
        reason={lacking(timelineApi.erase) ?? 'Close the dossier first. The list of closed dossiers erases it'}
        onClick={() => undefined}
      />
    </PageMenu>
  )
}

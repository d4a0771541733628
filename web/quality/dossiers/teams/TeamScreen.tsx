import type { Team } from '@innkeeper/contract/quality/dossiers/shapes'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useReason } from '../../../kit/access/reasons.ts'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { useOpened } from '../../../kit/form/useOpened.ts'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import { numbered } from '../../../kit/frame/numbered.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import { Section } from '../../../kit/frame/Section.tsx'
import { ActButton } from '../../../kit/look/ActButton.tsx'
import { count, counted } from '../../../kit/look/format.ts'
import { membershipsApi, peopleApi, teamsApi } from '../api.ts'
import { AddMembership } from '../memberships/MembershipModal.tsx'
import { dossierPath } from '../paths.ts'
import { TeamFields, teamLabels } from './TeamFields.tsx'

export default numbered('teamId', TeamScreen)

function TeamScreen({ id }: { id: number }) {
  const query = useQuery(teamsApi.team.query({ id }))
  return query.data ? <Form team={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Form({ team }: { team: Team }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/dossiers/teams' })
  const { id, version, name, description, managerId, parentId, departmentId } = useOpened(team)
  const form = useCallForm(teamsApi.updateTeam, {
    initial: { name, description, managerId, parentId, departmentId, version },
    fixed: { id },
    labels: teamLabels,
    onDone: (saved) => {
      void readAgain(['dossiers', 'dossierFeedback'])
      toast.success(`${saved.name} is saved`)
      toList()
    },
  })
  const isNew = form.values.managerId !== managerId
  return (
    <FormScreen
      form={form}
      nothing="Nothing was saved."
      edits
      title={team.name}
      meta={counted(team.people, ['person', 'people'])}
      left={
        isNew
          ? 'The new manager reads entries for managers from now on, and earlier ones if you may read them. The former manager reads only their own.'
          : undefined
      }
      save="Save team"
      reason={useReason()(teamsApi.updateTeam)}
      onCancel={toList}
    >
      <TeamFields form={form} team={team} />
      <People teamId={id} />
    </FormScreen>
  )
}

const SHOWN = 50

function People({ teamId }: { teamId: number }) {
  const lacking = useReason()
  const reason = lacking(peopleApi.users)
  const found = useQuery({ ...peopleApi.users.query({ teamId: [teamId], itemsPerPage: SHOWN }), enabled: !reason })
  const [isAdding, add] = useState(false)
  return (
    <Section
      title="People today"
      hint={found.data && count(found.data.total)}
      aside={
        <ActButton
          size="xs"
          variant="default"
          reason={lacking(membershipsApi.createMembership)}
          onClick={() => add(true)}
        >
          Add somebody
        </ActButton>
      }
    >
      {reason && <Text c="dimmed">{reason}</Text>}
      <Stack gap={6}>
        {found.data?.items.map(({ id, name, position }) => (
          <Text key={id} truncate>
            <LinkTo to={dossierPath(id)}>{name}</LinkTo>{' '}
            <Text span c="dimmed">
              {position?.name}
            </Text>
          </Text>
        ))}
        {found.data?.total === 0 && <Text c="dimmed">Nobody is in the team today.</Text>}
        {found.data && found.data.total > SHOWN && (
          <LinkTo to="/dossiers" search={{ teamId: String(teamId) }}>
            All {count(found.data.total)}
          </LinkTo>
        )}
      </Stack>
      {isAdding && <AddMembership teamId={teamId} close={() => add(false)} />}
    </Section>
  )
}

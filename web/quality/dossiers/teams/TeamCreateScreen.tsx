import { useNavigate } from '@tanstack/react-router'
import { readAgain } from '../../../kit/api/readAgain.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { FormScreen } from '../../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../../kit/form/useCallForm.ts'
import { teamsApi } from '../api.ts'
import { noTeam, TeamFields, teamLabels } from './TeamFields.tsx'

export default function TeamCreateScreen() {
  const navigate = useNavigate()
  const form = useCallForm(teamsApi.createTeam, {
    initial: noTeam,
    labels: teamLabels,
    onDone: ({ id, name }) => {
      void readAgain(['dossiers'])
      toast.success(`${name} is created`, 'Add its people here.')
      void navigate({ to: `/dossiers/teams/${id}` })
    },
  })
  return (
    <FormScreen
      form={form}
      nothing="Nothing was created."
      left="Members are added next."
      save="Create team"
      onCancel={() => void navigate({ to: '/dossiers/teams' })}
    >
      <TeamFields form={form} />
    </FormScreen>
  )
}

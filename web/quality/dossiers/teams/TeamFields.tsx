import type { Team } from '@innkeeper/contract/quality/dossiers/shapes'
import { SimpleGrid, Textarea, TextInput } from '@mantine/core'
import { departmentsApi } from '../../../access/departments/api.ts'
import { usersApi } from '../../../access/users/api.ts'
import { useReason } from '../../../kit/access/reasons.ts'
import { PickOne } from '../../../kit/form/PickOne.tsx'
import type { FieldProps, TextProps } from '../../../kit/form/useCallForm.ts'
import { teamsApi } from '../api.ts'

export const teamLabels = {
  ...{ name: 'Name', description: 'Description', managerId: 'Manager' },
  ...{ parentId: 'Team above', departmentId: 'Department' },
}
const none = null as number | null
export const noTeam = { name: '', description: '', managerId: none, parentId: none, departmentId: none }

interface Form {
  text: (key: 'name' | 'description') => TextProps
  field: (key: 'managerId' | 'parentId' | 'departmentId') => FieldProps<number | null>
}

export function TeamFields({ form, team }: { form: Form; team?: Team }) {
  const lacking = useReason()
  return (
    <>
      <TextInput label={teamLabels.name} autoFocus autoComplete="off" {...form.text('name')} />
      <Textarea label={teamLabels.description} autosize minRows={2} {...form.text('description')} />
      <PickOne
        label={teamLabels.managerId}
        description="Reads what is written about the team's people for managers, and earlier entries if an administrator or the present manager appoints them"
        call={usersApi.list}
        nameOf={({ name }) => name}
        valueName={team?.manager?.name ?? null}
        reason={lacking(usersApi.list)}
        {...form.field('managerId')}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <PickOne
          label={teamLabels.parentId}
          call={teamsApi.teams}
          nameOf={({ name }) => name}
          closed={({ id }) => (id === team?.id ? 'Is this team' : undefined)}
          valueName={team?.parentName ?? null}
          {...form.field('parentId')}
        />
        <PickOne
          label={teamLabels.departmentId}
          call={departmentsApi.list}
          nameOf={({ name }) => name}
          valueName={team?.departmentName ?? null}
          reason={lacking(departmentsApi.list)}
          {...form.field('departmentId')}
        />
      </SimpleGrid>
    </>
  )
}

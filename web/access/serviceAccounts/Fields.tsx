import { Textarea, TextInput } from '@mantine/core'
import { useReason } from '../../kit/access/reasons.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { departmentsApi } from '../departments/api.ts'
import { rolesApi } from '../roles/api.ts'
import { usersApi } from '../users/api.ts'

export const labels = {
  name: 'Name',
  description: 'Description',
  ownerId: 'Owner',
  roleId: 'Role',
  departmentId: 'Department',
}

interface Props {
  name: TextProps
  description: TextProps
  owner: FieldProps<number | undefined>
  role: FieldProps<number | null>
  department: FieldProps<number | null>
  names?: { ownerName: string; roleName: string | null; departmentName: string | null }
}

/** The fields that creating and changing a service account share. */
export function Fields({ name, description, owner, role, department, names }: Props) {
  const lacking = useReason()
  return (
    <>
      <TextInput label={labels.name} autoComplete="off" {...name} />
      <Textarea label={labels.description} description="Which program it is" autosize minRows={2} {...description} />
      <PickOne
        label={labels.ownerId}
        placeholder="Yourself"
        description="Who answers for it, and hears when its tokens expire"
        call={usersApi.list}
        nameOf={(user) => user.name}
        valueName={names?.ownerName}
        reason={lacking(usersApi.list)}
        {...owner}
        value={owner.value ?? null}
        onChange={(id) => owner.onChange(id ?? undefined)}
      />
      <PickOne
        label={labels.roleId}
        placeholder="No role"
        description="The most that its tokens may do; each token has a part of these permissions"
        call={rolesApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.description}
        valueName={names?.roleName}
        reason={lacking(rolesApi.list) ?? lacking('users:role:assign')}
        {...role}
      />
      <PickOne
        label={labels.departmentId}
        placeholder="No department"
        call={departmentsApi.list}
        nameOf={(one) => one.name}
        hint={(one) => one.description}
        valueName={names?.departmentName}
        reason={lacking(departmentsApi.list)}
        {...department}
      />
    </>
  )
}

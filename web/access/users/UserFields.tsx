import type { User } from '@innkeeper/contract/access/users/shapes'
import { Checkbox, SimpleGrid, TextInput } from '@mantine/core'
import { scopesSentence, useReason } from '../../kit/access/reasons.ts'
import { useSession } from '../../kit/access/session.ts'
import { PickOne } from '../../kit/form/PickOne.tsx'
import type { FieldProps, TextProps } from '../../kit/form/useCallForm.ts'
import { departmentsApi } from '../departments/api.ts'
import { rolesApi } from '../roles/api.ts'

export const labels = {
  firstName: 'First name',
  lastName: 'Last name',
  username: 'User name',
  email: 'Email',
  roleId: 'Role',
  departmentId: 'Department',
  isAdmin: 'Administrator',
  password: 'First password',
}

type TextKey = 'firstName' | 'lastName' | 'username' | 'email'
interface Props {
  text: (key: TextKey) => TextProps
  role: FieldProps<number | null>
  department: FieldProps<number | null>
  admin: FieldProps<boolean>
  /** The stored account. */
  user?: User
}

/** The fields that creating and changing an account share. */
export function UserFields({ text, role, department, admin, user }: Props) {
  const lacking = useReason()
  const me = useSession()
  const mayAssign = lacking(rolesApi.list) ?? lacking(rolesApi.assign)
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={12} verticalSpacing={18}>
        <TextInput label={labels.firstName} autoComplete="off" autoFocus={!user} {...text('firstName')} />
        <TextInput label={labels.lastName} autoComplete="off" {...text('lastName')} />
      </SimpleGrid>
      <TextInput
        label={labels.username}
        description="What they sign in with; capitals make no difference"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...text('username')}
      />
      <TextInput label={labels.email} type="email" autoComplete="off" {...text('email')} />
      <PickOne
        label={labels.departmentId}
        placeholder="None"
        description="A person belongs to one"
        call={departmentsApi.list}
        nameOf={({ name }) => name}
        hint={({ description }) => description}
        valueName={user?.departmentName}
        reason={lacking(departmentsApi.list)}
        {...department}
      />
      <PickOne
        label={labels.roleId}
        placeholder="None: nothing but their own data"
        description="What they may do"
        call={rolesApi.list}
        nameOf={({ name }) => name}
        hint={({ description, departmentName }) => description ?? departmentName}
        closed={({ scopes }) => (me.isAdmin ? undefined : beyond(scopes, me.scopes))}
        valueName={user?.roleName}
        reason={mayAssign}
        {...role}
      />
      <Checkbox
        label={labels.isAdmin}
        description={
          me.isAdmin
            ? 'May do everything, regardless of the role'
            : 'Only an administrator can make somebody an administrator'
        }
        disabled={!me.isAdmin}
        checked={admin.value}
        onChange={(event) => admin.onChange(event.currentTarget.checked)}
        onBlur={admin.onBlur}
        error={admin.error}
      />
    </>
  )
}

/** The missing permissions of a role: nobody can grant what they lack, so the option says so before the server does. */
function beyond(scopes: readonly string[], held: readonly string[]): string | undefined {
  const lacks = scopes.filter((scope) => !held.includes(scope))
  return lacks.length ? `Has permissions that you lack: ${scopesSentence(lacks.slice(0, 2))}` : undefined
}

import type { User } from '@innkeeper/contract/access/users/shapes'
import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { readAgain } from '../../kit/api/readAgain.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { FormScreen } from '../../kit/form/FormScreen.tsx'
import { useCallForm } from '../../kit/form/useCallForm.ts'
import { useOpened } from '../../kit/form/useOpened.ts'
import { numbered } from '../../kit/frame/numbered.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { RoleEffect } from '../roles/RoleEffect.tsx'
import { usersApi } from './api.ts'
import { UserDialogs } from './dialogs/UserDialogs.tsx'
import { SignInSection } from './sessions/SignInSection.tsx'
import { UserSessions } from './sessions/UserSessions.tsx'
import { UserActs, type UserDialog } from './UserActs.tsx'
import { labels, UserFields } from './UserFields.tsx'
import { stateOfUser } from './words.ts'

export default numbered('userId', UserEditScreen)

function UserEditScreen({ id }: { id: number }) {
  const query = useQuery(usersApi.one.query({ id }))
  return query.data ? <Page user={query.data} /> : <Screen query={query}>{null}</Screen>
}

function Page({ user }: { user: User }) {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/users' })
  const [dialog, ask] = useState<UserDialog>()
  const opened = useOpened(user)
  const { id, firstName, lastName, username, email, departmentId, roleId, isAdmin, version } = opened
  const form = useCallForm(usersApi.update, {
    initial: { firstName, lastName, username, email, departmentId, roleId, isAdmin, version },
    fixed: { id },
    labels,
    onDone: (saved) => {
      void readAgain(['users', 'roles', 'departments'])
      toast.success(`${saved.name} is saved`)
      toList()
    },
  })
  const { values } = form
  return (
    <FormScreen
      form={form}
      title={user.name}
      badge={<StatusBadge {...stateOfUser(user)} pill />}
      actions={
        <PageMenu>
          <UserActs user={user} ask={ask} here />
        </PageMenu>
      }
      nothing="Nothing was saved."
      side={
        <Stack gap={16}>
          {values.roleId !== roleId && !values.isAdmin && <RoleEffect users={[id]} role={values.roleId} />}
          <SignInSection user={user} />
          <UserSessions user={user} />
        </Stack>
      }
      edits
      left="Applies from their next request on."
      save="Save account"
      onCancel={toList}
    >
      <UserFields
        text={form.text}
        role={form.field('roleId')}
        department={form.field('departmentId')}
        admin={form.field('isAdmin')}
        user={opened}
      />
      <UserDialogs dialog={dialog} close={() => ask(undefined)} onDeleted={toList} />
    </FormScreen>
  )
}

import type { User } from '@innkeeper/contract/access/users/shapes'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { Views } from '../../kit/list/Views.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { rolesApi } from '../roles/api.ts'
import { usersApi } from './api.ts'
import { columns, UserCard } from './columns.tsx'
import { UserDialogs } from './dialogs/UserDialogs.tsx'
import { useUserFilters, views } from './filters.ts'
import { UserActs, type UserDialog } from './UserActs.tsx'

export default function UsersScreen() {
  const list = useList(usersApi.list, {
    filters: ['search', 'state', 'role', 'department', 'kind', 'secondFactor', 'scope'],
  })
  const filters = useUserFilters(list.filters.scope)
  const [dialog, ask] = useState<UserDialog>()
  const create = (
    <CreateButton call={usersApi.create} to="/users/create">
      Create account
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={create}
      tabs={<Views name="users" list={list} views={views} />}
    >
      <ListTable
        name="users"
        noun={['account', 'accounts']}
        list={list}
        columns={columns}
        card={(user) => <UserCard user={user} />}
        label={({ name }) => name}
        open={({ id }) => `/users/edit/${id}`}
        menu={(user) => <UserActs user={user} ask={ask} />}
        bulk={(rows) => <Bulk rows={rows} ask={ask} />}
        search={{ key: 'search', placeholder: 'Name, user name or e-mail' }}
        filters={filters}
        empty={{
          title: 'No account yet',
          text: 'An account lets one of the staff sign in. What they may do comes from their role.',
          action: create,
          tag: 'US',
        }}
      />
      <UserDialogs dialog={dialog} close={() => ask(undefined)} />
    </Screen>
  )
}

function Bulk({ rows, ask }: { rows: User[]; ask: (dialog: UserDialog) => void }) {
  const reason = useReason()(rolesApi.assign)
  return (
    <ActButton size="xs" variant="default" reason={reason} onClick={() => ask({ kind: 'assign', users: rows })}>
      Give another role…
    </ActButton>
  )
}

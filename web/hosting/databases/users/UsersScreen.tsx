import { Screen } from '../../../kit/frame/Screen.tsx'
import { CreateButton } from '../../../kit/list/CreateButton.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { useServerChoice } from '../../../machines/servers/choice/useServerChoice.ts'
import { useOwnerChoice } from '../../owners/useOwnerChoice.ts'
import { useWebsiteChoice } from '../../websites/useWebsiteChoice.ts'
import { databasesApi } from '../api.ts'
import { engines } from '../words.ts'
import { columns, UserCard } from './columns.tsx'
import { RemoteAccess } from './RemoteAccess.tsx'
import { UserActs } from './UserActs.tsx'

export default function UsersScreen() {
  const website = useWebsiteChoice('websiteIds')
  const list = useList(databasesApi.users, { filters: ['search', 'server', 'owner', 'locked', 'websiteIds', 'engine'] })
  const servers = useServerChoice()
  const owners = useOwnerChoice('owner', list.rows)
  const create = (
    <CreateButton call={databasesApi.createUser} to="/databases/users/create">
      Create database user
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <RemoteAccess />
          {create}
        </>
      }
    >
      <ListTable
        name="databaseUsers"
        noun={['database user', 'database users']}
        list={list}
        columns={columns}
        card={(user) => <UserCard user={user} />}
        label={({ username }) => username}
        open={({ id }) => `/databases/users/edit/${id}`}
        menu={(user) => <UserActs user={user} />}
        search={{ key: 'search', placeholder: 'User name' }}
        filters={[
          ...website,
          ...servers,
          ...owners,
          { key: 'engine', label: 'Engine', options: engines },
          {
            key: 'locked',
            label: 'Lock',
            single: true,
            options: [
              { value: 'true', label: 'Locked' },
              { value: 'false', label: 'Not locked' },
            ],
          },
        ]}
        empty={{
          title: 'No database user yet',
          text: 'A new database gets a user of its own. Add users that only read, or that connect from another machine.',
          action: create,
          tag: 'DU',
        }}
      />
    </Screen>
  )
}

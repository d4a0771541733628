import { Screen } from '../../../kit/frame/Screen.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { useList } from '../../../kit/list/useList.ts'
import { stateOf } from '../../../kit/look/stateWords.ts'
import { useServerChoice } from '../../../machines/servers/choice/useServerChoice.ts'
import { mailboxesApi } from '../api.ts'
import { statuses } from '../words.ts'
import { columns, UserCard } from './columns.tsx'
import { UserActs } from './UserActs.tsx'

export default function UsersScreen() {
  const list = useList(mailboxesApi.users, { filters: ['search', 'status', 'server', 'mailbox', 'owner'] })
  const servers = useServerChoice(['mail', 'all-in-one'])
  return (
    <Screen scroll={false} count={listCount(list)}>
      <ListTable
        name="mailbox-users"
        noun={['mailbox', 'mailboxes']}
        list={list}
        columns={columns}
        card={(user) => <UserCard user={user} />}
        label={({ address }) => address}
        open={({ id }) => `/mailboxes/users/edit/${id}`}
        menu={(user) => <UserActs user={user} />}
        search={{ key: 'search', placeholder: 'Address or name' }}
        filters={[
          {
            key: 'status',
            label: 'Status',
            options: statuses.map(({ value }) => ({ value, label: stateOf(value).word })),
          },
          ...servers,
        ]}
        empty={{
          title: 'No mailbox yet',
          text: 'A mailbox belongs to a mail domain: open the mail domain to create one.',
          tag: '@',
        }}
      />
    </Screen>
  )
}

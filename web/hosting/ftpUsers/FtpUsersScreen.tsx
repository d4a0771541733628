import { ftpShown } from '@innkeeper/contract/hosting/ftpUsers'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { useOwnerChoice } from '../owners/useOwnerChoice.ts'
import { useWebsiteChoice } from '../websites/useWebsiteChoice.ts'
import { ftpUsersApi } from './api.ts'
import { columns, UserCard } from './columns.tsx'
import { FtpUserActs } from './FtpUserActs.tsx'

export default function FtpUsersScreen() {
  const website = useWebsiteChoice('websiteIds')
  const list = useList(ftpUsersApi.list, { filters: ['search', 'server', 'owner', 'status', 'websiteIds'] })
  const servers = useServerChoice()
  const owners = useOwnerChoice('owner', list.rows)
  const create = (
    <CreateButton call={ftpUsersApi.create} to="/ftp-users/create">
      Create FTP user
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="ftpUsers"
        noun={['FTP user', 'FTP users']}
        list={list}
        columns={columns}
        card={(user) => <UserCard user={user} />}
        label={({ username }) => username}
        open={({ id }) => `/ftp-users/edit/${id}`}
        menu={(user) => <FtpUserActs user={user} />}
        search={{ key: 'search', placeholder: 'Login name' }}
        filters={[
          ...website,
          ...servers,
          ...owners,
          {
            key: 'status',
            label: 'Status',
            options: ftpShown.options.map((value) => ({ value, label: stateOf(value).word })),
          },
        ]}
        empty={{
          title: 'No FTP user yet',
          text: 'An FTP user signs in to one folder of a website, over TLS. Its server gets the FTP service with the first one.',
          action: create,
          tag: 'FTP',
        }}
      />
    </Screen>
  )
}

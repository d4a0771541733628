import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { profilesApi } from './api.ts'
import { columns, ProfileCard, type Row, toRow } from './columns.tsx'

/** The list of all staff. */
export default function ProfilesScreen() {
  const found = useList(profilesApi.list, { filters: ['search'] })
  const list = {
    ...found,
    rows: found.rows.map(toRow),
    fetchPage: async (page: number, size: number, after?: string) => {
      const answer = await found.fetchPage(page, size, after)
      return { ...answer, rows: answer.rows.map(toRow) }
    },
  }
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <LinkButton to="/profile" variant="default">
          My profile
        </LinkButton>
      }
    >
      <ListTable<Row>
        name="profiles"
        noun={['profile', 'profiles']}
        list={list}
        columns={columns}
        card={(row) => <ProfileCard row={row} />}
        label={({ username }) => username}
        open={({ id }) => `/profile/${id}`}
        search={{ key: 'search', placeholder: 'Name, user name or e-mail' }}
        empty={{ title: 'Nobody yet', text: 'Everybody with an account has a profile here.', tag: 'PR' }}
      />
    </Screen>
  )
}

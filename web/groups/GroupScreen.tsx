import type { GroupWithMembers } from '@innkeeper/contract/groups'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { counted, moment } from '../kit/format.ts'
import { LinkTo } from '../kit/LinkTo.tsx'
import { Mono } from '../kit/Mono.tsx'
import { Dot } from '../kit/PageHeader.tsx'
import { Screen } from '../kit/Screen.tsx'
import { PageMenu } from '../servers/PageMenu.tsx'
import { numbered } from '../websites/numbered.tsx'
import { groupsApi } from './api.ts'
import { GroupActs } from './GroupActs.tsx'
import { Members } from './Members.tsx'

export default numbered('id', GroupScreen)

function GroupScreen({ id }: { id: number }) {
  const query = useQuery(groupsApi.one.query({ id }))
  const navigate = useNavigate()
  const group = query.data
  return (
    <Screen
      query={query}
      title={group?.mainDomain ?? 'Website group'}
      mono={group !== undefined}
      meta={group && <Meta group={group} />}
      actions={
        group && (
          <PageMenu>
            <GroupActs group={group} onRemoved={() => void navigate({ to: '/websites/groups' })} />
          </PageMenu>
        )
      }
    >
      {/* another version is another list: what was being arranged is not mixed into it */}
      {group && <Members key={group.version} group={group} />}
    </Screen>
  )
}

const Meta = ({ group }: { group: GroupWithMembers }) => (
  <>
    <LinkTo to="/websites/groups" search={{ owner: String(group.ownerId) }}>
      {group.ownerName}
    </LinkTo>
    <Dot />
    <Text>{counted(group.websites, ['website', 'websites'])}</Text>
    <Dot />
    <Mono>{group.servers.map(({ name }) => name).join(', ')}</Mono>
    <Dot />
    <Text>changed {moment(group.updatedAt)}</Text>
  </>
)

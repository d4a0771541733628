import type { GroupWithMembers } from '@innkeeper/contract/hosting/groups'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { numbered } from '../../kit/frame/numbered.tsx'
import { Dot } from '../../kit/frame/PageHeader.tsx'
import { PageMenu } from '../../kit/frame/PageMenu.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
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
      {group && <Members group={group} />}
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

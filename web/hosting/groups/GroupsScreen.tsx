import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { webTypes } from '../../machines/servers/choice/availability.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { useOwnerChoice } from '../owners/useOwnerChoice.ts'
import { AddGroup } from './AddGroup.tsx'
import { groupsApi } from './api.ts'
import { columns, GroupCard } from './columns.tsx'
import { GroupActs } from './GroupActs.tsx'

export default function GroupsScreen() {
  const list = useList(groupsApi.list, { filters: ['domain', 'server', 'owner'], size: 10 })
  const filters = [...useServerChoice(webTypes), ...useOwnerChoice('owner', list.rows)]
  const [adding, setAdding] = useState(false)
  const lacking = useReason()
  const add = (
    <ActButton
      reason={lacking(groupsApi.create) ?? lacking('website:website:read')}
      leftSection={<IconPlus size={15} />}
      onClick={() => setAdding(true)}
    >
      Create group
    </ActButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={add}>
      <ListTable
        name="groups"
        noun={['group', 'groups']}
        list={list}
        columns={columns}
        card={(group) => <GroupCard group={group} />}
        label={({ mainDomain }) => mainDomain}
        open={({ id }) => `/websites/groups/${id}`}
        menu={(group) => <GroupActs group={group} />}
        search={{ key: 'domain', placeholder: 'Domain of a member' }}
        filters={filters}
        empty={{
          title: 'No website group yet',
          text: 'A group is websites of one owner that belong together: they change owner and move between servers as one.',
          action: add,
          tag: 'WG',
        }}
      />
      {adding && <AddGroup close={() => setAdding(false)} />}
    </Screen>
  )
}

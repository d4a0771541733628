import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import type { FilterChoice } from '../../kit/list/filterChoice.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import { webTypes } from '../../machines/servers/choice/availability.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { useOwnerChoice } from '../owners/useOwnerChoice.ts'
import { plansApi } from '../plans/api.ts'
import { systemUsersApi } from './api.ts'
import { ChangePlan } from './ChangePlan.tsx'
import { columns, SystemUserCard } from './columns.tsx'
import { SystemUserActs } from './SystemUserActs.tsx'

const statuses = ['active', 'creating', 'suspended', 'deleting'] as const

export default function SystemUsersScreen() {
  const list = useList(systemUsersApi.list, { filters: ['search', 'status', 'server', 'plan', 'owner', 'over'] })
  const filters = useFilters(list.rows)
  const [changing, setChanging] = useState<SystemUser>()
  const create = (
    <CreateButton call={systemUsersApi.create} to="/system-users/create">
      Create system user
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="systemUsers"
        noun={['system user', 'system users']}
        list={list}
        columns={columns}
        card={(account) => <SystemUserCard account={account} />}
        label={({ username }) => username}
        open={({ id }) => `/system-users/edit/${id}`}
        menu={(account) => <SystemUserActs account={account} changePlan={() => setChanging(account)} />}
        search={{ key: 'search', placeholder: 'User name' }}
        filters={filters}
        empty={{
          title: 'No system user yet',
          text: 'A system user is the Linux account of an owner on one server. A new website creates one automatically.',
          action: create,
          tag: 'SU',
        }}
      />
      {changing && <ChangePlan account={changing} close={() => setChanging(undefined)} />}
    </Screen>
  )
}

/** Offers no filter by records that the person may not see. */
function useFilters(shown: readonly SystemUser[]) {
  const lacking = useReason()
  const servers = useServerChoice(webTypes)
  const owners = useOwnerChoice('owner', shown)
  const plans = useQuery({ ...plansApi.list.query({ itemsPerPage: 200 }), enabled: !lacking(plansApi.list) })
  const choices: FilterChoice[] = [
    {
      key: 'status',
      label: 'Status',
      options: statuses.map((status) => ({ value: status, label: stateOf(status).word })),
    },
    ...servers,
    ...owners,
    {
      key: 'plan',
      label: 'Plan',
      options: (plans.data?.items ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
    },
    { key: 'over', label: 'Disk', options: [{ value: 'true', label: 'More than the plan has' }] },
  ]
  return choices.filter(({ options, call }) => call || options.length > 0)
}

import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { databaseEngine, databaseStatus } from '@innkeeper/contract/hosting/databases/calls'
import { useState } from 'react'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { stateOf } from '../../kit/look/stateWords.ts'
import { useServerChoice } from '../../machines/servers/choice/useServerChoice.ts'
import { useOwnerChoice } from '../owners/useOwnerChoice.ts'
import { useWebsiteChoice } from '../websites/useWebsiteChoice.ts'
import { databasesApi } from './api.ts'
import ChangeDatabase from './ChangeDatabase.tsx'
import { columns, DatabaseCard } from './columns.tsx'
import { DatabaseActs } from './DatabaseActs.tsx'
import { RunsButton } from './RunsButton.tsx'
import { UnknownDatabases } from './UnknownDatabases.tsx'
import { engineWords } from './words.ts'

const statuses = databaseStatus.options.filter((status) => status !== 'deleted')

export default function DatabasesScreen() {
  const website = useWebsiteChoice('websiteIds')
  const list = useList(databasesApi.list, { filters: ['search', 'status', 'server', 'owner', 'engine', 'websiteIds'] })
  const servers = useServerChoice()
  const owners = useOwnerChoice('owner', list.rows)
  const [changing, setChanging] = useState<Database>()
  const create = (
    <CreateButton call={databasesApi.create} to="/databases/create">
      Create database
    </CreateButton>
  )
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <>
          <UnknownDatabases />
          <RunsButton />
          {create}
        </>
      }
    >
      <ListTable
        name="databases"
        noun={['database', 'databases']}
        list={list}
        columns={columns}
        card={(database) => <DatabaseCard database={database} />}
        label={({ name }) => name}
        open={({ websiteId }) => `/websites/${websiteId}?tab=data`}
        menu={(database) => <DatabaseActs database={database} change={() => setChanging(database)} />}
        search={{ key: 'search', placeholder: 'Name' }}
        filters={[
          ...website,
          {
            key: 'status',
            label: 'Status',
            options: statuses.map((value) => ({ value, label: stateOf(value).word })),
          },
          ...servers,
          ...owners,
          {
            key: 'engine',
            label: 'Engine',
            options: databaseEngine.options.map((value) => ({ value, label: engineWords[value] })),
          },
        ]}
        empty={{
          title: 'No database yet',
          text: 'A database belongs to a website and is moved, suspended and deleted with it. It gets an account of its own.',
          action: create,
          tag: 'DB',
        }}
      />
      {changing && <ChangeDatabase database={changing} close={() => setChanging(undefined)} />}
    </Screen>
  )
}

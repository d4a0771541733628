import { serverTypes } from '@innkeeper/contract/machines/servers/shapes'
import { IconPlus, IconRefresh } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkButton } from '../../kit/frame/LinkTo.tsx'
import { PageTabs } from '../../kit/frame/PageTabs.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { updateAgents } from './acts.ts'
import { serversApi } from './api.ts'
import { columns, ServerCard } from './columns.tsx'
import { ServerActs } from './ServerActs.tsx'
import { Types } from './Types.tsx'
import { typeWord } from './words.ts'

/** Interval of refetching the list in milliseconds, because heartbeats send no hints. */
const FRESH = 10_000

const words = (values: readonly string[]) => values.map((value) => ({ value, label: stateOf(value).word }))
const filters = [
  { key: 'observed', label: 'Seen', options: words(['online', 'stale', 'offline', 'unknown']) },
  { key: 'status', label: 'Wanted', options: words(['up', 'down']), single: true },
  {
    key: 'type',
    label: 'Type',
    options: serverTypes.map((type) => ({ value: type, label: typeWord(type) })),
    single: true,
  },
]

export default function ServersScreen() {
  const { tab = 'servers' } = useSearch({ strict: false })
  const navigate = useNavigate()
  const list = useList(serversApi.list, {
    filters: ['search', 'observed', 'status', 'type'],
    refetchInterval: FRESH,
  })
  const types = tab === 'types'
  const add = <AddButton />
  return (
    <Screen
      scroll={types}
      count={listCount(list)}
      actions={
        <>
          {list.rows.some(({ agentSkew }) => agentSkew) && <UpdateAgents />}
          {add}
        </>
      }
      tabs={
        <PageTabs
          of={{ servers: 'Servers', types: 'Types and services' }}
          at={tab}
          show={(next) => void navigate({ to: '.', search: next === 'types' ? { tab: next } : {} })}
        />
      }
    >
      {types ? (
        <Types />
      ) : (
        <ListTable
          name="servers"
          noun={['server', 'servers']}
          list={list}
          columns={columns}
          card={(server) => <ServerCard server={server} />}
          label={({ name }) => name}
          open={({ id }) => `/server/${id}`}
          menu={(server) => <ServerActs server={server} />}
          search={{ key: 'search', placeholder: 'Name or address' }}
          filters={filters}
          empty={{
            title: 'No server yet',
            text: 'A server is a machine of yours on which our agent runs. Adding one gives you the command that installs the agent.',
            action: add,
            tag: 'SE',
          }}
        />
      )}
    </Screen>
  )
}

/** Offers an update if a visible server has a different agent version. */
function UpdateAgents() {
  const reason = useReason()(serversApi.updateAgents)
  return (
    <ActButton
      visibleFrom="sm"
      variant="default"
      reason={reason}
      leftSection={<IconRefresh size={15} />}
      onClick={() => void updateAgents()}
    >
      Update agents…
    </ActButton>
  )
}

function AddButton() {
  const reason = useReason()(serversApi.create)
  const icon = <IconPlus size={15} />
  if (reason)
    return (
      <ActButton reason={reason} leftSection={icon}>
        Add server
      </ActButton>
    )
  return (
    <LinkButton to="/server/create" leftSection={icon}>
      Add server
    </LinkButton>
  )
}

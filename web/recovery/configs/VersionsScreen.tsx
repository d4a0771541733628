import { IconDownload } from '@tabler/icons-react'
import { useReason } from '../../kit/access/reasons.ts'
import { Screen } from '../../kit/frame/Screen.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { collectAll } from './acts.ts'
import { configsApi } from './api.ts'
import { ConfigTabs } from './ConfigTabs.tsx'
import { VersionActs } from './VersionActs.tsx'
import { columns, VersionCard } from './versionColumns.tsx'
import { authors, optionsOf, services } from './words.ts'

const filters = [
  { key: 'service', label: 'Service', options: optionsOf(services) },
  { key: 'by', label: 'Changed by', options: optionsOf(authors) },
  { key: 'current', label: 'Newest', options: [{ value: 'true', label: 'Only the newest' }], single: true },
]

/** Collected versions of the configuration of all servers. */
export default function VersionsScreen() {
  const list = useList(configsApi.list, { filters: ['search', 'service', 'by', 'current', 'server'] })
  const collect = <CollectButton />
  return (
    <Screen scroll={false} count={listCount(list)} actions={collect} tabs={<ConfigTabs at="/backups/config-resets" />}>
      <ListTable
        name="config-versions"
        noun={['version', 'versions']}
        list={list}
        columns={columns}
        card={(version) => <VersionCard version={version} />}
        label={({ serverName, service, number }) => `${services[service]} of ${serverName}, version ${number}`}
        open={({ id }) => `/backups/config-resets/${id}`}
        menu={(version) => <VersionActs version={version} />}
        search={{ key: 'search', placeholder: 'Server, service or file' }}
        filters={filters}
        empty={{
          title: 'Nothing is collected yet',
          text: 'Every night the configuration of each service of each server is collected. A version is made when a file changed.',
          action: collect,
          tag: 'CR',
        }}
      />
    </Screen>
  )
}

function CollectButton() {
  const reason = useReason()(configsApi.collect)
  return (
    <ActButton reason={reason} leftSection={<IconDownload size={15} />} onClick={() => void collectAll()}>
      Collect now
    </ActButton>
  )
}

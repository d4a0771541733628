import type { ConfigVersion } from '@innkeeper/contract/configs'
import { Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useReason } from '../kit/access/reasons.ts'
import { Screen } from '../kit/frame/Screen.tsx'
import type { Column } from '../kit/list/columns.ts'
import { ListTable } from '../kit/list/ListTable.tsx'
import { listCount } from '../kit/list/listCount.ts'
import { NameCell, NameLink } from '../kit/list/NameCell.tsx'
import { useList } from '../kit/list/useList.ts'
import { ActButton } from '../kit/look/ActButton.tsx'
import { ago, counted } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { StatusBadge } from '../kit/look/StatusBadge.tsx'
import { collectAll } from './acts.ts'
import { configsApi } from './api.ts'
import { ConfigTabs } from './ConfigTabs.tsx'
import { VersionActs } from './VersionActs.tsx'
import { authors, authorsOf, changesOf, optionsOf, services, triggers } from './words.ts'

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

const columns: readonly Column<ConfigVersion>[] = [
  {
    key: 'server',
    title: 'Server and service',
    sort: 'serverName',
    csv: ({ serverName, service }) => `${serverName} ${service}`,
    cell: ({ id, serverName, service, number, serverRemoved }) => (
      <NameCell below={serverRemoved ? `${serverName}, removed` : serverName}>
        <NameLink to="/backups/config-resets/$version" params={{ version: String(id) }}>
          {services[service]} <Mono c="dimmed">#{number}</Mono>
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'by',
    title: 'Changed by',
    width: 150,
    csv: ({ by }) => authorsOf(by),
    cell: ({ by }) => (
      <Text c={by.includes('person') ? undefined : 'dimmed'} fw={by.includes('person') ? 500 : undefined} truncate>
        {authorsOf(by)}
      </Text>
    ),
  },
  {
    key: 'changes',
    title: 'Changes',
    width: 210,
    csv: changesOf,
    cell: (version) => (
      <Text c="dimmed" truncate title={version.paths.join('\n')}>
        {version.number === 1 ? `first, ${counted(version.files, ['file', 'files'])}` : changesOf(version)}
      </Text>
    ),
  },
  {
    key: 'paths',
    title: 'Files',
    width: 260,
    csv: ({ paths }) => paths.join(' '),
    cell: ({ paths }) => (
      <Mono fz="xs" c="dimmed" display="block" truncate>
        {paths[0]}
      </Mono>
    ),
  },
  {
    key: 'current',
    title: 'State',
    width: 100,
    csv: ({ current }) => (current ? 'newest' : 'earlier'),
    cell: ({ current }) => (current ? <StatusBadge state="active" label="Newest" /> : <Text c="dimmed">Earlier</Text>),
  },
  {
    key: 'trigger',
    title: 'Collected',
    width: 120,
    off: true,
    csv: ({ trigger }) => triggers[trigger],
    cell: ({ trigger }) => <Text c="dimmed">{triggers[trigger]}</Text>,
  },
  {
    key: 'collectedAt',
    title: 'When',
    sort: 'collectedAt',
    width: 120,
    csv: ({ collectedAt }) => collectedAt,
    cell: ({ collectedAt }) => <Text c="dimmed">{ago(collectedAt)}</Text>,
  },
]

/** Two lines on a phone. */
const VersionCard = ({ version }: { version: ConfigVersion }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {services[version.service]} of {version.serverName} <Mono c="dimmed">#{version.number}</Mono>
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {authorsOf(version.by)}: {changesOf(version)}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" style={{ flex: 'none' }}>
      {ago(version.collectedAt)}
    </Text>
  </Group>
)

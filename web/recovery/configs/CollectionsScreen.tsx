import type { ConfigCollection } from '@innkeeper/contract/recovery/configs/shapes'
import { Group, Text } from '@mantine/core'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ago, bytes, count, lasting } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { configsApi } from './api.ts'
import { ConfigTabs } from './ConfigTabs.tsx'
import { optionsOf, results, triggers } from './words.ts'

const filters = [
  { key: 'result', label: 'Result', options: optionsOf(results) },
  { key: 'trigger', label: 'Started', options: optionsOf(triggers) },
]

/** The log of collections, one line for each server and night. */
export default function CollectionsScreen() {
  const list = useList(configsApi.collections, { filters: ['search', 'result', 'trigger', 'server'] })
  return (
    <Screen scroll={false} count={listCount(list)} tabs={<ConfigTabs at="/backups/config-collection-logs" />}>
      <ListTable
        name="config-collections"
        noun={['collection', 'collections']}
        list={list}
        columns={columns}
        card={(row) => <CollectionCard row={row} />}
        label={({ serverName, startedAt }) => `${serverName}, ${startedAt}`}
        search={{ key: 'search', placeholder: 'Server or problem' }}
        filters={filters}
        empty={{
          title: 'Nothing was collected yet',
          text: 'Each collection of a server is a line here. The first one follows within ten minutes after a server has an agent.',
          tag: 'CC',
        }}
      />
    </Screen>
  )
}

const states = { success: 'success', partial: 'degraded', failed: 'failed' } as const
const Result = ({ row: { result } }: { row: ConfigCollection }) => (
  <StatusBadge state={states[result]} label={results[result]} />
)
const tries = ({ problem, attempts }: ConfigCollection) =>
  problem && attempts > 1 ? `${problem}, ${count(attempts)} times` : (problem ?? '')

const columns: readonly Column<ConfigCollection>[] = [
  {
    key: 'server',
    title: 'Server',
    sort: 'serverName',
    csv: ({ serverName }) => serverName,
    cell: ({ serverName }) => <Mono fw={450}>{serverName}</Mono>,
  },
  {
    key: 'result',
    title: 'Result',
    width: 120,
    csv: ({ result }) => results[result],
    cell: (row) => <Result row={row} />,
  },
  {
    key: 'problem',
    title: 'Problem',
    width: 300,
    csv: tries,
    cell: (row) => (
      <Text c="dimmed" truncate title={row.problem ?? undefined}>
        {tries(row)}
      </Text>
    ),
  },
  {
    key: 'changed',
    title: 'Changed',
    width: 150,
    csv: ({ changed }) => changed,
    cell: ({ changed, files, result }) =>
      result === 'failed' ? null : (
        <Text c={changed ? undefined : 'dimmed'} className="num">
          {count(changed)} of {count(files)}
        </Text>
      ),
  },
  {
    key: 'bytes',
    title: 'Sent',
    spare: true,
    width: 90,
    align: 'right',
    csv: ({ bytes: sent }) => sent,
    cell: ({ bytes: sent }) => (
      <Text c="dimmed" className="num">
        {sent ? bytes(sent) : ''}
      </Text>
    ),
  },
  {
    key: 'trigger',
    title: 'Started',
    spare: true,
    width: 170,
    csv: ({ trigger, by }) => `${triggers[trigger]} ${by}`,
    cell: ({ trigger, by }) => (
      <Text c="dimmed" truncate>
        {trigger === 'nightly' ? triggers.nightly : `${triggers[trigger]}, ${by}`}
      </Text>
    ),
  },
  {
    key: 'lasted',
    title: 'Took',
    width: 90,
    off: true,
    csv: ({ startedAt, endedAt }) => endedAt && (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
    cell: ({ startedAt, endedAt }) => (
      <Text c="dimmed">{endedAt && lasting(Date.parse(endedAt) - Date.parse(startedAt))}</Text>
    ),
  },
  {
    key: 'startedAt',
    title: 'When',
    sort: 'startedAt',
    width: 120,
    csv: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => <Text c="dimmed">{ago(startedAt)}</Text>,
  },
]

/** Two lines on a phone. */
const CollectionCard = ({ row }: { row: ConfigCollection }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {row.serverName}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {row.problem ?? `${count(row.changed)} of ${count(row.files)} files changed, ${ago(row.startedAt)}`}
      </Text>
    </div>
    <Result row={row} />
  </Group>
)

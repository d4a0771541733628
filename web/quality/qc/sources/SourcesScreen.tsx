import type { Source } from '@innkeeper/contract/quality/qc/sourceShapes'
import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { LinkButton } from '../../../kit/frame/LinkTo.tsx'
import { Screen } from '../../../kit/frame/Screen.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { listCount } from '../../../kit/list/listCount.ts'
import { NameCell, RowName } from '../../../kit/list/NameCell.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { ago, count } from '../../../kit/look/format.ts'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { qcSourcesApi } from '../api.ts'
import { SourceModal } from './SourceModal.tsx'
import { sourceState, typeNames } from './words.ts'

const columns: readonly Column<Source>[] = [
  {
    key: 'name',
    title: 'Source',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, type, config }) => (
      <NameCell below={config.url ?? typeNames[type]}>
        <RowName>{name}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'Last run',
    width: 170,
    csv: ({ runs }) => runs[0]?.error ?? 'ok',
    cell: (row) => <StatusBadge {...sourceState(row)} />,
  },
  {
    key: 'conversations',
    title: 'Conversations',
    width: 130,
    align: 'right',
    csv: ({ conversations }) => conversations,
    cell: ({ conversations }) => (
      <span className="num">{conversations >= 10_000 ? '10,000+' : count(conversations)}</span>
    ),
  },
  {
    key: 'unknown',
    title: 'Unknown agents',
    width: 140,
    align: 'right',
    csv: ({ unknownAgents }) => unknownAgents,
    cell: ({ unknownAgents }) => <span className="num">{count(unknownAgents)}</span>,
  },
  {
    key: 'last',
    title: 'Last import',
    width: 130,
    csv: ({ lastImportAt }) => lastImportAt ?? '',
    cell: ({ lastImportAt }) => <Text c="dimmed">{lastImportAt ? ago(lastImportAt) : 'never'}</Text>,
  },
]

/** Where chats and tickets come from. */
export default function SourcesScreen() {
  const list = useList(qcSourcesApi.sources, {})
  const [isOpen, { open, close }] = useDisclosure(false)
  const create = <Button onClick={open}>Create source</Button>
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <Group gap={8}>
          <LinkButton to="/qc-settings-v2/identities" variant="default">
            Agents
          </LinkButton>
          {create}
        </Group>
      }
    >
      <ListTable
        name="qc-sources"
        noun={['source', 'sources']}
        list={list}
        columns={columns}
        card={(row) => (
          <>
            <Group justify="space-between" wrap="nowrap">
              <Text fw={450} truncate>
                {row.name}
              </Text>
              <StatusBadge {...sourceState(row)} />
            </Group>
            <Text c="dimmed" fz="xs">
              {typeNames[row.type]}, {count(row.conversations)} conversations
            </Text>
          </>
        )}
        label={({ name }) => name}
        open={({ id }) => `/qc-settings-v2/sources/${id}`}
        empty={{
          title: 'No source yet',
          text: 'A source is a help desk that is asked for chats and tickets, or one that sends JSON lines.',
          action: create,
          tag: 'SO',
        }}
      />
      {isOpen && <SourceModal close={close} />}
    </Screen>
  )
}

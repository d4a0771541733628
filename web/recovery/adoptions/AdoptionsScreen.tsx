import { type Adoption, adoptionStatuses } from '@innkeeper/contract/recovery/adoptions/shapes'
import { Group, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { useList } from '../../kit/list/useList.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { ago } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { stateOf } from '../../kit/look/stateWords.ts'
import { adoptionsApi } from './api.ts'
import { contentOf, panels, remainingOf } from './words.ts'

const NewAdoption = lazyPart(
  () => import('./NewAdoption.tsx'),
  () => null,
)
const filters = [
  { key: 'status', label: 'Status', options: adoptionStatuses.map((value) => ({ value, label: stateOf(value).word })) },
]

const columns: readonly Column<Adoption>[] = [
  {
    key: 'serverName',
    title: 'Server',
    csv: ({ serverName }) => serverName,
    cell: (one) => (
      <NameCell below={one.panel ? panels[one.panel] : ''}>
        <LinkTo to="/adoptions/$id" params={{ id: String(one.id) }} c="inherit" truncate>
          {one.serverName}
        </LinkTo>
      </NameCell>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    csv: ({ status }) => status,
    cell: ({ status }) => <StatusBadge state={status} />,
  },
  {
    key: 'content',
    title: 'Has',
    width: 260,
    csv: contentOf,
    cell: (one) => (
      <Text c="dimmed" truncate title={one.reason ?? undefined}>
        {contentOf(one)}
      </Text>
    ),
  },
  {
    key: 'remaining',
    title: 'Still elsewhere',
    width: 180,
    csv: remainingOf,
    cell: (one) => <Text c="dimmed">{remainingOf(one)}</Text>,
  },
  {
    key: 'createdAt',
    title: 'Begun',
    sort: 'createdAt',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

/** Servers in use elsewhere whose websites come to servers of Innkeeper. */
export default function AdoptionsScreen() {
  const list = useList(adoptionsApi.list, { filters: ['status'] })
  const lacking = useReason()
  const [adding, setAdding] = useState(false)
  return (
    <Screen
      scroll={false}
      count={listCount(list)}
      actions={
        <ActButton
          leftSection={<IconPlus size={15} />}
          reason={lacking(adoptionsApi.look)}
          onClick={() => setAdding(true)}
        >
          Look at server
        </ActButton>
      }
    >
      <ListTable
        name="adoptions"
        noun={['server', 'servers']}
        list={list}
        columns={columns}
        card={(one) => <AdoptionCard one={one} />}
        label={({ serverName }) => serverName}
        filters={filters}
        empty={{
          title: 'No server was adopted yet',
          text: 'Websites of a machine with HestiaCP, ISPConfig or a hand-made nginx or Apache come to servers of Innkeeper, one account after the other. The machine itself is not changed.',
          tag: 'AD',
        }}
      />
      {adding && <NewAdoption close={() => setAdding(false)} />}
    </Screen>
  )
}

/** Two lines on a phone. */
const AdoptionCard = ({ one }: { one: Adoption }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {one.serverName}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {contentOf(one)}
      </Text>
    </div>
    <StatusBadge state={one.status} />
  </Group>
)

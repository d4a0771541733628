import type { IpSet } from '@innkeeper/contract/machines/ipsets/shapes'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import { Screen } from '../../kit/frame/Screen.tsx'
import { CreateButton } from '../../kit/list/CreateButton.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { listCount } from '../../kit/list/listCount.ts'
import { useList } from '../../kit/list/useList.ts'
import { ago, count, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { ipsetsApi } from './api.ts'
import { SetActs } from './SetActs.tsx'
import { placeOf, stateOf } from './words.ts'

export default function SetsScreen() {
  const list = useList(ipsetsApi.sets, { filters: ['search', 'server'] })
  const create = (
    <CreateButton call={ipsetsApi.create} to="/ipset/sets/create">
      Add IP set
    </CreateButton>
  )
  return (
    <Screen scroll={false} count={listCount(list)} actions={create}>
      <ListTable
        name="ipsets"
        noun={['IP set', 'IP sets']}
        list={list}
        columns={columns}
        card={(set) => <SetCard set={set} />}
        label={({ name }) => name}
        open={({ name }) => `/ipset/sets/${name}`}
        menu={(set) => <SetActs set={set} />}
        search={{ key: 'search', placeholder: 'Name or purpose' }}
        empty={{
          title: 'No IP set yet',
          text: 'Servers drop packets of the addresses in a set, such as password guessers or flooders. A set is on all servers or on some.',
          action: create,
          tag: 'IP',
        }}
      />
    </Screen>
  )
}

const columns: readonly Column<IpSet>[] = [
  {
    key: 'name',
    title: 'Set',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, description }) => (
      <div style={{ minWidth: 0 }}>
        <LinkTo
          to="/ipset/sets/$setName"
          params={{ setName: name }}
          c="inherit"
          underline="never"
          display="block"
          truncate
        >
          <Mono fw={450}>{name}</Mono>
        </LinkTo>
        <Text c="dimmed" fz="xs" truncate>
          {description}
        </Text>
      </div>
    ),
  },
  {
    key: 'state',
    title: 'In force',
    width: 170,
    csv: (set) => stateOf(set).label,
    cell: (set) => <StatusBadge {...stateOf(set)} />,
  },
  {
    key: 'place',
    title: 'Where',
    width: 130,
    csv: placeOf,
    cell: (set) => <Text c="dimmed">{placeOf(set)}</Text>,
  },
  {
    key: 'bans',
    title: 'Bans',
    sort: 'bans',
    width: 100,
    align: 'right',
    csv: ({ bans }) => bans,
    cell: ({ bans }) => <span className="num">{count(bans)}</span>,
  },
  {
    key: 'createdAt',
    title: 'Added',
    sort: 'createdAt',
    width: 120,
    csv: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Text c="dimmed">{ago(createdAt)}</Text>,
  },
]

/** Two lines on a phone. */
const SetCard = ({ set }: { set: IpSet }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {set.name}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {counted(set.bans, ['ban', 'bans'])}, {placeOf(set)}
      </Text>
    </div>
    <StatusBadge {...stateOf(set)} />
  </Group>
)

import type { AccessItem } from '@innkeeper/contract/access/accessReviews'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { ago, count } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { decisionWords, kindWords } from './words.ts'

const usesOf = ({ scopes, unused }: AccessItem) =>
  scopes ? `${count(scopes - unused.length)} of ${count(scopes)} permissions` : ''

const Decision = ({ item: { decision, outcome, isProposed, decidedByName } }: { item: AccessItem }) => {
  if (outcome) return <span title={outcome}>{outcome}</span>
  if (decision)
    return (
      <span title={decidedByName ? `By ${decidedByName}` : undefined}>
        <StatusBadge state={decision === 'keep' ? 'done' : 'failed'} label={decisionWords[decision]} />
      </span>
    )
  return isProposed ? (
    <StatusBadge state="warning" label="Not used for long" />
  ) : (
    <StatusBadge state="pending" label="Waits" />
  )
}

export const columns: readonly Column<AccessItem>[] = [
  {
    key: 'userName',
    title: 'Person',
    sort: 'userName',
    csv: ({ userName }) => userName,
    cell: ({ userName, isService }) => <NameCell below={isService ? 'Program' : undefined}>{userName}</NameCell>,
  },
  {
    key: 'name',
    title: 'Holds',
    width: 260,
    csv: ({ kind, name }) => `${kindWords[kind]} ${name}`,
    cell: ({ kind, name, source }) => (
      <NameCell below={source}>{kind === 'administrator' ? name : `${kindWords[kind]} ${name}`}</NameCell>
    ),
  },
  { key: 'uses', title: 'Used', width: 170, csv: usesOf, cell: usesOf },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    sort: 'lastUsedAt',
    width: 120,
    csv: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt, kind }) => (
      <Text span c="dimmed">
        {lastUsedAt ? ago(lastUsedAt) : kind === 'department' ? '' : 'never'}
      </Text>
    ),
  },
  {
    key: 'decision',
    title: 'Decision',
    width: 210,
    csv: ({ decision, outcome }) => outcome ?? decision ?? '',
    cell: (item) => <Decision item={item} />,
  },
]

/** Two lines on a phone. */
export const ItemCard = ({ item }: { item: AccessItem }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {item.userName}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {kindWords[item.kind]} {item.name}
      </Text>
    </div>
    <Decision item={item} />
  </Group>
)

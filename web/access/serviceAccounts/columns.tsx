import type { ServiceAccount } from '@innkeeper/contract/access/serviceAccounts'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'

export const columns: readonly Column<ServiceAccount>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, description }) => (
      <NameCell below={description ?? 'no description'}>
        <NameLink to="/service-accounts/edit/$accountId" params={{ accountId: String(id) }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'roleName',
    title: 'Role',
    width: 170,
    csv: ({ roleName }) => roleName,
    cell: ({ roleName }) => roleName ?? <Text c="dimmed">no role</Text>,
  },
  {
    key: 'ownerName',
    title: 'Owner',
    width: 170,
    csv: ({ ownerName }) => ownerName,
    cell: ({ ownerName }) => ownerName,
  },
  {
    key: 'tokens',
    title: 'Tokens',
    width: 90,
    align: 'right',
    csv: ({ tokens }) => tokens,
    cell: ({ id, tokens }) => (
      <LinkTo to="/tokens" search={{ user: String(id) }} c="inherit" className="num">
        {count(tokens)}
      </LinkTo>
    ),
  },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    width: 120,
    csv: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => (
      <Text span c="dimmed">
        {lastUsedAt ? ago(lastUsedAt) : 'never'}
      </Text>
    ),
  },
]

/** Two lines on a phone. */
export const ServiceAccountCard = ({ account }: { account: ServiceAccount }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {account.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {account.roleName ?? 'no role'}, {account.ownerName}
      </Text>
    </div>
    <Text c="dimmed" fz="xs" className="num" style={{ flex: 'none' }}>
      {counted(account.tokens, ['token', 'tokens'])}
    </Text>
  </Group>
)

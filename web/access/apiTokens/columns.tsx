import type { ApiToken } from '@innkeeper/contract/access/apiTokens'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, RowName } from '../../kit/list/NameCell.tsx'
import { ago, counted, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

const scopesText = ({ scopes }: ApiToken) => counted(scopes.length, ['permission', 'permissions'])

export const columns: readonly Column<ApiToken>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ name, begins }) => (
      <NameCell below={`${begins}…`}>
        <RowName>{name}</RowName>
      </NameCell>
    ),
  },
  { key: 'userName', title: 'Acts as', width: 190, csv: ({ userName }) => userName, cell: ({ userName }) => userName },
  {
    key: 'scopes',
    title: 'May',
    width: 170,
    csv: ({ scopes }) => scopes.join(' '),
    cell: (token) => (
      <Text span title={token.scopes.join('\n')}>
        {scopesText(token)}
        {token.networks.length > 0 && (
          <Text span c="dimmed">
            {' '}
            from {counted(token.networks.length, ['network', 'networks'])}
          </Text>
        )}
      </Text>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: 110,
    csv: ({ state }) => state,
    cell: ({ state }) => <StatusBadge state={state} />,
  },
  {
    key: 'expiresAt',
    title: 'Expires',
    sort: 'expiresAt',
    width: 150,
    csv: ({ expiresAt }) => expiresAt,
    cell: ({ expiresAt }) => (
      <Text span c="dimmed">
        {moment(expiresAt)}
      </Text>
    ),
  },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    sort: 'lastUsedAt',
    width: 170,
    csv: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt, lastUsedIp }) =>
      lastUsedAt ? (
        <Text span c="dimmed">
          {ago(lastUsedAt)} {lastUsedIp && <Mono fz="xs">{lastUsedIp}</Mono>}
        </Text>
      ) : (
        <Text span c="dimmed">
          never
        </Text>
      ),
  },
]

/** Two lines on a phone. */
export const ApiTokenCard = ({ token }: { token: ApiToken }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {token.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {token.userName}, {scopesText(token)}
      </Text>
    </div>
    <StatusBadge state={token.state} />
  </Group>
)

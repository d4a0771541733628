import type { Delivery, Webhook } from '@innkeeper/contract/access/webhooks'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink, RowName } from '../../kit/list/NameCell.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'

/** The state as people read it: a webhook that is active and reaches nobody is failing. */
export const stateOf = ({ state, failingSince }: Webhook) => (state === 'active' && failingSince ? 'failing' : state)
export const kindsText = ({ domains, objects, departments }: Webhook) =>
  [
    domains.length ? counted(domains.length, ['kind', 'kinds']) : 'all kinds',
    ...(objects.length ? [counted(objects.length, ['object', 'objects'])] : []),
    ...(departments.length ? [counted(departments.length, ['department', 'departments'])] : []),
  ].join(', ')

export const columns: readonly Column<Webhook>[] = [
  {
    key: 'name',
    title: 'Name',
    sort: 'name',
    csv: ({ name }) => name,
    cell: ({ id, name, url }) => (
      <NameCell below={url}>
        <NameLink to="/webhooks/$webhookId" params={{ webhookId: String(id) }}>
          {name}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'domains',
    title: 'Tells of',
    width: 130,
    csv: ({ domains }) => domains.join(' '),
    cell: (hook) => <span title={hook.domains.join('\n')}>{kindsText(hook)}</span>,
  },
  {
    key: 'ownerName',
    title: 'Owner',
    width: 170,
    csv: ({ ownerName }) => ownerName,
    cell: ({ ownerName }) => ownerName,
  },
  { key: 'state', title: 'State', width: 110, csv: stateOf, cell: (hook) => <StatusBadge state={stateOf(hook)} /> },
  {
    key: 'failed',
    title: 'Failed',
    width: 80,
    align: 'right',
    csv: ({ failed }) => failed,
    cell: ({ failed }) => <span className="num">{count(failed)}</span>,
  },
  {
    key: 'lastDeliveredAt',
    title: 'Last arrived',
    width: 130,
    csv: ({ lastDeliveredAt }) => lastDeliveredAt,
    cell: ({ lastDeliveredAt }) => (
      <Text span c="dimmed">
        {lastDeliveredAt ? ago(lastDeliveredAt) : 'never'}
      </Text>
    ),
  },
]

/** Two lines on a phone. */
export const WebhookCard = ({ hook }: { hook: Webhook }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {hook.name}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {hook.url}
      </Text>
    </div>
    <StatusBadge state={stateOf(hook)} />
  </Group>
)

export const messageColumns: readonly Column<Delivery>[] = [
  {
    key: 'domain',
    title: 'About',
    csv: ({ domain }) => domain,
    cell: ({ domain, objectId, messageId }) => (
      <NameCell below={messageId}>
        <RowName>{objectId === null ? domain : `${domain} ${objectId}`}</RowName>
      </NameCell>
    ),
  },
  {
    key: 'state',
    title: 'State',
    width: 120,
    csv: ({ state }) => state,
    cell: ({ state }) => <StatusBadge state={state} />,
  },
  {
    key: 'status',
    title: 'Answer',
    width: 90,
    align: 'right',
    csv: ({ status }) => status,
    cell: ({ status }) => <span className="num">{status ?? '–'}</span>,
  },
  {
    key: 'attempts',
    title: 'Attempts',
    width: 96,
    align: 'right',
    csv: ({ attempts }) => attempts,
    cell: ({ attempts }) => <span className="num">{count(attempts)}</span>,
  },
  {
    key: 'changedAt',
    title: 'Changed',
    width: 130,
    csv: ({ changedAt }) => changedAt,
    cell: ({ changedAt }) => (
      <Text span c="dimmed">
        {ago(changedAt)}
      </Text>
    ),
  },
]

import type { ResourceRow as Row } from '@innkeeper/contract/hosting/websites'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../../kit/list/NameCell.tsx'
import { serverColumn } from '../../../kit/list/serverColumn.tsx'
import { statusColumn } from '../../../kit/list/statusColumn.tsx'
import { ago, moment } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import css from '../columns.module.css'

type Place = Pick<Row, 'websiteId' | 'resourceType' | 'resourceId'>

/** A resource identified by its last action. */
export type ResourceRow = Row & { id: number }

export const resourcePath = ({ websiteId, resourceType, resourceId }: Place): string =>
  `/website-orchestrator/${websiteId}/${encodeURIComponent(resourceType)}/${resourceId}`

const whenOf = ({ action }: Row): string | null => action?.endedAt ?? action?.startedAt ?? action?.readyAt ?? null

export const columns: readonly Column<ResourceRow>[] = [
  {
    key: 'resource',
    title: 'Resource',
    csv: ({ resourceType }) => resourceType,
    cell: (row) => (
      <NameCell below={<span title={row.detail}>{row.detail || row.name}</span>}>
        <NameLink to={resourcePath(row)}>{row.title}</NameLink>
      </NameCell>
    ),
  },
  statusColumn,
  {
    key: 'domain',
    title: 'Website',
    width: 200,
    csv: ({ domain }) => domain,
    cell: ({ websiteId, domain }) => (
      <LinkTo to="/websites/$id" params={{ id: String(websiteId) }} display="block" truncate>
        <Mono title={domain}>{domain}</Mono>
      </LinkTo>
    ),
  },
  {
    key: 'name',
    title: 'Name',
    width: 160,
    off: true,
    csv: ({ name }) => name,
    cell: ({ name }) => (
      <Mono truncate display="block" title={name}>
        {name}
      </Mono>
    ),
  },
  { ...serverColumn, width: 120 },
  {
    key: 'action',
    title: 'Last action',
    width: 150,
    csv: ({ action }) => action?.name ?? null,
    cell: ({ action }) => (
      <Text span truncate display="block">
        {action ? `${action.title}${action.attempt > 1 ? `, attempt ${action.attempt}` : ''}` : '–'}
      </Text>
    ),
  },
  {
    key: 'when',
    title: 'When',
    width: 104,
    csv: whenOf,
    cell: (row) => {
      const at = whenOf(row)
      return (
        <Text span c="dimmed" className={css.line} title={at ? moment(at) : undefined}>
          {at ? ago(at) : 'not yet'}
        </Text>
      )
    },
  },
  {
    key: 'blocks',
    title: 'Holds up',
    width: 130,
    csv: ({ blocks }) => blocks.join(', '),
    cell: ({ blocks }) => (
      <Text span c="dimmed" truncate display="block" title={blocks.join(', ')}>
        {blocks.join(', ')}
      </Text>
    ),
  },
]

/** Two lines on a phone. */
export const ResourceCard = ({ row: { title, domain, status } }: { row: ResourceRow }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div className={css.name}>
      <Text truncate>{title}</Text>
      <Mono c="dimmed" fz="xs" display="block" truncate>
        {domain}
      </Mono>
    </div>
    <div className={css.right}>
      <StatusBadge state={status} />
    </div>
  </Group>
)

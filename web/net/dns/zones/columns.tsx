import type { Zone } from '@innkeeper/contract/net/dns/calls'
import { Group, Text } from '@mantine/core'
import { LinkTo } from '../../../kit/frame/LinkTo.tsx'
import type { Column } from '../../../kit/list/columns.ts'
import { ago, count, counted } from '../../../kit/look/format.ts'
import { Mono } from '../../../kit/look/Mono.tsx'
import { StatusBadge } from '../../../kit/look/StatusBadge.tsx'
import { stateOf } from '../words.ts'

export const columns: readonly Column<Zone>[] = [
  {
    key: 'domain',
    title: 'Zone',
    sort: 'domain',
    csv: ({ domain }) => domain,
    cell: (zone) => (
      <div style={{ minWidth: 0 }}>
        <LinkTo
          to="/dns/zone/$id"
          params={{ id: String(zone.id) }}
          c="inherit"
          underline="never"
          display="block"
          truncate
        >
          <Mono fw={450}>{zone.domain}</Mono>
        </LinkTo>
        <Text c="dimmed" fz="xs" truncate>
          {[zone.unicode, whose(zone)].filter(Boolean).join(' · ')}
        </Text>
      </div>
    ),
  },
  {
    key: 'status',
    title: 'Status',
    width: 130,
    csv: (zone) => stateOf(zone).label,
    cell: (zone) => <StatusBadge {...stateOf(zone)} />,
  },
  {
    key: 'records',
    title: 'Records',
    width: 90,
    align: 'right',
    csv: ({ records }) => records,
    cell: ({ records }) => <span className="num">{count(records)}</span>,
  },
  {
    key: 'serial',
    title: 'Serial',
    width: 116,
    csv: ({ serial }) => serial,
    cell: ({ serial }) => <Mono>{serial}</Mono>,
  },
  {
    key: 'dnssec',
    title: 'DNSSEC',
    width: 84,
    csv: ({ dnssec }) => (dnssec ? 'on' : 'off'),
    cell: ({ dnssec }) => <Text c="dimmed">{dnssec ? 'on' : 'off'}</Text>,
  },
  {
    key: 'updatedAt',
    title: 'Edited',
    sort: 'updatedAt',
    width: 170,
    csv: ({ updatedAt }) => updatedAt,
    cell: ({ updatedAt, changedBy }) => (
      <Text c="dimmed" truncate title={changedBy ?? undefined}>
        {ago(updatedAt)}
        {changedBy && `, ${changedBy}`}
      </Text>
    ),
  },
]

const whose = ({ adminOnly, departmentIds }: Zone): string => {
  if (adminOnly) return 'administrators only'
  return departmentIds.length ? `given to ${counted(departmentIds.length, ['department', 'departments'])}` : 'everybody'
}

/** Two lines on a phone. */
export const ZoneCard = ({ zone }: { zone: Zone }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {zone.domain}
      </Mono>
      <Text c="dimmed" fz="xs" truncate>
        {[zone.unicode, `${counted(zone.records, ['record', 'records'])}, ${whose(zone)}`].filter(Boolean).join(' · ')}
      </Text>
    </div>
    <StatusBadge {...stateOf(zone)} />
  </Group>
)

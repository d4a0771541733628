import type { Elevation } from '@innkeeper/contract/access/elevations'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell } from '../../kit/list/NameCell.tsx'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { moment } from '../../kit/look/format.ts'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { endingWords, spanText, stateWords, whatOf } from './words.ts'

const glyphs = { asked: 'pending', held: 'begun', ended: 'none', refused: 'none', lapsed: 'none' } as const

const ElevationState = ({ elevation: { state, ending } }: { elevation: Elevation }) => (
  <span title={ending ? endingWords[ending] : undefined}>
    <StatusBadge state={glyphs[state]} label={stateWords[state]} />
  </span>
)

export const columns: readonly Column<Elevation>[] = [
  {
    key: 'userName',
    title: 'Who and why',
    csv: ({ userName }) => userName,
    cell: ({ userName, reason }) => <NameCell below={reason}>{userName}</NameCell>,
  },
  {
    key: 'what',
    title: 'What',
    width: 250,
    csv: ({ roleName, scopes }) => [...(roleName ? [roleName] : []), ...scopes].join(' '),
    cell: (elevation) => <span title={elevation.scopes.join('\n')}>{whatOf(elevation)}</span>,
  },
  {
    key: 'minutes',
    title: 'For',
    width: 100,
    csv: ({ minutes }) => String(minutes),
    cell: ({ minutes }) => spanText(minutes),
  },
  {
    key: 'state',
    title: 'State',
    width: 120,
    csv: ({ state }) => state,
    cell: (elevation) => <ElevationState elevation={elevation} />,
  },
  {
    key: 'decidedByName',
    title: 'Decided by',
    width: 160,
    csv: ({ decidedByName, atOnce }) => decidedByName ?? (atOnce ? 'a rule' : ''),
    cell: ({ decidedByName, atOnce }) =>
      decidedByName ?? (
        <Text span c="dimmed">
          {atOnce ? 'a rule' : ''}
        </Text>
      ),
  },
  {
    key: 'endsAt',
    title: 'Until',
    sort: 'endsAt',
    width: 150,
    csv: ({ endedAt, endsAt }) => endedAt ?? endsAt ?? '',
    cell: ({ endedAt, endsAt, startsAt }) => (
      <Text span c="dimmed">
        {startsAt && moment(endedAt ?? endsAt ?? startsAt)}
      </Text>
    ),
  },
  whenColumn('createdAt', 'Asked'),
]

/** Two lines on a phone. */
export const ElevationCard = ({ elevation }: { elevation: Elevation }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Text fw={450} truncate>
        {elevation.userName}: {whatOf(elevation)}
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {spanText(elevation.minutes)}, {elevation.reason}
      </Text>
    </div>
    <ElevationState elevation={elevation} />
  </Group>
)

import type { MigrationRow } from '@innkeeper/contract/hosting/moves/shapes'
import { Group, Text } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { LinkTo } from '../../kit/frame/LinkTo.tsx'
import type { Column } from '../../kit/list/columns.ts'
import { whenColumn } from '../../kit/list/whenColumn.tsx'
import { counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import { freezeText, phaseWords } from './words.ts'

/** Source and target server. */
export const Way = ({ sourceServerName, targetServerName }: MigrationRow) => (
  <Group gap={6} wrap="nowrap" component="span" display="inline-flex" miw={0}>
    <Mono truncate>{sourceServerName}</Mono>
    <IconArrowRight size={13} opacity={0.55} aria-label="to" style={{ flex: 'none' }} />
    <Mono truncate>{targetServerName}</Mono>
  </Group>
)

/** Progress: the phase, or the number of finished members of a group. */
export const progressText = ({ type, status, phase, done, count }: MigrationRow): string => {
  if (type === 'group') return `${done} of ${counted(count, ['website', 'websites'])}`
  if (status === 'waiting') return 'not started'
  if (status === 'soaking' || status === 'done' || status === 'rolled-back') return ''
  return phaseWords[phase].title
}

const Status = (move: MigrationRow) => (
  <Group gap={8} wrap="nowrap">
    <StatusBadge state={move.status} />
    <Text span c="dimmed" fz="xs" truncate>
      {progressText(move)}
    </Text>
  </Group>
)

const kindOf = ({ type, reverseOf }: MigrationRow) =>
  type === 'group' ? 'group' : reverseOf === null ? '' : 'way back'

export const columns: readonly Column<MigrationRow>[] = [
  {
    key: 'domain',
    title: 'Website',
    csv: ({ domain }) => domain,
    cell: (move) => (
      <div style={{ minWidth: 0 }}>
        <LinkTo
          to="/website-migrations/$id"
          params={{ id: String(move.id) }}
          c="inherit"
          underline="never"
          display="block"
          truncate
        >
          <Mono fw={450} title={move.domain}>
            {move.domain}
          </Mono>
        </LinkTo>
        {kindOf(move) && (
          <Text c="dimmed" fz="xs">
            {kindOf(move)}
          </Text>
        )}
      </div>
    ),
  },
  {
    key: 'way',
    title: 'From, to',
    width: 260,
    csv: ({ sourceServerName, targetServerName }) => `${sourceServerName} → ${targetServerName}`,
    cell: (move) => <Way {...move} />,
  },
  {
    key: 'status',
    title: 'Status',
    width: 210,
    csv: ({ status, phase }) => `${status} ${phase}`,
    cell: (move) => <Status {...move} />,
  },
  {
    key: 'freezeMs',
    title: 'Freeze',
    spare: true,
    width: 90,
    align: 'right',
    csv: ({ freezeMs }) => freezeMs,
    cell: (move) => <span className="num">{freezeText(move)}</span>,
  },
  {
    key: 'startedBy',
    title: 'By',
    width: 150,
    csv: ({ startedBy }) => startedBy,
    cell: ({ startedBy }) => <Text truncate>{startedBy}</Text>,
  },
  whenColumn('createdAt', 'Begun', 112),
]

/** Two lines on a phone. */
export const MoveCard = ({ move }: { move: MigrationRow }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div style={{ minWidth: 0 }}>
      <Mono fw={450} display="block" truncate>
        {move.domain}
      </Mono>
      <Text c="dimmed" fz="xs" component="div">
        <Way {...move} />
      </Text>
    </div>
    <div style={{ textAlign: 'right', whiteSpace: 'nowrap' }}>
      <StatusBadge state={move.status} />
      <Text c="dimmed" fz="xs">
        {progressText(move)}
      </Text>
    </div>
  </Group>
)

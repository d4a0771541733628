import type { LogRow } from '@innkeeper/contract/access/log'
import { Group, Text } from '@mantine/core'
import type { Column } from '../../kit/list/columns.ts'
import { NameCell, NameLink } from '../../kit/list/NameCell.tsx'
import { ago, moment } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { StatusBadge } from '../../kit/look/StatusBadge.tsx'
import css from './log.module.css'
import { actOf, objectOf, plain } from './words.ts'

const LogObject = ({ row }: { row: LogRow }) => {
  const name = objectOf(row)
  return name ? (
    <Mono display="block" truncate title={name}>
      {name}
    </Mono>
  ) : (
    <Text c="dimmed">–</Text>
  )
}

export const columns: readonly Column<LogRow>[] = [
  {
    key: 'act',
    title: 'What',
    csv: actOf,
    cell: (row) => (
      <NameCell below={row.staffName}>
        <NameLink to="/action-logs/$id" params={{ id: String(row.id) }}>
          {actOf(row)}
        </NameLink>
      </NameCell>
    ),
  },
  {
    key: 'result',
    title: 'Result',
    width: 112,
    csv: ({ result }) => result,
    cell: ({ result }) => <StatusBadge state={result} />,
  },
  { key: 'thing', title: 'Done to', csv: (row) => objectOf(row), cell: (row) => <LogObject row={row} /> },
  {
    key: 'time',
    title: 'When',
    sort: 'time',
    width: 132,
    csv: ({ time }) => time,
    cell: ({ time, seal }) => (
      <Text span c="dimmed" className="num" title={`${moment(time)}${seal === null ? ', not sealed yet' : ''}`}>
        {ago(time)}
      </Text>
    ),
  },
  {
    key: 'ip',
    title: 'From',
    width: 132,
    csv: ({ ip }) => ip,
    cell: ({ ip }) => (
      <Mono c="dimmed" display="block" truncate title={ip ?? undefined}>
        {ip ?? '–'}
      </Mono>
    ),
  },
  {
    key: 'service',
    title: 'Service',
    width: 124,
    off: true,
    csv: ({ service }) => service,
    cell: ({ service }) => plain(service),
  },
  {
    key: 'workflow',
    title: 'Workflow',
    width: 92,
    off: true,
    csv: ({ workflowId }) => workflowId,
    cell: ({ workflowId }) => workflowId && <Mono c="dimmed">{workflowId}</Mono>,
  },
  {
    key: 'seal',
    title: 'Seal',
    width: 92,
    off: true,
    csv: ({ seal }) => seal,
    cell: ({ seal }) => (seal === null ? <Text c="dimmed">not yet</Text> : <Mono c="dimmed">{seal}</Mono>),
  },
  {
    key: 'id',
    title: 'No.',
    width: 92,
    off: true,
    csv: ({ id }) => id,
    cell: ({ id }) => <Mono c="dimmed">{id}</Mono>,
  },
]

/** Two lines on a phone. */
export const LogCard = ({ row }: { row: LogRow }) => (
  <Group justify="space-between" wrap="nowrap" gap="sm">
    <div className={css.two}>
      <Text fw={450} truncate>
        {actOf(row)} <Mono>{objectOf(row)}</Mono>
      </Text>
      <Text c="dimmed" fz="xs" truncate>
        {row.staffName}
      </Text>
    </div>
    <div className={css.right}>
      <StatusBadge state={row.result} />
      <Text c="dimmed" fz="xs" className="num">
        {ago(row.time)}
      </Text>
    </div>
  </Group>
)

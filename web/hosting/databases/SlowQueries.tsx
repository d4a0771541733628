import type { Database, SlowStatement } from '@innkeeper/contract/hosting/databases/calls'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { count, counted, tenths } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { When } from '../../kit/look/When.tsx'
import { databasesApi } from './api.ts'
import { Connections } from './Connections.tsx'

/** Statements that took long, the most costly first, and those that run now. */
export function SlowQueries({ database }: { database: Database }) {
  const { id, name, serverName } = database
  const { data, error } = useQuery(databasesApi.slow.query({ id }))
  if (!data)
    return (
      <Text c="dimmed" mt={10}>
        {error?.message ?? 'Asking its server…'}
      </Text>
    )
  const read = data.unit === 'rows' ? 'Rows read' : 'Pages read'
  return (
    <>
      <Connections database={database} slow={data.seconds ?? 1} />
      <Text c="dimmed" mt={14} fz="xs">
        {data.seconds === null
          ? `${serverName} does not log slow statements yet: the base configuration of its next agent turns the log on.`
          : `${counted(data.total, ['statement', 'statements'])} that took ${data.seconds} s or longer, of the last week at most, without values`}
        {data.unit === 'pages' && '. PostgreSQL counts the pages of 8 KiB that were read'}
      </Text>
      <SectionTable
        label={`Slow statements of ${name}`}
        edges={false}
        narrow="scroll"
        maxHeight={420}
        rows={data.items}
        keyOf={({ sql }) => sql}
        empty="No slow statement is known."
        columns={[
          {
            title: 'Statement',
            width: 280,
            cell: ({ sql }) => <Mono style={{ overflowWrap: 'anywhere' }}>{sql}</Mono>,
          },
          { title: 'Runs', width: 70, align: 'right', cell: ({ count: runs }) => count(runs) },
          { title: 'Total', width: 90, align: 'right', cell: ({ totalMs }) => took(totalMs) },
          { title: 'Worst', width: 90, align: 'right', cell: ({ worstMs }) => took(worstMs) },
          { title: read, width: 110, align: 'right', cell: ({ examined }) => figure(examined) },
          { title: 'Rows answered', width: 110, align: 'right', cell: ({ sent }) => figure(sent) },
          { title: 'Last', width: 120, cell: ({ lastAt }) => <When at={lastAt} /> },
        ]}
      />
    </>
  )
}

const took = (ms: number) => `${tenths(ms / 1000)} s`
const figure = (number: SlowStatement['examined']) => (number === null ? '–' : count(number))

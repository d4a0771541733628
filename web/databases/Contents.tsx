import type { Database } from '@innkeeper/contract/databases'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bytes, count, counted } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { SectionTable } from '../kit/look/SectionTable.tsx'
import { databasesApi } from './api.ts'

/** Tables of a database, read live from its server. */
export function Contents({ database: { id, name } }: { database: Database }) {
  const { data, error } = useQuery(databasesApi.contents.query({ id }))
  if (!data)
    return (
      <Text c="dimmed" mt={10}>
        {error?.message ?? 'Asking its server…'}
      </Text>
    )
  if (!data.there)
    return (
      <Text c="red" mt={10}>
        MariaDB there has no {name}.
      </Text>
    )
  return (
    <>
      <Text c="dimmed" mt={10} fz="xs">
        {counted(data.tables.length, ['table', 'tables'])}, {counted(data.views, ['view', 'views'])},{' '}
        {bytes(data.bytes)}. Rows are MariaDB’s own estimate.
      </Text>
      {data.missing.map((one) => (
        <Text key={`${one.what} ${one.name}`} c="red" fz="xs">
          The {one.what} {one.name} runs as {one.definer}, who does not exist: it cannot be used.
        </Text>
      ))}
      {data.tables.length > 0 && (
        <SectionTable
          label={`Tables of ${name}`}
          edges={false}
          maxHeight={320}
          rows={data.tables}
          keyOf={(table) => table.name}
          columns={[
            { title: 'Table', cell: (table) => <Mono>{table.name}</Mono> },
            { title: 'Rows', align: 'right', cell: ({ rows }) => count(rows) },
            { title: 'Size', align: 'right', cell: (table) => bytes(table.bytes) },
            { title: 'Engine', cell: ({ engine }) => engine },
          ]}
        />
      )}
    </>
  )
}

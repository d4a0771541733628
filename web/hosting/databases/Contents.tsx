import type { Database } from '@innkeeper/contract/hosting/databases/calls'
import { Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { lazyPart } from '../../kit/frame/lazyScreen.tsx'
import { bytes, count, counted } from '../../kit/look/format.ts'
import { Mono } from '../../kit/look/Mono.tsx'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { databasesApi } from './api.ts'
import { engineWords } from './words.ts'

const TableRows = lazyPart<{ database: Database; table: string }>(
  () => import('./TableRows.tsx'),
  () => null,
)

/** Tables of a database, read live from its server. */
export function Contents({ database }: { database: Database }) {
  const { id, name, engine } = database
  const [open, setOpen] = useState<string>()
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
        {engineWords[engine]} on its server has no database {name}.
      </Text>
    )
  return (
    <>
      <Text c="dimmed" mt={10} fz="xs">
        {counted(data.tables.length, ['table', 'tables'])}, {counted(data.views, ['view', 'views'])},{' '}
        {bytes(data.bytes)}. Rows are {engineWords[engine]}’s own estimate.
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
            {
              title: 'Table',
              cell: (table) => (
                <Anchor
                  component="button"
                  type="button"
                  aria-expanded={open === table.name}
                  onClick={() => setOpen(open === table.name ? undefined : table.name)}
                >
                  <Mono>{table.name}</Mono>
                </Anchor>
              ),
            },
            { title: 'Rows', align: 'right', cell: ({ rows }) => count(rows) },
            { title: 'Size', align: 'right', cell: (table) => bytes(table.bytes) },
            { title: 'Engine', cell: ({ engine }) => engine },
          ]}
        />
      )}
      {open && <TableRows key={open} database={database} table={open} />}
    </>
  )
}

import type { Database } from '@innkeeper/contract/databases'
import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { bytes, count, counted } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { databasesApi } from './api.ts'
import css from './Databases.module.css'

/** Its tables, as its server answers now. */
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
        <section className={css.scroll} tabIndex={0} aria-label={`Tables of ${name}`}>
          <Table mt={6} verticalSpacing={4}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Table</Table.Th>
                <Table.Th ta="right">Rows</Table.Th>
                <Table.Th ta="right">Size</Table.Th>
                <Table.Th>Engine</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.tables.map((table) => (
                <Table.Tr key={table.name}>
                  <Table.Td>
                    <Mono>{table.name}</Mono>
                  </Table.Td>
                  <Table.Td ta="right">{count(table.rows)}</Table.Td>
                  <Table.Td ta="right">{bytes(table.bytes)}</Table.Td>
                  <Table.Td>{table.engine}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      )}
    </>
  )
}

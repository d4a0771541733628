import type { Database, TablePage } from '@innkeeper/contract/hosting/databases/calls'
import { Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { databasesApi } from './api.ts'
import css from './Databases.module.css'
import { Value } from './Value.tsx'

const ways = [
  { value: 'contains', label: 'contains' },
  { value: 'begins', label: 'begins with' },
  { value: 'is', label: 'is' },
  { value: 'less', label: 'is less than' },
  { value: 'more', label: 'is more than' },
  { value: 'null', label: 'is NULL' },
  { value: 'not null', label: 'is not NULL' },
] as const
type How = (typeof ways)[number]['value']

interface Filter {
  column: string | null
  how: How
  text: string
}
interface Row {
  at: number
  values: (string | null)[]
}

/** Structure and rows of a table, page by page. The action log records what was read. */
export default function TableRows({ database: { id }, table }: { database: Database; table: string }) {
  const reason = useReason()(databasesApi.browse)
  const [filter, setFilter] = useState<Filter>({ column: null, how: 'contains', text: '' })
  const [page, setPage] = useState<TablePage>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  /** For each page up to the present one, the key after which it begins; undefined for the first. */
  const [path, setPath] = useState<(string[] | undefined)[]>([undefined])

  const read = async (to: (string[] | undefined)[]) => {
    setBusy(true)
    setError(undefined)
    try {
      const { column, how, text } = filter
      const after = to.at(-1)
      setPage(await databasesApi.browse({ id, table, ...(column && { column, how, text }), ...(after && { after }) }))
      setPath(to)
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
    } finally {
      setBusy(false)
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: a table is read once when it opens; then by its buttons
  useEffect(() => {
    if (!reason) void read([undefined])
  }, [table])

  if (reason)
    return (
      <Text c="dimmed" fz="xs">
        {reason}
      </Text>
    )
  return (
    <Stack gap={10} mt={12}>
      <Group gap={8} align="flex-end">
        <Select
          size="xs"
          label="Column"
          placeholder="No filter"
          clearable
          searchable
          w={170}
          data={page?.columns.map(({ name }) => name) ?? []}
          value={filter.column}
          onChange={(column) => setFilter({ ...filter, column })}
        />
        <Select
          size="xs"
          label="How"
          w={130}
          allowDeselect={false}
          data={ways}
          value={filter.how}
          onChange={(how) => setFilter({ ...filter, how: (how ?? 'contains') as How })} // an option of `ways`
        />
        <TextInput
          size="xs"
          label="Value"
          w={170}
          autoComplete="off"
          spellCheck={false}
          disabled={filter.how === 'null' || filter.how === 'not null'}
          value={filter.text}
          onChange={({ currentTarget }) => setFilter({ ...filter, text: currentTarget.value })}
          onKeyDown={(event) => event.key === 'Enter' && void read([undefined])}
        />
        <ActButton size="xs" loading={busy} onClick={() => void read([undefined])}>
          Read rows
        </ActButton>
      </Group>
      {error && (
        <Text c="red" fz="sm" role="alert">
          {error}
        </Text>
      )}
      {page && (
        <>
          <div className={css.values}>
            <SectionTable
              label={`Rows of ${table}`}
              edges={false}
              narrow="scroll"
              maxHeight={420}
              rows={page.rows.map((values, at): Row => ({ at, values }))}
              keyOf={({ at }) => at}
              empty="No rows."
              columns={page.columns.map(({ name, type, key, nullable }, at) => ({
                title: `${name}${key ? ' (key)' : ''}, ${type}${nullable ? '' : ', not null'}`,
                cell: ({ values }: Row) => <Value>{values[at]}</Value>,
              }))}
            />
          </div>
          <Group gap={8} justify="space-between">
            <Text c="dimmed" fz="xs" aria-live="polite">
              Page {path.length}, {counted(page.rows.length, ['row', 'rows'])}, {page.milliseconds} ms.
              {page.more && !page.next && ' The table has no key: filter to see other rows.'}
              {page.indexes.length > 0 &&
                ` Indexes: ${page.indexes.map(({ name, columns, unique }) => `${name} (${columns})${unique ? ' unique' : ''}`).join(', ')}.`}
            </Text>
            <Group gap={8}>
              <ActButton
                size="xs"
                variant="default"
                reason={path.length < 2 ? 'This is the first page.' : busy ? 'The page is being read.' : undefined}
                onClick={() => void read(path.slice(0, -1))}
              >
                Previous
              </ActButton>
              <ActButton
                size="xs"
                variant="default"
                reason={page.next ? (busy ? 'The page is being read.' : undefined) : 'There is no further page.'}
                onClick={() => page.next && void read([...path, page.next])}
              >
                Next
              </ActButton>
            </Group>
          </Group>
        </>
      )}
    </Stack>
  )
}

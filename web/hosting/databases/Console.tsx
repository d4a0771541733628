import type { Database, QueryResult } from '@innkeeper/contract/hosting/databases/calls'
import { Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../../kit/access/reasons.ts'
import { ApiError } from '../../kit/api/client.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { NumberField } from '../../kit/form/NumberField.tsx'
import { ActButton } from '../../kit/look/ActButton.tsx'
import { counted } from '../../kit/look/format.ts'
import { SectionTable } from '../../kit/look/SectionTable.tsx'
import { databasesApi } from './api.ts'
import css from './Databases.module.css'
import { Value } from './Value.tsx'

const MOST_ROWS = 200

/** A row of a result, which has no key of its own. */
interface Numbered {
  at: number
  values: (string | null)[]
}

/**
 * Runs SQL on a database. A query reads only, which the server of the database enforces. A change is run twice: first to
 * count its rows, which is rolled back; then, after a confirmation, to change exactly as many.
 */
export function Console({ database: { id, name } }: { database: Database }) {
  const lacking = useReason()
  const reason = lacking(databasesApi.query)
  const [sql, setSql] = useState('')
  const [seconds, setSeconds] = useState(10)
  const [busy, setBusy] = useState<'query' | 'change'>()
  const [error, setError] = useState<string>()
  const [result, setResult] = useState<QueryResult>()
  const [most, setMost] = useState(1000)
  const attempting = async (what: 'query' | 'change', work: () => Promise<void>) => {
    setBusy(what)
    setError(undefined)
    try {
      await work()
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
      setResult(undefined)
    } finally {
      setBusy(undefined)
    }
  }
  const ask = () =>
    attempting('query', async () => setResult(await databasesApi.query({ id, sql, seconds, rows: MOST_ROWS })))
  const change = () =>
    attempting('change', async () => {
      setResult(undefined)
      const { rows } = await databasesApi.write({ id, sql, seconds, rows: most })
      const changes = counted(rows, ['row', 'rows'])
      if (!rows) return toast.info('No row would change', `Nothing was written to ${name}.`)
      if (rows > most) return setError(`${changes} would change, more than the limit of ${most}. Nothing was written.`)
      const sure = await confirm({
        title: `Change ${changes} of ${name}?`,
        text: 'The statement was run and rolled back to count its rows. Once it is committed it cannot be undone; an export keeps the present rows.',
        verb: `Change ${changes}`,
        danger: true,
      })
      if (!sure) return
      const done = await databasesApi.write({ id, sql, seconds, rows: most, expected: rows })
      if (done.committed) toast.success(`${changes} of ${name} changed`)
      else setError(`${counted(done.rows, ['row', 'rows'])} would change now instead of ${rows}. Nothing was written.`)
    })
  return (
    <Stack gap={10} mt={10}>
      <Textarea
        label="SQL"
        description="A query reads only. The action log records the text."
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={sql}
        error={error}
        onChange={({ currentTarget }) => setSql(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && sql.trim() && !reason) void ask()
        }}
      />
      <Group gap={10} align="flex-end">
        <NumberField
          label="Time limit, seconds"
          w={150}
          min={1}
          max={60}
          allowDecimal={false}
          value={seconds}
          onChange={(value) => setSeconds(Number(value) || 10)}
        />
        <ActButton
          loading={busy === 'query'}
          reason={reason ?? (sql.trim() ? undefined : 'Type SQL first.')}
          onClick={() => void ask()}
        >
          Run query
        </ActButton>
        <NumberField
          label="Most rows to change"
          w={160}
          min={1}
          max={100_000}
          allowDecimal={false}
          value={most}
          onChange={(value) => setMost(Number(value) || 1000)}
        />
        <ActButton
          variant="default"
          loading={busy === 'change'}
          reason={lacking(databasesApi.write) ?? (sql.trim() ? undefined : 'Type SQL first.')}
          onClick={() => void change()}
        >
          Change rows…
        </ActButton>
        {result && (
          <Text c="dimmed" fz="xs" aria-live="polite">
            {counted(result.rows.length, ['row', 'rows'])}
            {result.more ? ', more are cut off' : ''}, {result.milliseconds} ms
          </Text>
        )}
      </Group>
      {result && result.columns.length > 0 && (
        <div className={css.values}>
          <SectionTable
            label={`Result from ${name}`}
            edges={false}
            narrow="scroll"
            maxHeight={420}
            rows={result.rows.map((values, at): Numbered => ({ at, values }))}
            keyOf={({ at }) => at}
            columns={result.columns.map((title, column) => ({
              title,
              cell: ({ values }: Numbered) => <Value>{values[column]}</Value>,
            }))}
          />
        </div>
      )}
    </Stack>
  )
}

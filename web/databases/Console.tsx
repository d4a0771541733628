import type { Database, QueryResult } from '@innkeeper/contract/databases'
import { Group, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useReason } from '../kit/access/reasons.ts'
import { ApiError } from '../kit/api/client.ts'
import { NumberField } from '../kit/form/NumberField.tsx'
import { ActButton } from '../kit/look/ActButton.tsx'
import { counted } from '../kit/look/format.ts'
import { Mono } from '../kit/look/Mono.tsx'
import { SectionTable } from '../kit/look/SectionTable.tsx'
import { databasesApi } from './api.ts'

const MOST_ROWS = 200

/** A row of a result, which has no key of its own. */
interface Numbered {
  at: number
  values: (string | null)[]
}

/** Runs SQL that reads a database. Its server enforces that, the time limit and the row limit. */
export function Console({ database: { id, name } }: { database: Database }) {
  const reason = useReason()(databasesApi.query)
  const [sql, setSql] = useState('')
  const [seconds, setSeconds] = useState(10)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [result, setResult] = useState<QueryResult>()
  const ask = async () => {
    setBusy(true)
    setError(undefined)
    try {
      setResult(await databasesApi.query({ id, sql, seconds, rows: MOST_ROWS }))
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown
      setError(thrown.message)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Stack gap={10} mt={10}>
      <Textarea
        label="SQL"
        description="Reads only. The action log records the text."
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
          loading={busy}
          reason={reason ?? (sql.trim() ? undefined : 'Type SQL first.')}
          onClick={() => void ask()}
        >
          Run query
        </ActButton>
        {result && (
          <Text c="dimmed" fz="xs" aria-live="polite">
            {counted(result.rows.length, ['row', 'rows'])}
            {result.more ? ', more are cut off' : ''}, {result.milliseconds} ms
          </Text>
        )}
      </Group>
      {result && result.columns.length > 0 && (
        <SectionTable
          label={`Result from ${name}`}
          edges={false}
          narrow="scroll"
          maxHeight={420}
          rows={result.rows.map((values, at): Numbered => ({ at, values }))}
          keyOf={({ at }) => at}
          columns={result.columns.map((title, column) => ({
            title,
            cell: ({ values }: Numbered) =>
              values[column] === null ? (
                <Text span c="dimmed" fz="xs">
                  NULL
                </Text>
              ) : (
                <Mono>{values[column]}</Mono>
              ),
          }))}
        />
      )}
    </Stack>
  )
}

import type { LiveChanges } from '@innkeeper/contract/hosting/stagings/shapes'
import { Checkbox, List, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import { LoadError } from '../../kit/frame/emptyStates.tsx'
import { ago, count, counted } from '../../kit/look/format.ts'

interface Props {
  domain: string
  changes: UseQueryResult<LiveChanges>
  /** Called when the section appears and disappears. */
  onShown: (isShown: boolean) => void
  seen: boolean
  setSeen: (seen: boolean) => void
}
const MOST = 12

/** The changes on the live website since the copy, which a merge overwrites. */
export function SinceCopy({ domain, changes: { data, error, refetch }, onShown, seen, setSeen }: Props) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once when it appears, and when it disappears
  useEffect(() => {
    onShown(true)
    return () => onShown(false)
  }, [])
  if (error) return <LoadError error={error} order={2} onRetry={() => void refetch()} />
  if (!data)
    return <Text c="dimmed">Comparing {domain} with its state at the time of the copy: each file, each row…</Text>
  const files = data.added + data.changed + data.gone
  const nothing = data.known && files === 0 && data.tables.length === 0
  return (
    <Stack gap={12}>
      <Text>
        {!data.known
          ? `The state of ${domain} when it was copied is no longer known. Anything may have changed.`
          : nothing
            ? `None of these has changed on ${domain} since it was copied${data.at ? ` (${ago(data.at)})` : ''}.`
            : `${domain} has changed since it was copied${data.at ? ` (${ago(data.at)})` : ''}. What you merge overwrites these changes:`}
      </Text>
      <Changed
        title={counted(files, ['file', 'files'])}
        lines={data.files.map(({ path, what }) => `${path} ${words[what]}`)}
        total={files}
      />
      <Changed
        title={counted(data.tables.length, ['table', 'tables'])}
        lines={data.tables.map(
          ({ database, name, rowsThen, rows }) => `${database}.${name}: ${rowsOf(rowsThen, rows)}`,
        )}
        total={data.tables.length}
      />
      {data.formerDomain !== null && (
        <Text c="var(--mantine-color-error-text)">
          {domain} was called {data.formerDomain} when it was copied, and the copy may contain that name: replace it in
          the databases of the copy before the merge, or in those of {domain} afterwards.
        </Text>
      )}
      <Checkbox
        label={nothing ? 'Seen' : 'I have seen this: what I merge replaces these changes'}
        checked={seen}
        onChange={(event) => setSeen(event.currentTarget.checked)}
      />
    </Stack>
  )
}

const words = { changed: 'changed', added: 'is new', gone: 'is deleted' }

function rowsOf(then: number | null, now: number | null): string {
  if (then === null) return `is new, ${count(now ?? 0)} rows`
  if (now === null) return `is deleted, had ${counted(then, ['row', 'rows'])}`
  return then === now
    ? `other contents in ${counted(now, ['row', 'rows'])}`
    : `${counted(then, ['row', 'rows'])} then, ${count(now)} now`
}

const Changed = ({ title, lines, total }: { title: string; lines: string[]; total: number }) =>
  total > 0 && (
    <div>
      <Text fw={600} fz="sm">
        {title}
      </Text>
      <List spacing={2}>
        {lines.slice(0, MOST).map((line) => (
          <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
            {line}
          </List.Item>
        ))}
        {total > MOST && <List.Item>and {count(total - Math.min(MOST, lines.length))} more</List.Item>}
      </List>
    </div>
  )

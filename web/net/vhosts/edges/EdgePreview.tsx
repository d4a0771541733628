import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useReason } from '../../../kit/access/reasons.ts'
import { vhostsApi } from '../api.ts'
import type { EdgeRequest } from './cdnActs.ts'
import { EdgeDiffs } from './EdgeDiffs.tsx'

/** Milliseconds without a change before the edges are queried. */
const QUIET = 500

/**
 * Previews the files that a change writes on each edge, after a pause in typing. `right`: the form is complete and
 * valid.
 */
export function EdgePreview({ requested, right = true }: { requested: EdgeRequest; right?: boolean }) {
  const lacking = useReason()(vhostsApi.diff)
  const now = JSON.stringify(requested)
  const [settled] = useDebouncedValue(now, QUIET)
  const { data, error } = useQuery({
    ...vhostsApi.diff.query(JSON.parse(settled)),
    enabled: right && !lacking && settled === now,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  })
  if (lacking || !right) return null
  return (
    <Stack gap={8} aria-live="polite">
      <Text fw={500}>What changes on its edges</Text>
      {data && settled === now ? (
        <EdgeDiffs found={data} none={data.silent.length ? '' : 'No file would change.'} />
      ) : (
        <Text c="dimmed">{(settled === now && error?.message) || 'Asking its edges…'}</Text>
      )}
    </Stack>
  )
}

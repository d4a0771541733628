import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { websitesApi } from './api.ts'
import { toPlanInput, type Wish } from './wish.ts'

/** Milliseconds of quiet before the server is asked. */
const QUIET = 350

/** What creating would run, and what is wrong with the wish as the server knows it. Nothing is written. */
export function usePlan(wish: Wish) {
  const input = toPlanInput(wish)
  const [settled] = useDebouncedValue(JSON.stringify(input), QUIET)
  const query = useQuery({ ...websitesApi.plan.query(JSON.parse(settled)), placeholderData: keepPreviousData })
  const current = settled === JSON.stringify(input) && !query.isPlaceholderData
  return {
    actions: query.data?.actions ?? [],
    /** Only of what stands in the form now. */
    problems: (current && query.data?.problems) || {},
    username: query.data?.username ?? null,
    reused: query.data?.reused ?? false,
    documentRoot: query.data?.documentRoot ?? null,
    zone: query.data?.zone ?? null,
    failed: query.error?.message,
  }
}

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { websitesApi } from '../api.ts'
import { type Requested, toPlanInput } from './requested.ts'

/** Debounce in milliseconds before a request. */
const QUIET = 350

/**
 * Plan of the actions that creating would run, and the server's errors for the form. Writes nothing. While the website is being
 * created the plan is not read again: it would find the domain taken by the new website itself.
 */
export function usePlan(requested: Requested, isCreating: boolean) {
  const input = toPlanInput(requested)
  const [settled] = useDebouncedValue(JSON.stringify(input), QUIET)
  const query = useQuery({
    ...websitesApi.plan.query(JSON.parse(settled)),
    enabled: !isCreating,
    placeholderData: keepPreviousData,
  })
  const current = settled === JSON.stringify(input) && !query.isPlaceholderData
  return {
    actions: query.data?.actions ?? [],
    /** Only errors of the current form values. */
    problems: (current && query.data?.problems) || {},
    username: query.data?.username ?? null,
    reused: query.data?.reused ?? false,
    documentRoot: query.data?.documentRoot ?? null,
    zone: query.data?.zone ?? null,
    failed: query.error?.message,
  }
}

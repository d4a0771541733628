import type { Endpoint, Input, Output } from '@innkeeper/contract/kit/endpoint'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Bound } from '../../kit/api/client.ts'

/** Debounce in milliseconds before a request. */
const QUIET = 350

/** Preview of the form's actions and errors by the server, updated during typing. Writes nothing. */
export function usePreview<E extends Endpoint>(call: Bound<E>, input: Input<E>) {
  const asked = JSON.stringify(input)
  const [settled] = useDebouncedValue(asked, QUIET)
  // `settled` is the JSON of `input`
  const query = useQuery({ ...call.query(JSON.parse(settled) as Input<E>), placeholderData: keepPreviousData })
  /** Whether the answer belongs to the current form values. */
  const current = settled === asked && !query.isPlaceholderData
  return { data: query.data as Output<E> | undefined, current, failed: query.error?.message }
}

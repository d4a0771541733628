import type { Endpoint, Input, Output } from '@innkeeper/contract/kit'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Bound } from '../kit/api/client.ts'

/** Milliseconds of quiet before the server is asked. */
const QUIET = 350

/** What a wish would run and what is wrong with it, as the server knows it: asked anew as it is typed. Nothing is written. */
export function usePreview<E extends Endpoint>(call: Bound<E>, input: Input<E>) {
  const asked = JSON.stringify(input)
  const [settled] = useDebouncedValue(asked, QUIET)
  // the very input that was made into text above
  const query = useQuery({ ...call.query(JSON.parse(settled) as Input<E>), placeholderData: keepPreviousData })
  /** Of what stands in the form now. */
  const current = settled === asked && !query.isPlaceholderData
  return { data: query.data as Output<E> | undefined, current, failed: query.error?.message }
}

import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type QueryFunctionContext, useQuery } from '@tanstack/react-query'
import { fitting } from './fitting.ts'

interface Search<D> {
  queryKey: readonly unknown[]
  queryFn: (context: Pick<QueryFunctionContext, 'signal'>) => Promise<D>
  retry?: boolean
}
interface Ways<D, R> {
  /** The rows of an answer. */
  rowsOf: (data: D) => readonly R[]
  /** The text by which people know a row: its name, and what stands below the name. */
  textOf: (row: R) => string
  enabled?: boolean
}

/**
 * Rows for a picker whose list the server searches, while its user types. Until the answer to the newest text is there, the rows
 * are those of the former answer that contain the text: a quick Enter takes no row that nobody asked for. `isFound` once the
 * rows are the answer to a text: Enter takes the first of them.
 */
export function useFound<D, R>(typed: string, search: (text: string) => Search<D>, ways: Ways<D, R>) {
  const { rowsOf, textOf, enabled = true } = ways
  const wanted = typed.trim()
  const [text] = useDebouncedValue(wanted, 200)
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...search(text),
    placeholderData: keepPreviousData,
    enabled,
  })
  const isLate = text !== wanted || isPlaceholderData
  const all = data === undefined ? [] : rowsOf(data as D)
  return {
    rows: isLate ? fitting(all, wanted, textOf) : [...all],
    error,
    isLooking: isFetching || isLate,
    isFound: wanted !== '' && !isLate && all.length > 0,
  }
}

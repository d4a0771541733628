import type { Endpoint, Input, Output } from '@innkeeper/contract/kit/endpoint'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useReducer, useRef } from 'react'
import type { Bound } from '../api/client.ts'
import { hold, type Seen } from './heldRows.ts'
import {
  type Direction,
  type Filters,
  type ListState,
  orderOf,
  readList,
  readRows,
  toInput,
  writeList,
} from './listState.ts'

/** Row type of a list answer, whatever its key. */
export type RowOf<O> = O extends readonly [readonly (infer R)[], number]
  ? R
  : { [K in keyof O]-?: NonNullable<O[K]> extends readonly (infer R)[] ? R : never }[keyof O]

interface Rules<E> {
  /** Filters of the call that the screen offers. */
  filters?: readonly (keyof Input<E> & string)[]
  size?: number
  /** Input that the screen sets; the address does not contain it. */
  fixed?: Partial<Input<E>>
  /** Order of the list while the address names no order. */
  initial?: { sort: string; direction: Direction }
  /** Milliseconds between refetches, for lists without pushed hints. */
  refetchInterval?: number
  enabled?: boolean
  /** Shows no new rows by itself: the screen says that there are new rows, and people load them. */
  still?: boolean
  /** Counts new rows above the shown ones instead of pushing these down: for lists that programs fill, newest first. */
  holds?: boolean
}

/** State of a list for ListTable. */
export interface List<R> extends ListState {
  rows: R[]
  total: number
  more: boolean
  /** Number of new rows that the list holds back until `showNew`. */
  withheld: number
  showNew: () => void
  /** How many rows the server searched, if it did not search all rows of the filter. */
  searched?: number
  /** Number of known pages. */
  pages: number
  loading: boolean
  /** The previous page is still shown while the next one loads. */
  turning: boolean
  /** Error of the first load; null while older rows are shown. */
  error: Error | null
  refetch: () => unknown
  setPage: (page: number) => void
  setSize: (rowsPerPage: number) => void
  setSort: (sort: string | undefined, direction?: Direction) => void
  setFilters: (filters: Filters) => void
  /** Applies the filters and the order of a saved view together. */
  setView: (view: { filters: Filters; sort?: string; direction?: Direction }) => void
  /** Sets a filter. Replaces the history entry, so that typing adds no steps back. */
  setFilter: (key: string, values: readonly string[]) => void
  /** Fetches one page of all filtered rows, for downloads. */
  fetchPage: (page: number, size: number, after?: string) => Promise<{ rows: R[]; total: number; next?: string }>
}

/** A list with page, size, sort and filters in the address. `call` is a bound list call. */
export function useList<E extends Endpoint, R = RowOf<Output<E>>>(call: Bound<E>, rules: Rules<E> = {}): List<R> {
  const { filters = [], size = 50, fixed, initial, still, holds, ...options } = rules
  const inAddress = { filters, size }
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const named = readList(search, inAddress)
  const state = named.sort ? named : { ...named, ...initial }

  // `next` of a page is the `after` cursor of the following page, which spares the server counting rows
  const keys = useRef(new Map<string, string>())
  const order = orderOf(state, fixed)
  const after = state.page > 1 ? keys.current.get(`${order} ${state.page}`) : undefined
  // the address carries text, which every list call parses
  const input = { ...toInput(state, after), ...fixed } as Input<E>
  const query = useQuery({
    ...call.query(input),
    ...options,
    ...(still && { refetchOnWindowFocus: false, refetchOnMount: 'always' }),
    placeholderData: keepPreviousData,
  })
  const { rows, total, more, next, searched } = readRows(query.data)
  if (next && !query.isPlaceholderData) keys.current.set(`${order} ${state.page + 1}`, next)

  const seen = useRef<Seen>(undefined)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  // only the first page gets rows at its top
  const holding = holds && state.page === 1 && query.isFetchedAfterMount && !query.isPlaceholderData
  // each row that a table shows has an id
  const held = holding ? hold(rows as { id: number }[], order, seen.current) : undefined
  if (held) seen.current = held.seen

  const set = (change: Partial<ListState>, replace = false) =>
    void navigate({ to: '.', search: writeList(search, { ...state, page: 1, ...change }, inAddress), replace })

  return {
    ...state,
    // RowOf is the type of the rows that readRows returns
    rows: (held?.rows ?? rows) as R[],
    total,
    more,
    withheld: held?.withheld ?? 0,
    showNew: () => {
      seen.current = undefined
      redraw()
    },
    searched,
    pages: Math.max(1, Math.ceil(total / state.size)),
    loading: query.isPending,
    turning: query.isPlaceholderData,
    error: query.data === undefined ? query.error : null,
    refetch: query.refetch,
    setPage: (page: number) => set({ page }),
    setSize: (rowsPerPage: number) => set({ size: rowsPerPage }),
    setSort: (sort: string | undefined, direction?: Direction) => set({ sort, direction }),
    setFilters: (next: Filters) => set({ filters: next }),
    setView: ({ filters, sort, direction }) => set({ filters, sort, direction }),
    setFilter: (key: string, values: readonly string[]) => set({ filters: { ...state.filters, [key]: values } }, true),
    fetchPage: async (page: number, itemsPerPage: number, key?: string) => {
      const answer = readRows(
        await call({ ...toInput({ ...state, page, size: itemsPerPage }, key), ...fixed } as Input<E>),
      )
      return { ...answer, rows: answer.rows as R[] }
    },
  }
}

import type { Endpoint, Input, Output } from '@innkeeper/contract/kit'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Bound } from '../api/client.ts'
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

/** The row of a list, whatever the list calls it. */
export type RowOf<O> = O extends readonly [readonly (infer R)[], number]
  ? R
  : { [K in keyof O]-?: NonNullable<O[K]> extends readonly (infer R)[] ? R : never }[keyof O]

interface Rules<E> {
  /** Filters of the call that the screen offers. */
  filters?: readonly (keyof Input<E> & string)[]
  size?: number
  /** Input that the screen sets and the address does not show. */
  fixed?: Partial<Input<E>>
  /** Milliseconds, for lists that no hint keeps fresh. */
  refetchInterval?: number
  enabled?: boolean
  /** Rows that came meanwhile are not slipped in: the screen says that there are some. */
  still?: boolean
}

/** A list as ListTable shows it. */
export interface List<R> extends ListState {
  rows: R[]
  total: number
  more: boolean
  /** Pages that are known of. */
  pages: number
  loading: boolean
  /** Rows of the page before are still shown. */
  turning: boolean
  /** Nothing can be shown; while old rows stand there is none. */
  error: Error | null
  refetch: () => unknown
  setPage: (page: number) => void
  setSize: (rowsPerPage: number) => void
  setSort: (sort: string | undefined, direction?: Direction) => void
  setFilters: (filters: Filters) => void
  /** A saved view: its filters and its order at once. */
  setView: (view: { filters: Filters; sort?: string; direction?: Direction }) => void
  /** Typed text: replaces the address instead of adding a step to go back. */
  setFilter: (key: string, values: readonly string[]) => void
  /** One page of all that the filters let through, for downloads. */
  fetchPage: (page: number, size: number, after?: string) => Promise<{ rows: R[]; total: number; next?: string }>
}

/** A list whose page, size, sort and filters live in the address. `call` is a bound list call. */
export function useList<E extends Endpoint, R = RowOf<Output<E>>>(call: Bound<E>, rules: Rules<E> = {}): List<R> {
  const { filters = [], size = 50, fixed, still, ...options } = rules
  const inAddress = { filters, size }
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const state = readList(search, inAddress)

  // `next` of a page is `after` of the following one: the server then need not count rows
  const keys = useRef(new Map<string, string>())
  const order = orderOf(state, fixed)
  const after = state.page > 1 ? keys.current.get(`${order} ${state.page}`) : undefined
  // what the address carries is text, which every list call reads
  const input = { ...toInput(state, after), ...fixed } as Input<E>
  const query = useQuery({
    ...call.query(input),
    ...options,
    ...(still && { refetchOnWindowFocus: false, refetchOnMount: 'always' }),
    placeholderData: keepPreviousData,
  })
  const { rows, total, more, next } = readRows(query.data)
  if (next && !query.isPlaceholderData) keys.current.set(`${order} ${state.page + 1}`, next)

  const set = (change: Partial<ListState>, replace = false) =>
    void navigate({ to: '.', search: writeList(search, { ...state, page: 1, ...change }, inAddress), replace })

  return {
    ...state,
    // RowOf names the type of what readRows finds
    rows: rows as R[],
    total,
    more,
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

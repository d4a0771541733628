import { useState } from 'react'
import type { Filters, ListState } from '../kit/list/listState.ts'
import type { List } from '../kit/list/useList.ts'

export interface Guest {
  id: number
  name: string
  status: string
  rooms: number
}

const statuses = ['active', 'suspended', 'failed', 'running'] as const

/** Generated guests, the same each time. */
export const guests = (n: number): Guest[] =>
  Array.from({ length: n }, (_, i) => ({
    id: i + 1,
    name: `guest-${String(i + 1).padStart(4, '0')}.example`,
    status: statuses[(i * 7) % 4] ?? 'active',
    rooms: (i * 37) % 90,
  }))

/** A list with the shape of `useList`, from local rows. */
export function useRows(all: readonly Guest[], more: Partial<List<Guest>> = {}): List<Guest> {
  const [state, setState] = useState<ListState>({ page: 1, size: 50, filters: {} })
  const { page, size, sort, direction, filters } = state
  const set = (change: Partial<ListState>) => setState({ ...state, page: 1, ...change })
  const found = sorted(
    all.filter((row) => fits(row, filters)),
    sort,
    direction,
  )
  return {
    ...state,
    rows: found.slice((page - 1) * size, page * size),
    total: found.length,
    more: false,
    pages: Math.max(1, Math.ceil(found.length / size)),
    loading: false,
    turning: false,
    withheld: 0,
    showNew: () => undefined,
    error: null,
    refetch: () => undefined,
    setPage: (next) => set({ page: next }),
    setSize: (next) => set({ size: next }),
    setSort: (next, way) => set({ sort: next, direction: way }),
    setFilters: (next) => set({ filters: next }),
    setFilter: (key, values) => set({ filters: { ...filters, [key]: values } }),
    setView: (view) => set(view),
    fetchPage: async (n, most) => ({ rows: found.slice((n - 1) * most, n * most), total: found.length }),
    ...more,
  }
}

const fits = ({ name, status }: Guest, filters: Filters) =>
  (filters.status?.includes(status) ?? true) && name.includes(filters.name?.[0] ?? '')

function sorted(rows: Guest[], sort?: string, direction?: string): Guest[] {
  const sign = direction === 'DESC' ? -1 : 1
  if (sort === 'rooms') return rows.toSorted((a, b) => sign * (a.rooms - b.rooms))
  return sort ? rows.toSorted((a, b) => sign * a.name.localeCompare(b.name)) : rows
}

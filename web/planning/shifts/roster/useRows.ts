import type { Roster } from '@innkeeper/contract/planning/shifts/calls'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { shiftsApi } from '../api.ts'
import { joined, partOf, partsOf } from './parts.ts'

interface Wanted {
  /** Names, open shifts and rules. */
  frame: Roster | undefined
  from: string
  to: string
  /** People in the order of their rows. */
  ids: readonly number[]
}

/**
 * The roster with the shifts, leaves, wishes and notes of the people whose rows are in view: a roster of thousands opens as quickly
 * as one of a hundred.
 */
export function useRows({ frame, from, to, ids }: Wanted) {
  const parts = useMemo(() => partsOf(ids), [ids])
  const [seen, setSeen] = useState({ first: 0, last: 0 })
  const { rows, error } = useQueries({
    queries: parts.slice(partOf(seen.first - 1), partOf(seen.last) + 1).map((userIds) => ({
      ...shiftsApi.roster.query({ from, to, userIds }),
      placeholderData: keepPreviousData,
    })),
    combine: (answers) => ({
      // former rows stay until their own come
      rows: answers
        .toSorted((a, b) => Number(a.isPlaceholderData) - Number(b.isPlaceholderData))
        .flatMap(({ data }) => data ?? []),
      error: answers.find((answer) => answer.error)?.error ?? null,
    }),
  })
  const roster = useMemo(() => frame && joined(frame, rows), [frame, rows])
  const read = useMemo(() => new Set(rows.flatMap(({ people }) => people.map(({ id }) => id))), [rows])
  const onRows = useCallback((first: number, last: number) => setSeen({ first, last }), [])
  return { roster, read, error, onRows }
}

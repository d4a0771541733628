import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  addDays,
  addMonths,
  type Day,
  daysOf,
  dayText,
  monthEnd,
  monthOf,
  rangeText,
  readDay,
  today,
  weekOf,
} from '../../../kit/calendar/days.ts'
import { useZone } from '../../../kit/look/zone.ts'
import { shiftsApi } from '../api.ts'

export const views = ['month', 'week', 'team'] as const
export type ShiftView = (typeof views)[number]

/** Days and people that the address selects: names, open shifts and rules. `useRows` reads the shifts of the rows in view. */
export function useRoster() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const now = today(useZone())
  const view = views.find((one) => one === search.view) ?? 'month'
  const day = readDay(search.day) ?? now
  const from = view === 'month' ? monthOf(day) : weekOf(day)
  const to = view === 'month' ? monthEnd(day) : addDays(from, 6)
  const days = useMemo(() => daysOf(from, to), [from, to])
  const roster = useQuery({
    ...shiftsApi.roster.query({ from, to, only: 'people' }),
    placeholderData: keepPreviousData,
  })
  const set = (change: {
    view?: ShiftView
    day?: Day
    department?: string
    who?: string
    mine?: string
    swaps?: string
  }) => void navigate({ to: '.', search: { ...search, ...change }, replace: change.who !== undefined })
  return {
    ...{ view, day, from, to, days, now, roster, set },
    department: search.department,
    who: search.who ?? '',
    /** Shows this person's row and the open shifts alone. */
    mine: search.mine === 'true',
    /** The list of swaps is open; notifications lead there. */
    swaps: search.swaps === 'open',
    label: view === 'month' ? dayText(from, 'month') : rangeText(from, to),
    turn: (by: 1 | -1) => set({ day: view === 'month' ? addMonths(day, by) : addDays(day, by * 7) }),
  }
}

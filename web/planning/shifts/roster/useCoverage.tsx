import type { CoverageDay } from '@innkeeper/contract/planning/shifts/calls'
import { useQuery } from '@tanstack/react-query'
import type { Day } from '../../../kit/calendar/days.ts'
import { dayText } from '../../../kit/calendar/days.ts'
import type { TopRow } from '../../../kit/calendar/LaneGrid.tsx'
import { shiftsApi } from '../api.ts'
import css from '../shifts.module.css'

interface Wanted {
  from: Day
  to: Day
  departmentId: number | undefined
  days: readonly Day[]
  compact: boolean
}

/** Counts the hours of a day below the minimum; `gap` is 2 if nobody is present in one of them. */
function gapsOf({ people, minimum }: CoverageDay): { hours: number; gap: 0 | 1 | 2; text: string } {
  const short = minimum.flatMap((needed, hour) => ((people[hour] ?? 0) < needed ? [hour] : []))
  const nobody = short.some((hour) => people[hour] === 0)
  const words = short.map((hour) => `${hour}:00 ${people[hour]} of ${minimum[hour]}`)
  return { hours: short.length, gap: short.length ? (nobody ? 2 : 1) : 0, text: words.join(', ') || 'enough' }
}

/** A row below the days with the number of understaffed hours; absent without a minimum. */
export function useCoverage({ from, to, departmentId, compact }: Wanted): TopRow[] {
  const { data } = useQuery(shiftsApi.coverage.query({ from, to, ...(departmentId && { departmentId }) }))
  const days = new Map(data?.items.map((day) => [day.date, gapsOf(day)]))
  if (!data?.items.some(({ minimum }) => minimum.some((needed) => needed > 0))) return []
  return [
    {
      id: 'coverage',
      name: 'Too few',
      hint: 'hours',
      cell: (day) => {
        const found = days.get(day)
        if (!found) return null
        const text = `${dayText(day, 'long')}: ${found.text}`
        return (
          <span className={css.short} data-gap={found.gap || undefined} title={text}>
            {found.hours ? `${found.hours}${compact ? '' : ' h'}` : '·'}
          </span>
        )
      },
    },
  ]
}

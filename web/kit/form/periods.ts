import { addDays, addMonths, type Day, monthEnd, monthOf, rangeText, weekOf } from '../calendar/days.ts'

/** Days from the first to the last, both included. */
export interface Period {
  from: Day
  to: Day
}

export const presets = {
  today: 'Today',
  yesterday: 'Yesterday',
  thisWeek: 'This week',
  lastWeek: 'Last week',
  last7Days: 'Last 7 days',
  thisMonth: 'This month',
  lastMonth: 'Last month',
  last30Days: 'Last 30 days',
  thisQuarter: 'This quarter',
  lastQuarter: 'Last quarter',
  thisYear: 'This year',
} as const
export type Preset = keyof typeof presets

const quarterOf = (day: Day): Day => addMonths(monthOf(day), -((Number(day.slice(5, 7)) - 1) % 3))
const month = (day: Day): Period => ({ from: monthOf(day), to: monthEnd(day) })
const week = (day: Day): Period => ({ from: weekOf(day), to: addDays(weekOf(day), 6) })
const quarter = (day: Day): Period => ({ from: quarterOf(day), to: monthEnd(addMonths(quarterOf(day), 2)) })

/** The days of a preset; weeks, months and quarters are complete. */
export function periodOf(preset: Preset, today: Day): Period {
  const of: Record<Preset, () => Period> = {
    today: () => ({ from: today, to: today }),
    yesterday: () => ({ from: addDays(today, -1), to: addDays(today, -1) }),
    thisWeek: () => week(today),
    lastWeek: () => week(addDays(today, -7)),
    last7Days: () => ({ from: addDays(today, -6), to: today }),
    thisMonth: () => month(today),
    lastMonth: () => month(addMonths(today, -1)),
    last30Days: () => ({ from: addDays(today, -29), to: today }),
    thisQuarter: () => quarter(today),
    lastQuarter: () => quarter(addMonths(today, -3)),
    thisYear: () => ({ from: `${today.slice(0, 4)}-01-01`, to: `${today.slice(0, 4)}-12-31` }),
  }
  return of[preset]()
}

/** The preset with exactly these days. */
export const presetOf = ({ from, to }: Period, today: Day): Preset | undefined =>
  (Object.keys(presets) as Preset[]).find((preset) => {
    const period = periodOf(preset, today)
    return period.from === from && period.to === to
  })

/** "Last month, 1–31 Oct 2026" */
export function periodText(period: Period, today: Day): string {
  const preset = presetOf(period, today)
  const days = rangeText(period.from, period.to)
  return preset ? `${presets[preset]}, ${days}` : days
}

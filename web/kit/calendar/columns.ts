import { type Day, dayText, isWeekend } from './days.ts'

/** A day as all rows show it, worked out once for them. */
export interface Column {
  day: Day
  /** "Monday 2 November", and what it is besides. */
  spoken: string
  isToday: boolean
  isWeekend: boolean
  /** Why it is none like the others: the name of a holiday. */
  mark: string | undefined
}

export const columnsOf = (
  days: readonly Day[],
  today: Day,
  weekend: readonly number[] | undefined,
  marked: ReadonlyMap<Day, string> | undefined,
): Column[] =>
  days.map((day) => {
    const mark = marked?.get(day)
    const spoken = `${dayText(day, 'long')}${mark ? `, ${mark}` : ''}`
    return { day, spoken, isToday: day === today, isWeekend: isWeekend(day, weekend), mark }
  })

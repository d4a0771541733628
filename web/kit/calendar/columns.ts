import { type Day, dayText, isWeekend } from './days.ts'

/** A day of the grid, computed once for all rows. */
export interface Column {
  day: Day
  /** The day for screen readers: "Monday 2 November", with its mark. */
  spoken: string
  isToday: boolean
  isWeekend: boolean
  /** Name of a holiday. */
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

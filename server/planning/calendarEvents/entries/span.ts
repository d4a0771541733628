import { MOST_DAYS } from '@innkeeper/contract/planning/calendarEvents/days'
import { invalid } from '../../../kit/http/errors.ts'
import { addDays, type Day, dayOf, daysFromTo, yearOf } from '../../calendar/days.ts'

export interface Span {
  from: Day
  to: Day
}

/** 400 if the days are out of order or too many. */
export function checkSpan(from: Day, to: Day): void {
  if (to < from) throw invalid({ to: 'Before the first day' })
  if (daysFromTo(from, to) > MOST_DAYS) throw invalid({ to: `At most ${MOST_DAYS} days at once` })
}

/** First and last day of the month, quarter or year of a day. */
export function spanOf(date: Day, months: 1 | 3 | 12): Span {
  const year = yearOf(date)
  const first = Math.floor((Number(date.slice(5, 7)) - 1) / months) * months + 1
  return { from: dayOf(year, first, 1), to: addDays(dayOf(year, first + months, 1), -1) }
}

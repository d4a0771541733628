import { addDays, type Day, isWeekend, type Weekend } from './days.ts'

/** A holiday. `moves`: gets a substitute if it falls on a weekend. */
export interface FreeDay {
  date: Day
  name: string
  /** Substitute for a holiday on a weekend. */
  substitute: boolean
  moves: boolean
}

/**
 * Adds a substitute for each moving holiday on a weekend: the next working day without a holiday, so that two holidays
 * on one weekend get two days. Holidays that do not move, such as Easter, get none. Substitutes from the library that
 * fall on a day off move on in the same way.
 */
export function withSubstitutes<D extends FreeDay>(days: readonly D[], weekend: Weekend): D[] {
  const inOrder = days.toSorted((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  const own = inOrder.filter(({ substitute }) => !substitute)
  const taken = new Set(own.map(({ date }) => date))
  const made: D[] = []
  for (const day of inOrder) {
    if (!day.substitute && !(day.moves && isWeekend(day.date, weekend))) continue
    let { date } = day
    while (isWeekend(date, weekend) || taken.has(date)) date = addDays(date, 1)
    taken.add(date)
    made.push({ ...day, date, substitute: true, moves: false })
  }
  return [...own, ...made]
}

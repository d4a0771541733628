import { addDays, type Day, isWeekend, type Weekend } from './days.ts'

/** A day that is free, or would be: `moves` when it falls on a weekend. */
export interface FreeDay {
  date: Day
  name: string
  /** It stands for one that fell on a weekend. */
  substitute: boolean
  moves: boolean
}

/**
 * What falls on a weekend is made up for on the next working day, and where that is free already, on the one after: two in
 * one weekend take two days. Easter and whatever else does not move keeps its day, and its day is nobody's substitute.
 * A substitute that came from elsewhere and fell on a free day cascades the same way.
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

import { addDays, type Day, dayOf, exists, weekdayOf } from './days.ts'
import { orthodoxEaster, westernEaster } from './easter.ts'

export type MovableMethod = 'orthodox-easter' | 'western-easter' | 'nth-weekday' | 'last-weekday'

/** On which day of a year something is. Which fields count depends on `kind` and `movableMethod`; the others are null. */
export interface DayRule {
  kind: 'fixed' | 'movable'
  month: number | null
  day: number | null
  movableMethod: MovableMethod | null
  /** 1 is Monday. */
  weekday: number | null
  /** Which one of the month, 1 to 5. */
  week: number | null
  /** Days after what the method gives; before it where negative. */
  offsetDays: number
  /** Years, both counted; null is without end. */
  validFrom: number
  validTo: number | null
}

/** The day of a rule in a year; undefined where the year has none: 29 February, a fifth Monday, years that it is not valid in. */
export function dayInYear(rule: DayRule, year: number): Day | undefined {
  if (year < rule.validFrom || (rule.validTo !== null && year > rule.validTo)) return undefined
  const base = rule.kind === 'fixed' ? fixed(rule, year) : movable(rule, year)
  return base && addDays(base, rule.offsetDays)
}

const fixed = ({ month, day }: DayRule, year: number) =>
  month && day && exists(year, month, day) ? dayOf(year, month, day) : undefined

function movable({ movableMethod, month, weekday, week }: DayRule, year: number): Day | undefined {
  if (movableMethod === 'orthodox-easter') return orthodoxEaster(year)
  if (movableMethod === 'western-easter') return westernEaster(year)
  if (!month || !weekday) return undefined
  if (movableMethod === 'last-weekday') {
    const last = dayOf(year, month + 1, 0)
    return addDays(last, -((weekdayOf(last) - weekday + 7) % 7))
  }
  const first = dayOf(year, month, 1)
  const found = addDays(first, ((weekday - weekdayOf(first) + 7) % 7) + 7 * ((week ?? 1) - 1))
  return found.slice(0, 7) === first.slice(0, 7) ? found : undefined
}

import { addDays, type Day, dayOf, exists, weekdayOf } from './days.ts'
import { orthodoxEaster, westernEaster } from './easter.ts'

export type MovableMethod = 'orthodox-easter' | 'western-easter' | 'nth-weekday' | 'last-weekday'

/** Rule for a day in each year. `kind` and `movableMethod` decide which fields are used; the others are null. */
export interface DayRule {
  kind: 'fixed' | 'movable'
  month: number | null
  day: number | null
  movableMethod: MovableMethod | null
  /** 1 is Monday. */
  weekday: number | null
  /** Week of the month, 1 to 5. */
  week: number | null
  /** Days after the day of the method; negative for days before. */
  offsetDays: number
  /** Years, both inclusive; null: no end. */
  validFrom: number
  validTo: number | null
}

/** Day of a rule in a year; undefined if there is none: 29 February, a fifth Monday, or a year outside the validity. */
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

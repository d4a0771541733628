import type { PreviewYear } from '@innkeeper/contract/planning/calendarEvents/national'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { exists } from '../../calendar/days.ts'
import { knowsCountry } from '../../calendar/library.ts'
import { nationalDays, type OwnRule, readOwnRules } from '../../calendar/nationalDays.ts'
import { type Place, readPlaces } from '../../calendar/places.ts'
import { dayInYear } from '../../calendar/rules.ts'

const YEARS = 10
export type Rule = Omit<OwnRule, 'id'>

/** A national event with defaults for the fields that were not sent. */
export function newRule(said: { [K in keyof Rule]?: Rule[K] | undefined } & { name: string }, now: Date): Rule {
  const year = now.getUTCFullYear()
  return {
    name: said.name,
    description: said.description ?? null,
    country: said.country ?? null,
    kind: said.kind ?? (said.movableMethod ? 'movable' : 'fixed'),
    month: said.month ?? null,
    day: said.day ?? null,
    movableMethod: said.movableMethod ?? null,
    weekday: said.weekday ?? null,
    week: said.week ?? null,
    offsetDays: said.offsetDays ?? 0,
    substitution: said.substitution ?? 'none',
    isDayOff: said.isDayOff ?? true,
    replaces: said.replaces ?? null,
    validFrom: said.validFrom ?? year,
    validTo: said.validTo ?? null,
  }
}

/** Sets fields that the kind does not use to null; 422 with every missing or invalid field. */
export async function checkRule(rule: Rule): Promise<Rule> {
  const { kind, month, day, movableMethod, weekday, week, country, replaces, validFrom, validTo } = rule
  const byWeekday = movableMethod === 'nth-weekday' || movableMethod === 'last-weekday'
  const wrong: Record<string, string> = {}
  if (kind === 'fixed') {
    if (!month) wrong.month = 'Required'
    if (!day) wrong.day = 'Required'
    // checked in a leap year, so that 29 February is allowed
    if (month && day && !exists(2000, month, day)) wrong.day = 'That month is shorter'
  } else if (!movableMethod) wrong.movableMethod = 'Required'
  else if (byWeekday) {
    if (!month) wrong.month = 'Required'
    if (!weekday) wrong.weekday = 'Required'
    if (movableMethod === 'nth-weekday' && !week) wrong.week = 'Required'
  }
  if (validTo !== null && validTo < validFrom) wrong.validTo = 'This is before the first year'
  if (country && !(await knowsCountry(country))) wrong.country = 'Unknown country'
  if (replaces && !country) wrong.country = 'Choose the country whose holiday this event replaces'
  if (Object.keys(wrong).length) throw refused('The rule is incomplete', wrong)
  const isMovable = kind === 'movable'
  return {
    ...rule,
    month: isMovable && !byWeekday ? null : month,
    day: isMovable ? null : day,
    movableMethod: isMovable ? movableMethod : null,
    weekday: isMovable && byWeekday ? weekday : null,
    week: isMovable && movableMethod === 'nth-weekday' ? week : null,
  }
}

/** Workplace for the preview of a rule: the organisation's own, or its settings with the country of the rule. */
const placeIn = (organisation: Place, country: string | null): Place =>
  country && country !== organisation.country ? { ...organisation, country, region: null } : organisation

/** Days of a rule in ten years from this one, together with all other holidays. `id` 0: the rule is not stored yet. */
export async function tenYears(db: Db, rule: OwnRule, now: Date): Promise<PreviewYear[]> {
  const first = now.getUTCFullYear()
  const place = placeIn((await readPlaces(db))(null), rule.country)
  const others = (await readOwnRules(db)).filter(({ id }) => id !== rule.id)
  const span = { from: `${first}-01-01`, to: `${first + YEARS}-01-31` }
  const days = await nationalDays(place, [...others, rule], span)
  const own = days.filter(({ nationalEventId }) => nationalEventId === rule.id)
  return Array.from({ length: YEARS }, (_, i): PreviewYear => {
    const year = first + i
    const date = dayInYear(rule, year) ?? null
    const substitute = date && own.find((day) => day.substitute && day.date > date && day.date < nextYear(date))
    return {
      year,
      date,
      substitute: substitute ? substitute.date : null,
      with: days.filter((day) => day.date === date && day.nationalEventId !== rule.id).map(({ name }) => name),
    }
  })
}

/** The same day one year later: limits the search, because a substitute is only days away. */
const nextYear = (date: string) => `${Number(date.slice(0, 4)) + 1}${date.slice(4)}`

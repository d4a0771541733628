import type Library from 'date-holidays'
import { remember } from '../../kit/app/remember.ts'
import { corrections } from './corrections.ts'
import { addDays, type Day } from './days.ts'
import { dayInYear } from './rules.ts'
import type { FreeDay } from './substitutes.ts'

export interface Country {
  code: string
  name: string
  regions: { code: string; name: string }[]
}

/** A public holiday of the library. `rule` identifies the holiday in every year, independent of its name. */
export interface LibraryDay extends FreeDay {
  rule: string
}

type Holidays = typeof Library
let loaded: Promise<Holidays> | undefined
/** Imported on first use, because the library has megabytes of rules. */
const library = () => {
  loaded ??= import('date-holidays').then((module) => module.default)
  return loaded
}

const years = remember<Promise<readonly LibraryDay[]>>(500)

/** Public holidays of a country in one year, with our corrections applied. Cached. */
export const libraryDays = (country: string, region: string | null, year: number): Promise<readonly LibraryDay[]> =>
  years(`${country}/${region ?? ''}/${year}`, () => read(country, region, year))

async function read(country: string, region: string | null, year: number): Promise<readonly LibraryDay[]> {
  const Holidays = await library()
  const rules = region ? new Holidays(country, region) : new Holidays(country)
  const { add = [], movesFrom = Number.POSITIVE_INFINITY } = corrections[country] ?? {}
  const listed = rules.getHolidays(year, 'en').flatMap(({ date, start, end, name, rule, type, substitute }) => {
    if (type !== 'public') return []
    const moves = /^\d\d-\d\d$/.test(rule) && year >= movesFrom
    return daysCovered(date, end.getTime() - start.getTime()).map((day) => ({
      date: day,
      name: name.replace(/ \(substitute day\)$/, ''),
      rule,
      substitute: substitute === true,
      moves,
    }))
  })
  const added = add.flatMap(({ name, ...rule }): LibraryDay[] => {
    const date = dayInYear(rule, year)
    return date
      ? [{ date, name, rule: name, substitute: false, moves: rule.kind === 'fixed' && year >= movesFrom }]
      : []
  })
  return [...listed, ...added]
}

/**
 * Days of a holiday: those whose noon it covers, because some holidays begin at sunset and some take several days.
 * `from` is local, `YYYY-MM-DD hh:mm:ss`.
 */
function daysCovered(from: string, lengthMs: number): Day[] {
  const start = Date.parse(`${from.slice(0, 10)}T${from.slice(11, 19) || '00:00:00'}Z`)
  const days: Day[] = []
  for (let day = from.slice(0, 10); Date.parse(`${day}T12:00:00Z`) < start + lengthMs; day = addDays(day, 1))
    if (Date.parse(`${day}T12:00:00Z`) >= start) days.push(day)
  return days
}

let all: Promise<Country[]> | undefined
/** All countries of the library with their regions, by English name. */
export const countries = (): Promise<Country[]> => {
  all ??= readCountries()
  return all
}

async function readCountries(): Promise<Country[]> {
  const Holidays = await library()
  const rules = new Holidays()
  return named(rules.getCountries('en'))
    .map(({ code, name }) => ({ code, name, regions: named(rules.getStates(code, 'en')) }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

const named = (found: Record<string, string> | undefined) =>
  Object.entries(found ?? {}).map(([code, name]) => ({ code, name }))

/** True if the library knows the country and, if given, its region. */
export async function knowsCountry(code: string, region: string | null = null): Promise<boolean> {
  const country = (await countries()).find((known) => known.code === code)
  return country !== undefined && (region === null || country.regions.some((known) => known.code === region))
}

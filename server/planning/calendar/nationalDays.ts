import { isNull } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { type Day, yearOf } from './days.ts'
import { libraryDays } from './library.ts'
import type { Place } from './places.ts'
import { dayInYear } from './rules.ts'
import { type FreeDay, withSubstitutes } from './substitutes.ts'
import { nationalEvents } from './tables.ts'

/** The fields of a national event that determine its days. */
export type OwnRule = Omit<
  typeof nationalEvents.$inferSelect,
  'version' | 'createdAt' | 'createdBy' | 'updatedAt' | 'deletedAt'
>

export interface NationalDay {
  date: Day
  name: string
  /** Substitute for a holiday on a weekend. */
  substitute: boolean
  /** Day off for everybody. */
  free: boolean
  /** National event that the day comes from; null: from the library. */
  nationalEventId: number | null
}

export const readOwnRules = (db: Db): Promise<OwnRule[]> =>
  db.select().from(nationalEvents).where(isNull(nationalEvents.deletedAt)).orderBy(nationalEvents.id)

/** Public holidays and other national days of a place, in order: the library's, overridden by our national events. */
export async function nationalDays(
  place: Pick<Place, 'country' | 'region' | 'weekend'>,
  own: readonly OwnRule[],
  { from, to }: { from: Day; to: Day },
): Promise<NationalDay[]> {
  const rules = own.filter(({ country }) => country === null || country === place.country)
  const free: (FreeDay & { id: number | null })[] = []
  const shown: NationalDay[] = []
  // a holiday in late December may have its substitute in January
  for (let year = yearOf(from) - 1; year <= yearOf(to) + 1; year++) {
    const valid = rules.filter((rule) => rule.validFrom <= year && (rule.validTo === null || year <= rule.validTo))
    const replaced = new Set(valid.flatMap(({ replaces }) => replaces ?? []))
    const listed = place.country ? await libraryDays(place.country, place.region, year) : []
    free.push(...listed.filter(({ rule }) => !replaced.has(rule)).map((day) => ({ ...day, id: null })))
    for (const rule of valid) {
      const date = dayInYear(rule, year)
      if (!date) continue
      const { id, name } = rule
      if (rule.isDayOff)
        free.push({ date, name, substitute: false, moves: rule.substitution === 'next-working-day', id })
      else shown.push({ date, name, substitute: false, free: false, nationalEventId: id })
    }
  }
  const days = withSubstitutes(free, place.weekend).map(
    ({ date, name, substitute, id }): NationalDay => ({ date, name, substitute, free: true, nationalEventId: id }),
  )
  return [...days, ...shown]
    .filter(({ date }) => date >= from && date <= to)
    .toSorted((a, b) => (a.date === b.date ? a.name.localeCompare(b.name, 'en') : a.date < b.date ? -1 : 1))
}

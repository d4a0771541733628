import * as z from 'zod'
import { line, stored, whole } from '../kit.ts'
import { lines } from './event.ts'

export const movableMethods = {
  'orthodox-easter': 'Orthodox Easter',
  'western-easter': 'Western Easter',
  'nth-weekday': 'A weekday of a month, counted from its start',
  'last-weekday': 'The last such weekday of a month',
} as const
export type MovableMethod = keyof typeof movableMethods
export const MovableMethod = z.enum(Object.keys(movableMethods) as [MovableMethod, ...MovableMethod[]]) // keys of our own constant

export const substitutions = {
  none: 'It is lost',
  'next-working-day': 'The next working day is free',
} as const
export const Substitution = z.enum(['none', 'next-working-day'])

const year = whole(1900, 2099)
/** ISO 3166, as NO. */
export const countryCode = z.string().regex(/^[A-Z]{2}$/, 'A country code, such as NO')
export const regionCode = z.string().regex(/^[A-Za-z0-9]{1,8}$/, 'A region of the country')

export const NationalEvent = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** Null: at every workplace. */
  country: z.string().nullable(),
  kind: z.enum(['fixed', 'movable']),
  month: z.int().nullable(),
  day: z.int().nullable(),
  movableMethod: MovableMethod.nullable(),
  /** 1 is Monday. */
  weekday: z.int().nullable(),
  week: z.int().nullable(),
  offsetDays: z.int(),
  substitution: Substitution,
  /** Nobody has to work; else it is only shown. */
  isDayOff: z.boolean(),
  /** The library's rule that it stands for. */
  replaces: z.string().nullable(),
  validFrom: z.int(),
  validTo: z.int().nullable(),
  /** When it is next, as people will have it; null: in none of the next ten years. */
  next: z.string().nullable(),
})
export type NationalEvent = z.output<typeof NationalEvent>

export const nationalChange = {
  name: line(120).optional(),
  description: lines(1000).nullable().optional(),
  country: countryCode.nullable().optional(),
  kind: z.enum(['fixed', 'movable']).optional(),
  month: whole(1, 12).nullable().optional(),
  day: whole(1, 31).nullable().optional(),
  movableMethod: MovableMethod.nullable().optional(),
  weekday: whole(1, 7).nullable().optional(),
  week: whole(1, 5).nullable().optional(),
  offsetDays: whole(-100, 100).optional(),
  substitution: Substitution.optional(),
  isDayOff: z.boolean().optional(),
  replaces: line(200).nullable().optional(),
  validFrom: year.optional(),
  validTo: year.nullable().optional(),
}
export const nationalFields = { ...nationalChange, name: line(120) }

/** One year of what a rule would give. */
export const PreviewYear = z.object({
  year: z.int(),
  /** Null: that year has none, as no 29 February. */
  date: z.string().nullable(),
  /** The working day that is free in its place, where it falls on a weekend. */
  substitute: z.string().nullable(),
  /** What else is free on its day. */
  with: z.array(z.string()),
})
export type PreviewYear = z.output<typeof PreviewYear>

/** A public holiday that the library has for a country. */
export const LibraryHoliday = z.object({ rule: z.string(), name: z.string(), date: z.string() })

/** Days of the week that nobody has to work on, 1 is Monday; in their order, each once. */
export const weekend = z
  .array(whole(1, 7))
  .max(5, 'At least two days of work have to stay')
  .transform((days) => [...new Set(days)].sort((a, b) => a - b))

/** Where people work: whose holidays and weekends are theirs, and in which zone their days begin. */
export const Workplace = z.object({
  /** Null: the organisation, for all departments without one of their own. */
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  timeZone: z.string(),
  weekend: z.array(z.int()),
  /** Of a row that is stored; 0: nothing was said yet. */
  version: z.int(),
})
export type Workplace = z.output<typeof Workplace>

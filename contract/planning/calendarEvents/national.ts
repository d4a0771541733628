import * as z from 'zod'
import { line, stored, whole } from '../../kit/endpoint.ts'
import { lines } from './event.ts'

export const movableMethods = {
  'orthodox-easter': 'Orthodox Easter',
  'western-easter': 'Western Easter',
  'nth-weekday': 'A weekday of a month, counted from its start',
  'last-weekday': 'The last such weekday of a month',
} as const
export type MovableMethod = keyof typeof movableMethods
// keys of our own constant
export const MovableMethod = z.enum(Object.keys(movableMethods) as [MovableMethod, ...MovableMethod[]])

export const substitutions = {
  none: 'No substitute day',
  'next-working-day': 'The next working day is free',
} as const
export const Substitution = z.enum(['none', 'next-working-day'])

const year = whole(1900, 2099)
/** Country code of ISO 3166, such as NO. */
export const countryCode = z.string().regex(/^[A-Z]{2}$/, 'A country code, such as NO')
export const regionCode = z.string().regex(/^[A-Za-z0-9]{1,8}$/, 'A region of the country')

export const NationalEvent = z.object({
  ...stored,
  name: z.string(),
  description: z.string().nullable(),
  /** Null: for every workplace. */
  country: z.string().nullable(),
  kind: z.enum(['fixed', 'movable']),
  month: z.int().nullable(),
  day: z.int().nullable(),
  movableMethod: MovableMethod.nullable(),
  /** Day of the week; 1 is Monday. */
  weekday: z.int().nullable(),
  week: z.int().nullable(),
  offsetDays: z.int(),
  substitution: Substitution,
  /** True: a day off. False: only displayed. */
  isDayOff: z.boolean(),
  /** Rule of the holiday library that this event replaces. */
  replaces: z.string().nullable(),
  validFrom: z.int(),
  validTo: z.int().nullable(),
  /** Next date, including its substitute day; null: none within ten years. */
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

/** Preview of a rule for one year. */
export const PreviewYear = z.object({
  year: z.int(),
  /** Null: no such date in that year, for example 29 February. */
  date: z.string().nullable(),
  /** Substitute day, if the date falls on a weekend. */
  substitute: z.string().nullable(),
  /** Other holidays on the same date. */
  with: z.array(z.string()),
})
export type PreviewYear = z.output<typeof PreviewYear>

/** A public holiday of the holiday library. */
export const LibraryHoliday = z.object({ rule: z.string(), name: z.string(), date: z.string() })

/** Weekend of a workplace, sorted and without duplicates; 1 is Monday. */
export const weekend = z
  .array(whole(1, 7))
  .max(5, 'At least two working days are required')
  .transform((days) => [...new Set(days)].sort((a, b) => a - b))

/** A workplace: its country and region decide holidays and weekend, its zone when days begin. */
export const Workplace = z.object({
  /** Null: the organisation, for all departments without a workplace of their own. */
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  country: z.string().nullable(),
  region: z.string().nullable(),
  timeZone: z.string(),
  weekend: z.array(z.int()),
  /** Minutes after midnight at which a half day of leave begins or ends. */
  halfDayMinute: z.int(),
  /** Days of every year on which work ends at that minute, as `12-24`. */
  halfHolidays: z.array(z.string()),
  /** Version of the stored row; 0: nothing stored yet. */
  version: z.int(),
})
export type Workplace = z.output<typeof Workplace>

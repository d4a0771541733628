import * as z from 'zod'

/** A calendar date in the range of years for which holidays and repetitions are computed. */
export const day = z
  .string()
  .pipe(z.iso.date('A day, such as 2026-11-21'))
  .refine((text) => text >= '2000-01-01' && text <= '2099-12-31', 'A day from 2000 to 2099')

/** A wall clock time without a zone; the zone is in a separate field. */
export const localTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/, 'A day and a time, such as 2026-11-21T09:00')
  .refine((text) => day.safeParse(text.slice(0, 10)).success, 'A day from 2000 to 2099')

/** A time with an offset, or a wall clock time in the zone of a separate field. */
export const timeOrLocal = z.union([localTime, z.iso.datetime({ offset: true })], {
  error: 'A day and a time, such as 2026-11-21T09:00',
})

/** Maximum number of days in one view: a leap year and a week at both ends. */
export const MOST_DAYS = 380

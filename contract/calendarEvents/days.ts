import * as z from 'zod'

/** A calendar day. The years are those that holidays and repetitions are reckoned in. */
export const day = z
  .string()
  .pipe(z.iso.date('A day, such as 2026-11-21'))
  .refine((text) => text >= '2000-01-01' && text <= '2099-12-31', 'A day from 2000 to 2099')

/** A time of the wall clock, in a zone that stands beside it. */
export const localTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d$/, 'A day and a time, such as 2026-11-21T09:00')
  .refine((text) => day.safeParse(text.slice(0, 10)).success, 'A day from 2000 to 2099')

/** An instant with its offset, or the wall clock of the zone that stands beside it. */
export const timeOrLocal = z.union([localTime, z.iso.datetime({ offset: true })], {
  error: 'A day and a time, such as 2026-11-21T09:00',
})

/** The most days that one view or list of days may span: a leap year and a week on both ends. */
export const MOST_DAYS = 380

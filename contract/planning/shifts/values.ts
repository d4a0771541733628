import * as z from 'zod'

/** Maximum number of days in one call. */
export const LONGEST_DAYS = 400

const toDay = (text: string) => new Date(`${text}T00:00:00Z`)

/** A calendar date, such as 2028-02-29. */
export const shiftDay = z.iso
  .date('A day, such as 2026-12-24')
  .refine((text) => text >= '2000-01-01' && text <= '2100-12-31', 'Between 2000 and 2100')

/** The first day of a month. Accepts any day of the month, or `2026-12`. */
export const shiftMonth = z
  .string()
  .regex(/^\d{4}-\d{2}(-\d{2})?$/, 'A month, such as 2026-12')
  .transform((text) => `${text.slice(0, 7)}-01`)
  .pipe(shiftDay)

/** A time of day; `24:00` is midnight at the end of the day. */
export const clockTime = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'A time of day, such as 22:30')

/** `draft`: visible to planners; `open`: anybody of the department can take it; `cancelled`: kept as a record. */
export const shiftStatuses = ['draft', 'published', 'open', 'cancelled'] as const
export const shiftStatus = z.enum(shiftStatuses)
export type ShiftStatus = z.output<typeof shiftStatus>

/** Origin of a shift. */
export const shiftSources = ['manual', 'bulk', 'copy', 'automation'] as const
export const shiftSource = z.enum(shiftSources)
export type ShiftSource = z.output<typeof shiftSource>

/** Effect of an approved leave on published shifts: `open` lets somebody else take them, `remove` deletes them. */
export const leaveEffects = ['open', 'remove'] as const

/** Colours of the design system. */
export const shiftColours = ['primary', 'secondary', 'accent', 'info', 'success', 'warning', 'error'] as const
export const shiftColour = z.enum(shiftColours)
export type ShiftColour = z.output<typeof shiftColour>

/** Number of days between two dates, both included. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((toDay(to).getTime() - toDay(from).getTime()) / 86_400_000) + 1

/** Minutes after midnight. */
export const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/**
 * Status of a swap: offered to a colleague, accepted by the colleague, approved by a planner (`done`). `void`: one of
 * the shifts has changed or begun since.
 */
export const swapStatuses = ['offered', 'accepted', 'done', 'declined', 'refused', 'withdrawn', 'void'] as const

/** Next step after a colleague accepts a swap: `approve` waits for a planner, `agree` exchanges the shifts at once. */
export const swapRules = ['approve', 'agree'] as const

/** Wishes of people for some days. `cannot` and `rather-not` cause a warning when a shift is planned then. */
export const wishKinds = ['cannot', 'rather-not', 'likes'] as const
export type WishKind = (typeof wishKinds)[number]

import * as z from 'zod'
import { line } from '../../kit/endpoint.ts'

/** Maximum number of days of one request, both ends included: a year and a day. */
export const LONGEST_DAYS = 366

/** Unit by which a leave is charged: working days, or in planned weeks the person's shifts or their hours. */
export const leaveCharges = ['days', 'shifts', 'hours'] as const

export const leaveParts = ['full', 'morning', 'afternoon'] as const
export const leavePart = z.enum(leaveParts)
export type LeavePart = z.output<typeof leavePart>
export const leaveStatuses = ['pending', 'approved', 'rejected', 'cancelled'] as const
export const leaveStatus = z.enum(leaveStatuses)
export type LeaveStatus = z.output<typeof leaveStatus>
export const leaveCodes = [
  'paid',
  'unpaid',
  'sick',
  'maternity',
  'paternity',
  'compensatory',
  'study',
  'special',
] as const
export const leaveCode = z.enum(leaveCodes)
export type LeaveCode = z.output<typeof leaveCode>

/**
 * Kinds of ledger entries. A request reserves days; an approval turns them into use; a rejection, withdrawal or
 * cancellation releases them. A balance is the sum of its entries and is stored nowhere else.
 */
export const ledgerKinds = ['grant', 'carry', 'adjust', 'reserve', 'release', 'use', 'expire'] as const
export const ledgerKind = z.enum(ledgerKinds)
export type LedgerKind = z.output<typeof ledgerKind>

/** A calendar date, such as 2028-02-29. */
export const day = z.iso
  .date({ error: ({ input }) => (input === '' ? 'Required' : 'A day, such as 2026-12-24') })
  .refine((text) => text >= '2000-01-01' && text <= '2100-12-31', 'Between 2000 and 2100')
export const year = z.int().min(2000).max(2100)

/** A number of whole and half days. */
const halves = z.number().multipleOf(0.5, 'Whole or half days')
export const someDays = halves.min(0).max(400)
export const movedDays = halves
  .min(-400)
  .max(400)
  .refine((n) => n !== 0, 'Enter a number other than zero')

/** A day of every year, such as `12-31`. */
export const dayOfYear = z
  .string()
  .regex(/^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/, 'Month and day, such as 06-30')
  .refine(
    (text) =>
      !Number.isNaN(Date.parse(`2027-${text}`)) &&
      new Date(`2027-${text}`).toISOString().endsWith(`${text}T00:00:00.000Z`),
    'Not a day that occurs every year',
  )

export const note = line(500)

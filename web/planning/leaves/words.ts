import type { LeaveCode, LeavePart, LeaveRequest, LedgerKind } from '@innkeeper/contract/planning/leaves/calls'
import { dateFormat } from '../../kit/look/dateFormat.ts'
import type { Colour } from '../../palette.ts'

type When = Pick<LeaveRequest, 'startDate' | 'endDate' | 'startPart' | 'endPart'>

const forms = {
  day: dateFormat({ day: 'numeric' }),
  short: dateFormat({ day: 'numeric', month: 'short' }),
  long: dateFormat({ day: 'numeric', month: 'short', year: 'numeric' }),
}

/** Formats a calendar day, which is the same in every time zone. */
export const dayWords = (date: string): string => forms.long.one(new Date(date))

/** `1 – 5 Feb 2027`, `30 Dec 2026 – 4 Jan 2027`. */
export function rangeWords({ startDate, endDate }: Pick<When, 'startDate' | 'endDate'>): string {
  if (startDate === endDate) return dayWords(startDate)
  const same =
    startDate.slice(0, 7) === endDate.slice(0, 7)
      ? 'day'
      : startDate.slice(0, 4) === endDate.slice(0, 4)
        ? 'short'
        : 'long'
  return `${forms[same].one(new Date(startDate))} – ${dayWords(endDate)}`
}

/** Half-day parts of a leave: `morning`, `from noon`, `from noon, until noon`; empty for whole days. */
export function partWords({ startDate, endDate, startPart, endPart }: When): string {
  if (startDate === endDate) return startPart === 'full' ? '' : startPart
  return [...(startPart === 'full' ? [] : ['from noon']), ...(endPart === 'full' ? [] : ['until noon'])].join(', ')
}

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `1 day`, `4.5 days`. */
export const daysWords = (days: number): string => (Math.abs(days) === 1 ? `${days} day` : `${days} days`)

/** Status of a leave for lists; an approved leave with a pending cancellation is shown as waiting. */
export function stateOfLeave({ status, cancellation }: Pick<LeaveRequest, 'status' | 'cancellation'>): {
  state: string
  label?: string
} {
  if (status === 'approved' && cancellation?.status === 'pending') return { state: 'waiting', label: 'To be cancelled' }
  return { state: status }
}

export const partOptions: Record<LeavePart, string> = {
  full: 'Whole day',
  morning: 'Morning',
  afternoon: 'Afternoon',
}

const colours: Record<LeaveCode, Colour> = {
  paid: 'primary',
  unpaid: 'secondary',
  sick: 'warning',
  maternity: 'accent',
  paternity: 'accent',
  compensatory: 'info',
  study: 'success',
  special: 'info',
}

/** Grey for a leave whose kind the reader may not see. */
export const colourOf = ({ typeCode }: Pick<LeaveRequest, 'typeCode'>): Colour =>
  typeCode === null ? 'secondary' : colours[typeCode]

export const ledgerWords: Record<LedgerKind, string> = {
  grant: 'Granted',
  carry: 'Carried over',
  adjust: 'Corrected',
  reserve: 'Requested',
  release: 'Given back',
  use: 'Taken',
  expire: 'Expired',
}

/** A signed number of days: `+2.5`, `−3`. */
export const signed = (days: number): string => (days < 0 ? `−${-days}` : `+${days}`)

import type { LeaveCode, LeavePart, LeaveRequest, LedgerKind } from '@innkeeper/contract/planning/leaves/calls'
import { kindName } from '@innkeeper/contract/planning/leaves/kindNames'
import { rangeText } from '../../kit/calendar/days.ts'
import { dateFormat } from '../../kit/look/dateFormat.ts'
import { count } from '../../kit/look/format.ts'
import { languageNow } from '../../kit/look/locale.ts'
import type { Colour } from '../../palette.ts'
import { leaveTexts } from './texts.ts'

type When = Pick<LeaveRequest, 'startDate' | 'endDate' | 'startPart' | 'endPart'>

const long = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Formats a calendar day, which is the same in every time zone. */
export const dayWords = (date: string): string => long.one(new Date(date))

/** `1–5 Feb 2027`, `30 Dec 2026 – 4 Jan 2027`. */
export const rangeWords = ({ startDate, endDate }: Pick<When, 'startDate' | 'endDate'>): string =>
  rangeText(startDate.slice(0, 10), endDate.slice(0, 10))

/** Half-day parts of a leave: `morning`, `from noon`, `from noon, until noon`; empty for whole days. */
export function partWords({ startDate, endDate, startPart, endPart }: When): string {
  const words = leaveTexts()
  if (startDate === endDate) return startPart === 'full' ? '' : words[startPart]
  return [...(startPart === 'full' ? [] : [words.fromNoon]), ...(endPart === 'full' ? [] : [words.untilNoon])].join(
    ', ',
  )
}

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** `1 day`, `4.5 days`. */
export const daysWords = (days: number): string => leaveTexts().day(count(days, 1), Math.abs(days) === 1)

/** The name of a kind of leave: of those that came with Innkeeper, and were not renamed, in the person’s language. */
export const kindWords = ({ typeCode, typeName }: Pick<LeaveRequest, 'typeCode' | 'typeName'>): string =>
  kindName(typeCode, typeName, languageNow())

/** Status of a leave for lists; an approved leave with a pending cancellation is shown as waiting. */
export function stateOfLeave({ status, cancellation }: Pick<LeaveRequest, 'status' | 'cancellation'>): {
  state: string
  label: string
} {
  const words = leaveTexts()
  if (status === 'approved' && cancellation?.status === 'pending')
    return { state: 'waiting', label: words.toBeCancelled }
  return { state: status, label: words[status] }
}

export const partOptions = (): Record<LeavePart, string> => {
  const { wholeDay, aMorning, anAfternoon } = leaveTexts()
  return { full: wholeDay, morning: aMorning, afternoon: anAfternoon }
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

export const ledgerWords = (kind: LedgerKind): string => leaveTexts()[kind]

/** A signed number of days: `+2.5`, `−3`. */
export const signed = (days: number): string => (days < 0 ? `−${count(-days, 1)}` : `+${count(days, 1)}`)

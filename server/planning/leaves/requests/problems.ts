import type { LeaveRequest, LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { closedText } from '../../calendar/closedMonths.ts'
import { daysInWords } from '../../calendar/words.ts'
import type { Counted, Span } from '../days/leaveDays.ts'

export type Clash = Span & Pick<LeaveRequest, 'id' | 'status' | 'typeName'>

/** Charge of a requested leave, and its problems by field. */
export interface Examined {
  type: LeaveType
  span: Span
  counted: Counted
  /** `left`: balance before the leave, in half days; null for a type without balance. */
  years: { year: number; halves: number; left: number | null }[]
  documentNeeded: boolean
  /** Charged shifts; null if the type counts working days. */
  shifts: number | null
  problems: Record<string, string>
  /** An existing leave of the same person that overlaps. */
  clash: Clash | undefined
}

type Judged = Omit<Examined, 'problems' | 'documentNeeded' | 'shifts'> & {
  /** First closed month of the span. */
  closed: string | undefined
  /** Why the balance of one of the years cannot be used. */
  shutYear: string | undefined
  /** The first and the last day of the person at work, if known. */
  firstDay: string | undefined
  lastDay: string | undefined
  /** Whether the reader may know the balance. */
  isShown: boolean
}

/** Why a leave cannot be taken, by field. */
export function problemsOf(judged: Judged): Record<string, string> {
  const { type, span, counted, years, clash, closed, shutYear, firstDay, lastDay, isShown } = judged
  const problems: Record<string, string> = {}
  const half = span.startPart !== 'full' || span.endPart !== 'full'
  if (half && !type.halfDays)
    problems[span.startPart === 'full' ? 'endPart' : 'startPart'] = `${type.name} is taken in whole days`
  const short = years.find(({ halves, left }) => left !== null && !type.allowNegative && halves > left)
  if (short?.left != null)
    problems.endDate = `${isShown ? `${days(short.left)} left` : 'Too few days left'} in ${short.year}; this takes ${days(short.halves)}`
  if (shutYear) {
    delete problems.endDate
    problems.startDate = shutYear
  }
  if (firstDay && span.startDate < firstDay)
    problems.startDate = `Before the first day at work, ${daysInWords(firstDay)}`
  if (lastDay && span.endDate > lastDay) problems.endDate = `After the last day at work, ${daysInWords(lastDay)}`
  if (closed) problems.startDate = closedText(closed)
  if (clash)
    problems.startDate = `${clash.typeName} ${daysInWords(clash.startDate, clash.endDate)} is ${clash.status} already`
  if (counted.halves === 0 && !problems.endDate)
    problems.startDate =
      type.charge === 'days'
        ? 'Nothing to take: these are all holidays and weekends'
        : 'Nothing to take: no shift is rostered on these days'
  return problems
}

/** `1 day`, `0.5 days`. */
export const days = (halves: number): string => (halves === 2 ? '1 day' : `${halves / 2} days`)

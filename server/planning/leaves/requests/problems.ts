import type { LeaveRequest, LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { closedText } from '../../calendar/closedMonths.ts'
import { spokenDays } from '../../calendar/words.ts'
import type { Counted, Span } from '../days/leaveDays.ts'
import { daysText, kindText, leaveTexts, stateText } from '../texts.ts'

export type Clash = Span & Pick<LeaveRequest, 'id' | 'status' | 'typeCode' | 'typeName'>

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
  const words = leaveTexts()
  const problems: Record<string, string> = {}
  const half = span.startPart !== 'full' || span.endPart !== 'full'
  if (half && !type.halfDays)
    problems[span.startPart === 'full' ? 'endPart' : 'startPart'] = words.wholeDays(kindText(type.code, type.name))
  const short = years.find(({ halves, left }) => left !== null && !type.allowNegative && halves > left)
  if (short?.left != null)
    problems.endDate = isShown
      ? words.tooFew(daysText(short.left), short.year, daysText(short.halves))
      : words.tooFewHidden(short.year, daysText(short.halves))
  if (shutYear) {
    delete problems.endDate
    problems.startDate = shutYear
  }
  if (firstDay && span.startDate < firstDay) problems.startDate = words.beforeFirst(spokenDays(firstDay))
  if (lastDay && span.endDate > lastDay) problems.endDate = words.afterLast(spokenDays(lastDay))
  if (closed) problems.startDate = closedText(closed)
  if (clash)
    problems.startDate = words.clash(
      kindText(clash.typeCode, clash.typeName),
      spokenDays(clash.startDate, clash.endDate),
      stateText(clash.status),
    )
  if (counted.halves === 0 && !problems.startDate && !problems.endDate)
    problems.startDate = type.charge === 'days' ? words.nothingToTake : words.noShifts
  return problems
}

/** `1 day`, `0.5 days`: for the ledger, which is English. */
export const days = (halves: number): string => (halves === 2 ? '1 day' : `${halves / 2} days`)

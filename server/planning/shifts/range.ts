import { LONGEST_DAYS } from '@innkeeper/contract/planning/shifts/calls'
import { daysBetween } from '@innkeeper/contract/planning/shifts/values'
import { refused } from '../../kit/http/errors.ts'

/** 422 for a range that ends before it begins or exceeds the maximum number of days. */
export function checkRange({ from, to }: { from: string; to: string }, most = LONGEST_DAYS): void {
  const days = daysBetween(from, to)
  const text = days < 1 ? 'The end is before the beginning' : days > most ? `At most ${most} days at once` : undefined
  if (text) throw refused(text, { to: text })
}

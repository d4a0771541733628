import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import type { Db } from '../../../kit/db/db.ts'
import { refused, said } from '../../../kit/http/errors.ts'
import { closedMonths, closedText } from '../../calendar/closedMonths.ts'

/**
 * 422 if a leave touches a closed month, whose figures are final. Locks: no month closes until the transaction ends.
 */
export async function mustLieOpen(db: Db, { startDate, endDate }: Pick<LeaveRequest, 'startDate' | 'endDate'>) {
  const [closed] = await closedMonths(db, startDate, endDate)
  if (closed) throw said(() => refused(closedText(closed)))
}

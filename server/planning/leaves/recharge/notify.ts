import { notifyEach } from '../../../access/notifications/notify.ts'
import type { Db } from '../../../kit/db/db.ts'
import { plannersOf } from '../../calendar/planners.ts'
import { daysInWords } from '../../calendar/words.ts'
import { days } from '../requests/problems.ts'
import type { Recharged, Retold } from './recharged.ts'

const SOME = 5

/** `Kari Berg, 21 to 31 December: 6 days instead of 7`, the first five and the number of others; one’s own without a name. */
function list(found: readonly Retold[], isOwn = false): string {
  const lines = found
    .slice(0, SOME)
    .map((leave) =>
      [...(isOwn ? [] : [leave.userName]), `${daysInWords(leave.startDate, leave.endDate)}: ${costs(leave)}`].join(
        ', ',
      ),
    )
  const more = found.length - SOME
  return `${lines.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const costs = ({ halves, before }: Pick<Recharged, 'halves' | 'before'>) => `${days(halves)} instead of ${days(before)}`

/** Notifies people of what their leaves cost now. */
export async function notifyOfRecharge(
  db: Db,
  found: readonly Recharged[],
  why: string,
  by: { id: number; name: string },
): Promise<void> {
  const others = found.filter(({ userId }) => userId !== by.id)
  await notifyEach(
    db,
    [...Map.groupBy(others, ({ userId }) => userId)].flatMap(([userId, theirs]) => {
      const [leave] = theirs
      if (!leave) return []
      const isOne = theirs.length === 1
      return {
        to: [userId],
        reason: 'leave' as const,
        title: isOne ? `Your leave takes ${costs(leave)}` : `${theirs.length} of your leaves take other days`,
        body: `${isOne ? daysInWords(leave.startDate, leave.endDate) : list(theirs, true)}. ${why}. By ${by.name}.`,
        link: isOne ? `/leaves/my?leave=${leave.id}` : '/leaves/my',
      }
    }),
  )
}

/** Notifies approvers and planners of what the leaves of others cost now. */
export async function notifyOthersOfRecharge(
  db: Db,
  found: readonly Retold[],
  why: string,
  by: { id: number },
): Promise<void> {
  const told = new Map<number, Retold[]>()
  const tell = (to: number, leave: Retold) => {
    if (to === by.id || to === leave.userId) return
    const theirs = told.get(to)
    if (theirs) theirs.push(leave)
    else told.set(to, [leave])
  }
  for (const leave of found) if (leave.reviewedBy !== null) tell(leave.reviewedBy, leave)
  for (const [departmentId, theirs] of Map.groupBy(found, (leave) => leave.departmentId))
    for (const planner of await plannersOf(db, departmentId))
      for (const leave of theirs) if (leave.reviewedBy !== planner) tell(planner, leave)
  await notifyEach(
    db,
    [...told].map(([to, theirs]) => ({
      to: [to],
      reason: 'leave' as const,
      title: theirs.length === 1 ? 'A leave takes other days' : `${theirs.length} leaves take other days`,
      body: `${why}. ${list(theirs)}.`,
      link: '/leaves/all',
    })),
  )
}

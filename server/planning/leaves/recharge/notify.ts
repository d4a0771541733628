import { notifyEach } from '../../../access/notifications/notify.ts'
import { spokenNotice } from '../../../kit/app/notice.ts'
import type { Db } from '../../../kit/db/db.ts'
import { plannersOf } from '../../calendar/planners.ts'
import { spokenDays } from '../../calendar/words.ts'
import { daysText, leaveTexts } from '../texts.ts'
import { type Recharged, type Retold, type Why, whyText } from './recharged.ts'

const SOME = 5

/** `Kari Berg, 21 to 31 December: 6 days instead of 7`, the first five and the number of others; one’s own without a name. */
function list(found: readonly Retold[], isOwn = false): string {
  const lines = found
    .slice(0, SOME)
    .map((leave) =>
      [...(isOwn ? [] : [leave.userName]), `${spokenDays(leave.startDate, leave.endDate)}: ${costs(leave)}`].join(', '),
    )
  const more = found.length - SOME
  return `${lines.join('; ')}${more > 0 ? leaveTexts().andMore(more) : ''}`
}

const costs = ({ halves, before }: Pick<Recharged, 'halves' | 'before'>) =>
  leaveTexts().instead(daysText(halves), daysText(before))

/** Notifies people of what their leaves cost now. */
export async function notifyOfRecharge(
  db: Db,
  found: readonly Recharged[],
  why: Why,
  by: { id: number; name: string },
): Promise<void> {
  const others = found.filter(({ userId }) => userId !== by.id)
  await notifyEach(
    db,
    [...Map.groupBy(others, ({ userId }) => userId)].flatMap(([userId, theirs]) => {
      const [leave] = theirs
      if (!leave) return []
      const isOne = theirs.length === 1
      const link = isOne ? `/leaves/my?leave=${leave.id}` : '/leaves/my'
      return spokenNotice({ to: [userId], reason: 'leave', link }, () => {
        const words = leaveTexts()
        const which = isOne ? spokenDays(leave.startDate, leave.endDate) : list(theirs, true)
        return {
          title: isOne ? words.yourLeaveTakes(costs(leave)) : words.yourLeavesTake(theirs.length),
          body: `${which}. ${whyText(why)}. ${words.by(by.name)}`,
        }
      })
    }),
  )
}

/** Notifies approvers and planners of what the leaves of others cost now. */
export async function notifyOthersOfRecharge(
  db: Db,
  found: readonly Retold[],
  why: Why,
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
    [...told].map(([to, theirs]) =>
      spokenNotice({ to: [to], reason: 'leave', link: '/leaves/all' }, () => ({
        title: theirs.length === 1 ? leaveTexts().aLeaveTakes : leaveTexts().leavesTake(theirs.length),
        body: `${whyText(why)}. ${list(theirs)}.`,
      })),
    ),
  )
}

import { notify } from '../../../access/notifications/notify.ts'
import { spokenNotice } from '../../../kit/app/notice.ts'
import type { Db } from '../../../kit/db/db.ts'
import { plannersOf } from '../../calendar/planners.ts'
import type { By } from '../notify.ts'
import { shiftTexts } from '../texts.ts'
import type { SwapRow } from './view.ts'

type Words = Pick<SwapRow, 'fromText' | 'toText' | 'fromName' | 'toName'>

/** "Early 06:00–14:00 on Mon 1 Mar for Late 14:00–22:00 on Tue 2 Mar" */
export const swapText = ({ fromText, toText }: Pick<Words, 'fromText' | 'toText'>): string =>
  toText ? shiftTexts().swapFor(fromText, toText) : shiftTexts().swapForNothing(fromText)

/** Notifies both people of a swap, except the person who acted. */
export async function notifyOfSwap(
  db: Db,
  swap: SwapRow,
  by: By,
  to: readonly (number | null)[],
  say: () => { title: string; body: string },
): Promise<void> {
  const notice = {
    to: to.filter((id) => id !== null).filter((id) => id !== by.id),
    ...{ reason: 'shifts' as const, link: `/calendar/shifts?day=${swap.fromDate}&swaps=open` },
  }
  await notify(db, spokenNotice(notice, say))
}

/** Asks the planners of a department to approve a swap. */
export async function askPlanners(db: Db, swap: SwapRow, by: By, departmentId: number | null): Promise<void> {
  const planners = await plannersOf(db, departmentId)
  const to = planners.filter((id) => id !== swap.fromUserId && id !== swap.toUserId)
  await notifyOfSwap(db, swap, by, to, () => ({
    title: shiftTexts().approve(swap.fromName ?? '', swap.toName ?? ''),
    body: `${swapText(swap)}. ${shiftTexts().bothAgree}`,
  }))
}

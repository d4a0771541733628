import { notify } from '../../../access/notifications/notify.ts'
import type { Db } from '../../../kit/db/db.ts'
import { plannersOf } from '../../calendar/planners.ts'
import type { By } from '../notify.ts'
import type { SwapRow } from './view.ts'

type Words = Pick<SwapRow, 'fromText' | 'toText' | 'fromName' | 'toName'>

/** "Early 06:00–14:00 on Mon 1 Mar for Late 14:00–22:00 on Tue 2 Mar" */
export const swapText = ({ fromText, toText }: Pick<Words, 'fromText' | 'toText'>): string =>
  toText ? `${fromText} for ${toText}` : `${fromText}, nothing in return`

/** Notifies both people of a swap, except the person who acted. */
export async function notifyOfSwap(
  db: Db,
  swap: SwapRow,
  by: By,
  { to, title, body }: { to: readonly (number | null)[]; title: string; body: string },
): Promise<void> {
  await notify(db, {
    to: to.filter((id) => id !== null).filter((id) => id !== by.id),
    reason: 'shifts',
    title,
    body,
    link: `/calendar/shifts?day=${swap.fromDate}&swaps=open`,
  })
}

/** Asks the planners of a department to approve a swap. */
export async function askPlanners(db: Db, swap: SwapRow, by: By, departmentId: number | null): Promise<void> {
  const planners = await plannersOf(db, departmentId)
  await notifyOfSwap(db, swap, by, {
    to: planners.filter((id) => id !== swap.fromUserId && id !== swap.toUserId),
    title: `Approve a swap of ${swap.fromName} and ${swap.toName}?`,
    body: `${swapText(swap)}. Both agree.`,
  })
}

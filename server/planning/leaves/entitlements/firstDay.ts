import type { FirstDayChange } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { grantYears, lockBalances } from './ledger.ts'
import { regrant } from './regrant.ts'

/**
 * Adjusts what the running year brings to a new or corrected first day at work. A person whose first day was known keeps what
 * the past year brought; for the others `turnYears` grants the past year by the new day and carries it over.
 */
export async function changeFirstDay(
  db: Db,
  { userId, wasKnown, by, now }: FirstDayChange,
  save: () => Promise<void>,
): Promise<void> {
  await lockBalances(db, userId)
  const year = yearOf(await todayIn(db, now))
  if (wasKnown) await grantYears(db, userId, [year - 1])
  await regrant(db, { userId }, { from: year, by, why: 'First day at work corrected' }, save)
  await changed(db, 'leaves')
}

import type { DepartmentChange, EmploymentChange } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { daysInWords } from '../../calendar/words.ts'
import { recharge } from '../recharge/recharge.ts'
import { leaveTexts } from '../texts.ts'
import { grantYears, lockAllBalances, lockBalances } from './ledger.ts'
import { regrant } from './regrant.ts'

/**
 * Adjusts what the running year brings to a new or corrected first or last day at work, and charges leaves anew that reach
 * beyond the days. A person whose first day was known keeps what the past year brought; for the others `turnYears` grants
 * the past year by the new day and carries it over.
 */
export async function changeEmployment(
  db: Db,
  { userId, firstDay, lastDay, by, now }: EmploymentChange,
  save: () => Promise<void>,
): Promise<{ leaves: number }> {
  await lockBalances(db, userId)
  const year = yearOf(await todayIn(db, now))
  if (!firstDay || firstDay.wasKnown) await grantYears(db, userId, [year - 1])
  const last =
    lastDay === undefined ? [] : [lastDay ? `Last day at work ${daysInWords(lastDay)}` : 'No last day at work']
  const why = [...(firstDay ? ['First day at work corrected'] : []), ...last].join(', ')
  let leaves = 0
  await regrant(db, { userId }, { from: year, by: by.id, why }, async () => {
    leaves = (await recharge(db, { concerned: { userIds: [userId] }, why, by, now }, save)).length
  })
  await changed(db, 'leaves')
  return { leaves }
}

/** Charges leaves anew that have not begun: another department may have other holidays and another weekend. */
export async function changeDepartment<T>(
  db: Db,
  { userIds, by, now }: DepartmentChange,
  save: () => Promise<T>,
): Promise<T> {
  await lockAllBalances(db, userIds)
  const begins = await todayIn(db, now)
  let saved: { value: T } | undefined
  await recharge(db, { concerned: { userIds, begins }, why: () => leaveTexts().otherDepartment, by, now }, async () => {
    saved = { value: await save() }
  })
  return saved!.value // recharge has run the change
}

import type { LeaveAccount } from '@innkeeper/contract/planning/leaves/calls'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { loggedAs, outOfReach, refused } from '../../../kit/http/errors.ts'
import { checkVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { findPerson } from '../people.ts'
import { days } from '../requests/problems.ts'
import { leaveEntitlements } from '../tables.ts'
import { managesBalances } from '../view.ts'
import { findAccount } from './employees.ts'
import { enter, grantWorked, grantYears, leftIn, lockBalances } from './ledger.ts'
import { regrant } from './regrant.ts'
import { findType } from './types.ts'

interface Change {
  id: number
  entitlements?: { typeId: number; yearlyDays: number | null }[] | undefined
  adjustments?: { typeId: number; year: number; days: number; note: string }[] | undefined
  year?: number | undefined
  version?: number | undefined
}

/** Changes the entitlements of a person and adds corrections with a reason. Stored grants are adjusted to match. */
export async function changeEmployee(change: Change, context: Context): Promise<LeaveAccount> {
  const { id, entitlements = [], adjustments = [], version } = change
  const { db, staff, now, audit } = context
  await findPerson(db, id)
  if (id === staff.id && !staff.isAdmin)
    throw outOfReach('Nobody changes their own leave days: ask somebody else with this permission, or an administrator')
  await lockBalances(db, id)
  const thisYear = yearOf(await todayIn(db, now))
  const year = change.year ?? thisYear
  const before = await findAccount(db, id, year)
  await grantWorked(db, [thisYear - 1, thisYear], { userId: id })
  checkVersion(before, version, `The entitlement of ${before.name}`)
  for (const [n, { typeId, yearlyDays }] of entitlements.entries()) {
    await checkHasBalance(db, typeId, `entitlements.${n}.typeId`)
    const halves = yearlyDays === null ? null : yearlyDays * 2
    const why = halves === null ? 'As everybody' : 'An entitlement of one’s own'
    await regrant(db, { userId: id, typeId }, { from: thisYear, by: staff.id, why }, () =>
      entitle(db, { userId: id, typeId, halves }, staff.id),
    )
  }
  for (const [n, { typeId, year: at, days: moved, note }] of adjustments.entries()) {
    await checkHasBalance(db, typeId, `adjustments.${n}.typeId`)
    await grantYears(db, id, [at])
    const left = (await leftIn(db, id, typeId, [at])).get(at) ?? 0
    if (moved < 0 && left + moved * 2 < 0) {
      const few = managesBalances(staff) ? `${days(left)} left in ${at}` : `Too few days left in ${at}`
      throw loggedAs(
        refused(`${few}: no more can be taken`, { [`adjustments.${n}.days`]: few }),
        `Too few days left in ${at}`,
      )
    }
    await enter(db, [{ userId: id, typeId, year: at, halves: moved * 2, kind: 'adjust', note, createdBy: staff.id }])
  }
  const account = await findAccount(db, id, year)
  audit.of('employee', id)
  // the ledger keeps the figures and their reasons, for those who may read balances
  audit.after({ name: account.name, entitlements: entitlements.length, adjustments: adjustments.length })
  await changed(db, 'leaves')
  return account
}

async function checkHasBalance(db: Db, typeId: number, field: string): Promise<void> {
  const type = await findType(db, typeId)
  if (!type.deductsBalance) throw refused(`${type.name} has no balance`, { [field]: `${type.name} has no balance` })
}

/** Stores how many half days a year brings to a person; null: as many as to everybody. */
const entitle = (
  db: Db,
  { userId, typeId, halves }: { userId: number; typeId: number; halves: number | null },
  by: number,
) =>
  db
    .insert(leaveEntitlements)
    .values({ userId, typeId, halves, createdBy: by })
    .onConflictDoUpdate({
      target: [leaveEntitlements.userId, leaveEntitlements.typeId],
      set: { halves, version: sql`${leaveEntitlements.version} + 1`, updatedAt: sql`now()` },
    })

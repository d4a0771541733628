import type { WorkingDays } from '@innkeeper/contract/planning/leaves/calls'
import type { ChangedLeaves } from '@innkeeper/contract/planning/leaves/changedLeaves'
import { eq, sql } from 'drizzle-orm'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { foresee } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { outOfReach, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { closedMonths, closedText } from '../../calendar/closedMonths.ts'
import { addDays, yearOf } from '../../calendar/days.ts'
import { readPlaces, todayIn } from '../../calendar/places.ts'
import { workingWeeks } from '../../calendar/tables.ts'
import { daysInWords, spokenDays } from '../../calendar/words.ts'
import { findPerson, type Person } from '../people.ts'
import { mustBeSeen, recharge, shownChanges } from '../recharge/recharge.ts'
import type { Recharged } from '../recharge/recharged.ts'
import { leaveTexts } from '../texts.ts'
import { grantYears, lockBalances } from './ledger.ts'
import { regrant } from './regrant.ts'

interface Wanted {
  id: number
  from: string
  minutes: number[] | null
}

/** Working days of a person with their history, latest first. */
export async function readWorkingDays(db: Db, userId: number): Promise<WorkingDays> {
  const { name, departmentId } = await findPerson(db, userId)
  const found = await db.select().from(workingWeeks).where(eq(workingWeeks.userId, userId))
  return {
    ...{ userId, name, weekend: [...(await readPlaces(db))(departmentId).weekend] },
    items: found
      .toSorted((a, b) => b.validFrom.localeCompare(a.validFrom))
      .map(({ id, version, createdAt, updatedAt, validFrom, minutes }) => ({
        ...{ id, version, createdAt: isoOf(createdAt), updatedAt: isoOf(updatedAt) },
        ...{ from: validFrom, minutes },
      })),
  }
}

export const previewWorkingDays = (wanted: Wanted, context: Context): Promise<ChangedLeaves> =>
  foresee(context.db, async (db) => shownChanges(context.staff, await change(wanted, { ...context, db })))

export async function setWorkingDays(
  { leaves, ...wanted }: Wanted & { leaves?: number[] | undefined },
  context: Context,
): Promise<WorkingDays> {
  const { db, staff, audit } = context
  const before = await readWorkingDays(db, wanted.id)
  const recharged = await change(wanted, context)
  mustBeSeen(staff, recharged, leaves)
  const after = await readWorkingDays(db, wanted.id)
  audit.of('employee', wanted.id)
  audit.before({ name: before.name, workingDays: before.items })
  audit.after({ name: after.name, workingDays: after.items, leaves: recharged.length })
  await changed(db, 'leaves')
  await changed(db, 'shifts')
  return after
}

/** Stores working days from a day on, adjusts what the years bring, and charges leaves anew. */
async function change({ id, from, minutes }: Wanted, { db, staff, now }: Context): Promise<Recharged[]> {
  const person = await findPerson(db, id)
  if (id === staff.id && !staff.isAdmin)
    throw outOfReach(
      'Nobody changes their own working days: ask somebody else with this permission, or an administrator',
    )
  await lockBalances(db, id)
  const next = await nextAfter(db, id, from)
  const [closed] = await closedMonths(db, from, next ? addDays(next, -1) : '2100-12-31')
  if (closed) throw refused(closedText(closed), { from: `${closedText(closed)}: its figures are final` })
  const year = yearOf(await todayIn(db, now))
  await grantYears(db, id, [year - 1])
  const why = `Working days from ${daysInWords(from)}`
  let recharged: Recharged[] = []
  await regrant(db, { userId: id }, { from: year, by: staff.id, why }, async () => {
    const concerned = { userIds: [id], from, ...(next && { to: addDays(next, -1) }) }
    const told = () => leaveTexts().workingDays(spokenDays(from))
    recharged = await recharge(db, { concerned, why: told, by: staff, now }, () =>
      store(db, person, { from, minutes }, staff.id),
    )
  })
  return recharged
}

/** The first day of the next working days after a day. */
async function nextAfter(db: Db, userId: number, from: string): Promise<string | null> {
  const [next] = await rows<{ day: string | null }>(
    db,
    sql`select min(valid_from)::text as day from working_weeks where user_id = ${userId} and valid_from > ${from}::date`,
  )
  return next?.day ?? null
}

async function store(db: Db, person: Person, { from, minutes }: Omit<Wanted, 'id'>, by: number): Promise<void> {
  const { weekend } = (await readPlaces(db))(person.departmentId)
  const days = minutes?.filter((one) => one > 0).length ?? 0
  const set = { minutes, days, fullDays: 7 - weekend.length }
  await db
    .insert(workingWeeks)
    .values({ ...set, userId: person.id, validFrom: from, createdBy: by })
    .onConflictDoUpdate({
      target: [workingWeeks.userId, workingWeeks.validFrom],
      set: { ...set, version: sql`${workingWeeks.version} + 1`, updatedAt: sql`now()` },
    })
}

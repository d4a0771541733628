import type { LeaveType } from '@innkeeper/contract/planning/leaves/calls'
import { eq } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { statement } from '../../../kit/db/driver/prepared.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { leaveTypes } from '../tables.ts'
import { grantWorked } from './ledger.ts'
import { regrant } from './regrant.ts'

type Row = typeof leaveTypes.$inferSelect

function shown({ createdBy: _, documentFromHalves, yearlyHalves, carryHalvesMax, ...rest }: Row): LeaveType {
  return {
    ...rest,
    documentFromDays: documentFromHalves === null ? null : documentFromHalves / 2,
    yearlyDays: yearlyHalves / 2,
    carryForwardMax: carryHalvesMax / 2,
  }
}

const selectAll = statement((db) => db.select().from(leaveTypes).orderBy(leaveTypes.id).prepare('leave_types'))

export async function readTypes(db: Db): Promise<LeaveType[]> {
  return (await selectAll(db).execute()).map(shown)
}

export async function findType(db: Db, id: number): Promise<LeaveType> {
  const [row] = await db.select().from(leaveTypes).where(eq(leaveTypes.id, id))
  if (!row) throw notFound('type of leave', id)
  return shown(row)
}

export interface TypeFields extends Partial<Omit<LeaveType, 'id' | 'code' | 'createdAt' | 'updatedAt'>> {
  id: number
}

/**
 * Changes the rules of a type. Requests and past years keep their half days; what the running year brings is adjusted for
 * everybody whose entitlement is that of the type.
 */
export async function changeType(db: Db, fields: TypeFields, by: number, now: Date): Promise<LeaveType> {
  const { id, version, documentFromDays, yearlyDays, carryForwardMax, ...plain } = fields
  await db.select({ id: leaveTypes.id }).from(leaveTypes).where(eq(leaveTypes.id, id)).for('update')
  const before = await findType(db, id)
  checkVersion(before, version, before.name)
  const change = () =>
    db
      .update(leaveTypes)
      .set({
        ...plain,
        ...(documentFromDays !== undefined && {
          documentFromHalves: documentFromDays === null ? null : documentFromDays * 2,
        }),
        ...(yearlyDays !== undefined && { yearlyHalves: yearlyDays * 2 }),
        ...(carryForwardMax !== undefined && { carryHalvesMax: carryForwardMax * 2 }),
        ...nextVersion,
      })
      .where(eq(leaveTypes.id, id))
  const from = yearOf(await todayIn(db, now))
  await grantWorked(db, [from - 1, from], { typeId: id })
  await regrant(db, { typeId: id }, { from, by, why: `The days of ${before.name} were changed for everybody` }, change)
  await changed(db, 'leaves')
  return findType(db, id)
}

import type { Conflict, shifts as contract, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { eq, sql } from 'drizzle-orm'
import { checkDepartments, isDepartment } from '../../../access/departments/exists.ts'
import type { Staff } from '../../../kit/access/sessions.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { mustBeOpen } from '../../calendar/closedMonths.ts'
import { timeZoneOf } from '../../calendar/places.ts'
import { daysInWords } from '../../calendar/words.ts'
import { announceOpen, notifyOfShifts, notifyPlanners } from '../notify.ts'
import { readPeople, visibleTo } from '../roster/people.ts'
import { clockOf } from '../roster/times.ts'
import { holdShift, readStored, type Stored, shiftsById, shown } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { voidSwaps } from '../swaps/void.ts'
import { shifts } from '../tables.ts'
import { teamOf } from '../teams.ts'
import { applyPlan } from './apply.ts'
import { type Built, buildShift, builtOf, type OwnTimes, timesOf } from './build.ts'
import { buildCells, readTypes, usableType } from './cells.ts'
import { chargeAnew, chargesAsWarnings, touchedBy } from './chargeAnew.ts'
import { findConflicts } from './conflicts.ts'
import { inOurWords, stopAt } from './insertShifts.ts'

type Calls = 'create' | 'update' | 'take' | 'remove'

/** Changes of one shift, or of the same shift for a whole team. */
export const singleHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async create(input, context) {
    const { db, staff } = context
    const { userId, date, shiftTypeId, status, applySameShiftsToTeam, departmentId, stopAtWarnings, ...own } = input
    await usableType(db, shiftTypeId)
    if (departmentId !== undefined) await checkDepartments(db, [departmentId], 'departmentId')
    const make =
      userId === null
        ? [await openShift(db, { ...own, date, shiftTypeId, departmentId: departmentId ?? staff.departmentId })]
        : await buildCells(
            db,
            (applySameShiftsToTeam ? await teamOf(db, userId, date) : [userId]).map((id) => ({
              ...own,
              departmentId,
              userId: id,
              date,
              shiftTypeId,
            })),
          )
    const text = `Planned ${make[0]?.name} on ${daysInWords(date)}`
    const { ids, batchId, made } = await applyPlan(context, {
      make,
      remove: [],
      status,
      source: applySameShiftsToTeam ? 'bulk' : 'manual',
      ...{ text, stopAtWarnings },
    })
    const planned = await shiftsById(db, ids)
    const shift = planned.find((one) => one.userId === userId) ?? planned[0]
    if (!shift) throw notFound('shift')
    if (status === 'published') await notifyOfShifts(db, planned, staff)
    await announceOpen(db, planned, staff)
    context.audit.of('shift', shift.id)
    return { ...shift, batchId, made }
  },

  async update(input, context) {
    const { before, shift } = await charged(context, input, () => update(input, context))
    context.audit.before(shown(before))
    context.audit.after(shift)
    return shift
  },

  async take(input, context) {
    const wanted = { ...input, userId: context.staff.id }
    const { shift } = await charged(context, wanted, () => take(input, context))
    context.audit.of('shift', shift.id)
    context.audit.after(shift)
    return shift
  },

  async remove({ id, userId, date, applySameShiftsToTeam, version, stopAtWarnings }, context) {
    const { db, staff } = context
    if (id === undefined && (userId === undefined || date === undefined)) {
      const text = 'Give the person and the day of the shift, or its id'
      throw refused(text, userId === undefined ? { userId: text } : { date: text })
    }
    const which =
      id !== undefined
        ? sql`s.shift_id = ${id}`
        : sql`s.date = ${date}::date and s.user_id = any(${sql.param(
            // both are required in this case, see above
            applySameShiftsToTeam ? await teamOf(db, userId!, date!) : [userId!],
          )}::int[])`
    const found = await readStored(db, [which, visibleTo(staff)])
    const [first] = found
    if (!first) throw notFound('shift', id)
    const remove = found.map((one) => ({ id: one.id, version: id !== undefined ? version : undefined }))
    await applyPlan(context, {
      make: [],
      remove,
      status: 'draft',
      source: 'manual',
      ...{ text: `Removed shifts of ${daysInWords(first.date)}`, stopAtWarnings },
    })
    context.audit.before(found.map(shown))
  },
}

/** Changes one shift, and charges anew the leaves of the person who has it and of the one who gets it. */
async function charged(
  { db, staff, now }: Context,
  { id, userId, date, stopAtWarnings }: Changed,
  change: () => Promise<Done>,
): Promise<Done> {
  const { userIds, dates } = await touchedBy(db, sql`s.shift_id = ${id} and s.deleted_at is null`)
  const touched = {
    userIds: [...userIds, userId].flatMap((one) => one ?? []),
    dates: [...dates, date].flatMap((day) => day ?? []),
  }
  const [day = date] = dates
  const why = day ? `a shift of ${daysInWords(day)}` : 'a shift' // one that does not exist, as `change` says
  const wanted = dates.length ? touched : { userIds: [], dates }
  const { value, leaves } = await chargeAnew({ db, by: staff, now }, wanted, why, change)
  stopAt([...value.conflicts, ...chargesAsWarnings(leaves, staff)], stopAtWarnings)
  return value
}

interface Changed {
  id: number
  userId?: number | undefined
  date?: string | undefined
  stopAtWarnings: boolean
}
interface Done {
  before: Stored
  shift: Shift
  conflicts: Conflict[]
}

type Wanted<K extends 'update' | 'take'> = Parameters<Handlers<typeof contract>[K]>

async function update(...[{ id, version, stopAtWarnings: _, ...change }, { db, staff }]: Wanted<'update'>) {
  const before = await holdShift(db, id, change.userId)
  if (version !== undefined && version !== before.version)
    throw conflict(`${before.userName ?? 'The open shift'} on ${before.date} was changed by somebody else meanwhile`, {
      current: shown(before),
    })
  const after = await changedShift(db, before, change)
  await mustBeOpen(db, [before.date, after.date])
  const conflicts = await findConflicts(db, [after], [id], await readSettings(db))
  stopAt(conflicts, false)
  if (after.userId === null && change.status)
    throw refused('An open shift has no person yet', { status: 'Choose a person first' })
  const isGiven = before.userId === null && after.userId !== null
  const status = after.userId === null ? 'open' : (change.status ?? (isGiven ? 'published' : before.status))
  const hasLeft = before.userId !== after.userId || before.date !== after.date
  const automationId = hasLeft && (await hasOwn(db, before.automationId, after)) ? null : before.automationId
  try {
    await db
      .update(shifts)
      .set({ ...after, status, automationId, edited: true, ...nextVersion })
      .where(eq(shifts.id, id))
    if (hasLeft && before.automationId !== null) await leaveEmpty(db, before)
  } catch (error) {
    throw inOurWords(error)
  }
  const shift = await oneShift(db, id)
  await changed(db, 'shifts', id)
  await notifyOfChange(db, shown(before), shift, staff)
  await voidSwaps(db, staff)
  return { before, shift, conflicts }
}

async function take(...[{ id, version }, { db, staff }]: Wanted<'take'>) {
  const before = await holdShift(db, id, staff.id)
  const isNear = staff.departmentId !== null && before.departmentId === staff.departmentId
  const isShown = before.status === 'open' || before.status === 'published'
  if (!isShown || !(isNear || staff.isAdmin)) throw notFound('shift', id)
  if (before.status === 'published') throw conflict('Somebody else has this shift')
  if (version !== undefined && version !== before.version)
    throw conflict('This shift was changed by somebody else meanwhile', { current: shown(before) })
  await mustBeOpen(db, [before.date])
  const wanted = { ...builtOf(before), userId: staff.id }
  const conflicts = await findConflicts(db, [wanted], [], await readSettings(db), staff)
  stopAt(conflicts, false)
  await db
    .update(shifts)
    .set({ userId: staff.id, status: 'published', edited: true, ...nextVersion })
    .where(eq(shifts.id, id))
  const shift = await oneShift(db, id)
  await notifyPlanners(db, [shift], staff, { title: (n) => `${staff.name} took ${n}`, after: '' })
  await changed(db, 'shifts', id)
  return { before, shift, conflicts }
}

/** Notifies the person who had the published shift, and the person who has the shift now. */
async function notifyOfChange(db: Db, before: Shift, after: Shift, by: Staff): Promise<void> {
  const [had, has] = [before.status === 'published', after.status === 'published']
  const isSame =
    before.startsAt === after.startsAt && before.endsAt === after.endsAt && before.shiftTypeId === after.shiftTypeId
  if (before.userId !== after.userId) {
    if (had) await notifyOfShifts(db, [before], by, 'given')
    if (has) await notifyOfShifts(db, [after], by)
  } else if (had && !has) await notifyOfShifts(db, [before], by, 'taken back')
  else if (has && !had) await notifyOfShifts(db, [after], by)
  else if (has && !isSame) await notifyOfShifts(db, [after], by, 'moved')
}

async function oneShift(db: Db, id: number): Promise<Shift> {
  const [shift] = await shiftsById(db, [id])
  if (!shift) throw notFound('shift', id)
  return shift
}

/** True if the automation has or had a shift for this person and day; it can have only one. */
async function hasOwn(db: Db, automationId: number | null, { userId, date }: Pick<Built, 'userId' | 'date'>) {
  const found = await rows(
    db,
    sql`select from shifts where automation_id = ${automationId} and user_id = ${userId} and date = ${date}::date`,
  )
  return found.length > 0
}

/** Inserts a deleted shift of the automation, so that the automation does not fill the day again. */
async function leaveEmpty(db: Db, before: Stored): Promise<void> {
  const { automationId, status, source } = before
  await db
    .insert(shifts)
    .values({ ...builtOf(before), status, source, automationId, edited: true, deletedAt: sql`now()` })
}

async function openShift(
  db: Db,
  {
    date,
    shiftTypeId,
    departmentId,
    ...own
  }: OwnTimes & { date: string; shiftTypeId: number; departmentId: number | null },
): Promise<Built> {
  const text = 'Choose a department for the open shift'
  if (departmentId === null) throw refused(text, { departmentId: text })
  if (!(await isDepartment(db, departmentId))) throw notFound('department', departmentId)
  const who = { id: null, departmentId, timeZone: await timeZoneOf(db, departmentId) }
  return buildShift(await usableType(db, shiftTypeId), date, who, await readSettings(db), own)
}

type Change = OwnTimes & { userId?: number | undefined; date?: string | undefined; shiftTypeId?: number | undefined }

/** Whether a person does the shift in another department than their own: then a change keeps its department. */
async function isCover(db: Db, { userId, departmentId }: Stored): Promise<boolean> {
  const [person] = userId === null ? [] : await readPeople(db, { ids: [userId] })
  return person !== undefined && person.departmentId !== departmentId
}

/** The changed shift. With a new type, the shift takes the times of the type; otherwise its own times stay. */
async function changedShift(db: Db, before: Stored, change: Change): Promise<Built> {
  const { userId = before.userId, date = before.date, shiftTypeId, startTime, endTime, breakMinutes } = change
  const settings = await readSettings(db)
  const [person] = userId === null ? [] : await readPeople(db, { ids: [userId] })
  if (userId !== null && !person) throw notFound('user', userId)
  const there = { departmentId: before.departmentId, timeZone: before.timeZone }
  const who = !person ? { id: null, ...there } : (await isCover(db, before)) ? { ...person, ...there } : person
  const own = { startTime, endTime, breakMinutes }
  if (shiftTypeId !== undefined && shiftTypeId !== before.shiftTypeId)
    return buildShift(await usableType(db, shiftTypeId), date, who, settings, own)
  const times = {
    startTime: startTime ?? clockOf(before.startMinute),
    endTime: endTime ?? clockOf(before.endMinute),
    breakMinutes: breakMinutes ?? before.breakMinutes,
  }
  const type = (await readTypes(db, [before.shiftTypeId])).get(before.shiftTypeId)
  const isOwn =
    !type ||
    times.startTime !== type.startTime ||
    times.endTime !== type.endTime ||
    times.breakMinutes !== type.breakMinutes
  return {
    ...builtOf(before),
    ...{ userId: who.id, departmentId: who.departmentId, date, ownTimes: isOwn },
    ...timesOf(times, date, who.timeZone, settings),
  }
}

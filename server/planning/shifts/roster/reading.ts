import { holds } from '@innkeeper/contract/kit/access'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { shifts as contract, Roster, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { readClosed } from '../../calendar/closedMonths.ts'
import { addDays } from '../../calendar/days.ts'
import { calendarOf, calendarsOfDepartments, calendarsOfPeople } from '../../calendar/holidays.ts'
import { readPlaces, todayIn } from '../../calendar/places.ts'
import { isOutside, isOwnDayOff } from '../../calendar/workingDays.ts'
import { awayBetween } from '../../leaves/days/absences.ts'
import { daysOf } from '../../leaves/days/leaveDays.ts'
import { notesVisibleTo, readNotes } from '../notes.ts'
import { checkRange } from '../range.ts'
import { readSettings } from '../settings.ts'
import { wishesBetween } from '../wishes.ts'
import { findPerson, plans, readPeople, visibleTo } from './people.ts'
import { readShifts, shiftsToAnswer } from './view.ts'

const SHOWN_DAYS = 62
const order = { column: sql`s.date`, type: 'day', direction: 'ASC' } as const

const isOf = (ids: readonly number[]): SQL => sql`s.user_id = any(${sql.param([...ids])}::int[])`
const within = (from: string, to: string): SQL => sql`s.date between ${from}::date and ${to}::date`
const counted = (items: Shift[]) => ({ items, total: items.length })

/** Days ahead in the default range of a person's shifts. */
const AHEAD_DAYS = 31

type Calls = 'list' | 'ofUser' | 'bulk' | 'roster' | 'next'

export const readingHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async list(input, { db, staff }) {
    const where: SQL[] = [sql`s.deleted_at is null`, visibleTo(staff)]
    if (input.date) where.push(sql`s.date = ${input.date}::date`)
    if (input.from) where.push(sql`s.date >= ${input.from}::date`)
    if (input.to) where.push(sql`s.date <= ${input.to}::date`)
    if (input.departmentId) where.push(sql`s.department_id = ${input.departmentId}`)
    if (input.userIds) where.push(isOf(input.userIds))
    if (input.shiftTypeId) where.push(sql`s.shift_type_id = any(${sql.param(input.shiftTypeId)}::int[])`)
    if (input.status) where.push(sql`s.status = any(${sql.param(input.status)}::text[])`)
    const { ids, ...page } = await pageKeys(db, input, { from: sql`shifts s`, where, key: sql`s.shift_id`, order })
    return { items: await shiftsToAnswer(db, ids), ...page }
  },

  async ofUser({ id, date, from, to }, { db, staff, now }) {
    await findPerson(db, id)
    const start = date ?? from ?? (await todayIn(db, now, staff.departmentId))
    const end = date ?? to ?? addDays(start, AHEAD_DAYS - 1)
    checkRange({ from: start, to: end })
    return counted(await readShifts(db, [isOf([id]), within(start, end), visibleTo(staff)]))
  },

  async bulk({ ids, date }, { db, staff }) {
    if (!ids.length) return { items: [], total: 0 }
    return counted(await readShifts(db, [isOf(ids), sql`s.date = ${date}::date`, visibleTo(staff)]))
  },

  async roster(input, { db, staff }) {
    checkRange(input, SHOWN_DAYS)
    return readRoster(db, input, {
      visible: visibleTo(staff),
      notes: holds(staff, 'calendar:shift-note:read') ? notesVisibleTo(staff) : sql`n.user_id = ${staff.id}`,
      departmentId: plans(staff) ? undefined : staff.departmentId,
      ownId: staff.id,
      mayPlan: plans(staff),
    })
  },

  async next(_, { db, staff, now }) {
    const items = await readShifts(db, [
      isOf([staff.id]),
      sql`s.status = 'published' and s.ends_at > ${now.toISOString()}::timestamptz and s.date <= (now() + interval '60 days')::date`,
    ])
    return { ...counted(items.slice(0, 5)), today: await todayIn(db, now, staff.departmentId) }
  },
}

interface Reach {
  /** Conditions on `shifts s` and `shift_notes n`. */
  visible: SQL
  notes: SQL
  departmentId: number | null | undefined
  ownId: number
  /** Planners see pending leaves and the wishes of others. */
  mayPlan: boolean
}

type Wanted = Input<typeof contract.roster, 'out'>

/** Shifts of more people in one answer would keep a node busy for seconds. */
const MOST = 500

/** The people of a roster. People who are not planners get only their own department, or only their own row. */
async function peopleOf(
  db: Db,
  { from, to, departmentId, search, userIds, only }: Wanted,
  { departmentId: bound, ownId }: Reach,
): Promise<Roster['people']> {
  if (userIds && userIds.length > MOST) throw refused(`At most ${MOST} people at once`, { userIds: `At most ${MOST}` })
  const which = bound ?? departmentId
  const also = which ? await plannedIn(db, which, addDays(from, -1), to) : []
  const asked = { departmentId: which, search, also, ids: userIds }
  const all = await readPeople(db, bound === null ? { ids: userIds?.filter((id) => id === ownId) ?? [ownId] } : asked)
  if (!only && all.length > MOST) {
    const text = `More than ${MOST} people: read their names with only=people, and their shifts in parts with userIds`
    throw refused(text, { userIds: text })
  }
  return all.map(({ timeZone: _, ...person }) => person)
}

/** Reads the roster of a department, of some people or of everybody. */
async function readRoster(db: Db, wanted: Wanted, reach: Reach): Promise<Roster> {
  const { from, to, departmentId, userIds, only } = wanted
  const { visible, notes, departmentId: bound, ownId, mayPlan } = reach
  // night shifts of the day before extend into the first day
  const start = addDays(from, -1)
  const people = await peopleOf(db, wanted, reach)
  const everybody = people.map(({ id }) => id)
  const ids = only ? [] : everybody
  const open = departmentId ? sql`(s.user_id is null and s.department_id = ${departmentId})` : sql`s.user_id is null`
  const shifts = await readShifts(db, [
    userIds ? isOf(ids) : sql`(${isOf(ids)} or ${open})`,
    within(start, to),
    visible,
  ])
  const away = await awayBetween(db, { from, to, userIds: ids, pending: true })
  const placeOf = await readPlaces(db)
  const { holidays, weekend } = await calendarOf(db, { departmentId: bound ?? departmentId ?? null, from, to })
  return {
    ...{ from, to, people, shifts },
    guests: await guestsOf(db, everybody, start, to, visible),
    drafts: mayPlan ? await draftsOf(db, everybody, from, to) : [],
    leaves: away
      .filter(({ status, userId }) => status === 'approved' || mayPlan || userId === ownId)
      .map(({ userId, from: first, to: last, status, startPart, endPart, departmentId: at }) => {
        const pending = status === 'pending'
        const half = placeOf(at).halfDayMinute
        return {
          ...{ userId, from: first, to: last, label: pending ? 'Leave asked for' : 'Leave', pending },
          ...{ fromMinute: startPart === 'afternoon' ? half : 0, toMinute: endPart === 'morning' ? half : 1440 },
        }
      }),
    daysOff: await daysOffOf(db, ids, from, to),
    wishes: await wishesBetween(db, mayPlan ? ids : ids.filter((id) => id === ownId), from, to),
    holidays: holidays.map(({ date, name }) => ({ date, name })),
    weekend: [...weekend],
    places: await placesOf(db, people, from, to),
    notes: await readNotes(db, [
      sql`n.date between ${from}::date and ${to}::date`,
      sql`n.user_id = any(${sql.param(ids)}::int[])`,
      notes,
    ]),
    closedMonths: [...(await readClosed(db, from, to))],
    restMinutes: (await readSettings(db)).restMinutes,
  }
}

/** People with shifts of departments that are not theirs. */
const guestsOf = (db: Db, ids: readonly number[], from: string, to: string, visible: SQL): Promise<Roster['guests']> =>
  rows(
    db,
    sql`select distinct s.user_id as "userId", s.department_id as "departmentId" from shifts s
      join users u on u.user_id = s.user_id and u.department_id is distinct from s.department_id
      where s.deleted_at is null and s.department_id is not null and ${isOf(ids)} and ${within(from, to)} and ${visible}`,
  )

const draftsOf = (db: Db, ids: readonly number[], from: string, to: string): Promise<Roster['drafts']> =>
  rows(
    db,
    sql`select s.user_id as "userId", count(*)::int as count from shifts s
      where s.deleted_at is null and s.status = 'draft' and ${isOf(ids)} and ${within(from, to)} group by s.user_id`,
  )

/** People with shifts of a department, even if they have moved to another one. Coverage counts their shifts. */
async function plannedIn(db: Db, departmentId: number, from: string, to: string): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select distinct s.user_id as id from shifts s where s.department_id = ${departmentId} and s.deleted_at is null
      and s.user_id is not null and ${within(from, to)}`,
  )
  return found.map(({ id }) => id)
}

async function daysOffOf(db: Db, userIds: readonly number[], from: string, to: string): Promise<Roster['daysOff']> {
  const calendars = await calendarsOfPeople(db, { userIds, from, to })
  return [...calendars].flatMap(([userId, calendar]) =>
    calendar.weeks
      ? daysOf({ startDate: from, endDate: to }).flatMap((date) =>
          isOwnDayOff(calendar, date) && !isOutside(calendar, date) ? { userId, date } : [],
        )
      : [],
  )
}

/** Holidays, weekend and zone of each department of these people. */
async function placesOf(db: Db, people: Roster['people'], from: string, to: string): Promise<Roster['places']> {
  const placeOf = await readPlaces(db)
  const calendars = await calendarsOfDepartments(
    db,
    [...new Set(people.flatMap(({ departmentId }) => departmentId ?? []))],
    { from, to },
  )
  return [...calendars].map(([departmentId, { holidays, weekend }]) => ({
    ...{ departmentId, timeZone: placeOf(departmentId).timeZone, weekend: [...weekend] },
    holidays: holidays.map(({ date, name }) => ({ date, name })),
  }))
}

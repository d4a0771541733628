import type { ShiftAutomation } from '@innkeeper/contract/planning/shifts/calls'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import { type By, notifyOfShifts } from '../notify.ts'
import type { Built } from '../planning/build.ts'
import { assumeCharges, type Charged, chargeAnew, replacing, touchedBy } from '../planning/chargeAnew.ts'
import { clockOf } from '../roster/times.ts'
import { readStored, shiftsById, shown } from '../roster/view.ts'
import { shiftAutomations, shifts } from '../tables.ts'

export type Automation = Pick<
  ShiftAutomation,
  | 'id'
  | 'name'
  | 'userId'
  | 'teamId'
  | 'departmentId'
  | 'pattern'
  | 'startDate'
  | 'endDate'
  | 'stagger'
  | 'onHoliday'
  | 'onLeave'
  | 'status'
  | 'weeksAhead'
>

interface Own {
  id: number
  userId: number
  date: string
  shiftTypeId: number
  edited: boolean
  /** Whether the times differ from those of the type: the rest of a shift that half a day of leave has cut. */
  ownTimes: boolean
  isGone: boolean
  /** Taken off the plan by a leave, whole or cut. */
  isFreed: boolean
  isCut: boolean
  /** Taken off the plan by a leave, with neither a copy for others nor a rest: the automation may write it anew. */
  isAway: boolean
  hasBegun: boolean
}

/** A shift that an automation plans, and what it leaves to the leave of its person. */
export interface Wanted {
  shift: Built
  /** The shift without the leave that takes it or half of it. */
  off?: { leaveId: number; whole: Built; isCut: boolean }
}
/** The shifts that people have on the plan. */
export const plannedOf = (wanted: readonly Wanted[]): Built[] =>
  wanted.flatMap(({ shift, off }) => (off && !off.isCut ? [] : [shift]))

/** Notifies people of published shifts that the automation removes or replaces by another type. */
export async function notifyOfDropped(db: Db, { name, status }: Automation, make: readonly Built[], drop: number[]) {
  const dropped = (await shiftsById(db, drop)).filter((shift) => shift.status === 'published')
  if (!dropped.length) return
  const keyOf = ({ userId, date }: Pick<Built, 'userId' | 'date'>) => `${userId} ${date}`
  const next = status === 'published' ? new Map(make.map((shift) => [keyOf(shift), shift])) : new Map<string, Built>()
  const by = automatic(name)
  await notifyOfShifts(
    db,
    dropped.filter((shift) => !next.has(keyOf(shift))),
    by,
    'removed',
  )
  const replaced = dropped.flatMap((shift) => next.get(keyOf(shift)) ?? [])
  await notifyOfShifts(
    db,
    replaced.map((shift) => ({
      ...shift,
      ...{ startTime: clockOf(shift.startMinute), endTime: clockOf(shift.endMinute) },
    })),
    by,
    'moved',
  )
}

export const automatic = (name: string): By => ({ id: 0, name: `the automation “${name}”` })

/** Shifts that this automation planned before, including removed ones; of all people, or of some. */
export const readOwn = (
  db: Db,
  id: number,
  { from, to }: { from: string; to: string },
  now: Date,
  only?: ReadonlySet<number>,
): Promise<Own[]> =>
  rows<Own>(
    db,
    sql`select shift_id as id, user_id as "userId", date::text as date, shift_type_id as "shiftTypeId", edited, own_times as "ownTimes",
        deleted_at is not null as "isGone", starts_at <= ${now.toISOString()}::timestamptz as "hasBegun",
        deleted_at is not null and leave_id is not null as "isFreed",
        deleted_at is not null and leave_id is not null and exists (select from shifts o where o.rest_of_id = s.shift_id) as "isCut",
        deleted_at is not null and leave_id is not null and not edited and not exists (select from shifts o
          where o.replaces_id = s.shift_id or o.rest_of_id = s.shift_id) as "isAway"
      from shifts s where automation_id = ${id} and date between ${from}::date and ${to}::date
        and ${only ? sql`user_id = any(${sql.param([...only])}::int[])` : sql`user_id is not null`}`,
  )

/** Drops shifts that overlap stored shifts or each other. */
export async function withoutOverlaps(db: Db, wanted: readonly Wanted[], drop: readonly number[]): Promise<Wanted[]> {
  if (!wanted.length) return []
  const make = wanted.map(({ shift }) => shift)
  const first = make.map(({ startsAt }) => startsAt).reduce((a, b) => (b < a ? b : a))
  const last = make.map(({ endsAt }) => endsAt).reduce((a, b) => (b > a ? b : a))
  const gone = new Set(drop)
  const busy = await rows<{ id: number; userId: number; s: string; e: string }>(
    db,
    sql`select shift_id as id, user_id as "userId", (extract(epoch from starts_at) * 1000)::bigint::text as s,
        (extract(epoch from ends_at) * 1000)::bigint::text as e
      from shifts where deleted_at is null and user_id = any(${sql.param([...new Set(make.flatMap(({ userId }) => userId ?? []))])}::int[])
        and starts_at < ${last}::timestamptz and ends_at > ${first}::timestamptz`,
  )
  const taken = Map.groupBy(
    busy.filter(({ id }) => !gone.has(id)).map(({ userId, s, e }) => ({ userId, s: Number(s), e: Number(e) })),
    ({ userId }) => userId,
  )
  const free: Wanted[] = []
  const ends = new Map<number, number>()
  for (const one of wanted) {
    const { shift } = one
    const userId = shift.userId ?? 0
    const s = Date.parse(shift.startsAt)
    const e = Date.parse(shift.endsAt)
    const isFree = s >= (ends.get(userId) ?? 0) && !taken.get(userId)?.some((other) => other.s < e && other.e > s)
    if (!isFree) continue
    ends.set(userId, e)
    free.push(one)
  }
  return free
}

const COLUMNS = sql.raw(
  'user_id, department_id, date, shift_type_id, name, code, colour, start_minute, end_minute, break_minutes, starts_at, ends_at, time_zone, night_steps, weighted420, own_times',
)
const ROW = sql.raw(
  'u int, p int, d date, t int, n text, c text, k text, s int, e int, b int, sa timestamptz, ea timestamptz, z text, ns int, w int, o boolean, l int',
)
const rowOf = (m: Built, leaveId?: number) => ({
  ...{ u: m.userId, p: m.departmentId, d: m.date, t: m.shiftTypeId, n: m.name, c: m.code, k: m.colour },
  ...{ s: m.startMinute, e: m.endMinute, b: m.breakMinutes, sa: m.startsAt, ea: m.endsAt, z: m.timeZone },
  ...{ ns: m.nightSteps, w: m.weighted420, o: m.ownTimes, ...(leaveId !== undefined && { l: leaveId }) },
})

/**
 * Writes in few statements, because a year of 200 people is 50,000 rows. What a leave takes is stored as an approval leaves
 * it, off the plan, so that a leave costs the same and is given back alike whether it was approved before or after the plan.
 * The caller has locked the plans of the people.
 */
export async function write(
  db: Db,
  { id, status }: Automation,
  make: readonly Wanted[],
  drop: number[],
  to: string,
): Promise<void> {
  for (const some of chunks(drop, 10_000)) await db.delete(shifts).where(inArray(shifts.id, some))
  // ordered by day: ordered by person, the exclusion constraint `shifts_apart` takes a third longer
  const byDay = make.toSorted(({ shift: a }, { shift: b }) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
  for (const some of chunks(byDay, 5000)) {
    const text = JSON.stringify(some.map(({ shift, off }) => (off ? rowOf(off.whole, off.leaveId) : rowOf(shift))))
    await db.execute(sql`insert into shifts (${COLUMNS}, status, source, automation_id, leave_id, deleted_at)
      select u, p, d, t, n, c, k, s, e, b, sa, ea, z, ns, w, o, ${status}, 'automation', ${id}::int, l,
        case when l is not null then now() end from json_to_recordset(${text}::json) as r(${ROW})`)
    const rests = some.flatMap(({ shift, off }) => (off?.isCut ? [rowOf(shift)] : []))
    if (rests.length)
      await db.execute(sql`insert into shifts (${COLUMNS}, status, source, edited, rest_of_id)
        select u, p, d, t, n, c, k, r.s, e, b, sa, ea, z, ns, w, o, ${status}, 'automation', true, whole.shift_id
        from json_to_recordset(${JSON.stringify(rests)}::json) as r(${ROW})
        join shifts whole on whole.automation_id = ${id} and whole.user_id = r.u and whole.date = r.d`)
  }
  await db
    .update(shiftAutomations)
    .set({ plannedTo: sql`greatest(${shiftAutomations.plannedTo}, ${to}::date)` })
    .where(eq(shiftAutomations.id, id))
}

/** First and last day after `day` on which the automation has shifts that nobody edited, or that a leave took. */
export async function plannedAfter(
  db: Db,
  id: number,
  day: string,
): Promise<{ first: string | null; last: string | null } | undefined> {
  const [found] = await rows<{ first: string | null; last: string | null }>(
    db,
    sql`select min(date)::text as first, max(date)::text as last from shifts
      where automation_id = ${id} and date > ${day}::date and (deleted_at is null or leave_id is not null) and not edited`,
  )
  return found
}

/** Condition on `shifts s`: future shifts of the automation that nobody edited, except in closed months. */
const unedited = (id: number, now: Date): SQL =>
  sql`s.automation_id = ${id} and s.starts_at > ${now.toISOString()}::timestamptz and not s.edited
    and s.deleted_at is null and not exists (select from shift_months m where m.month = date_trunc('month', s.date)::date)`

/** Whether more future shifts would be dropped than somebody waits for. */
export async function areMany(db: Db, id: number, now: Date): Promise<boolean> {
  return (
    (await rows(db, sql`select from shifts s where ${unedited(id, now)} limit ${limits.atOnce + 1}`)).length >
    limits.atOnce
  )
}

/** Most days of people that one call plans, or shifts that it drops; the worker does more. A year of 200 people is 73,000 days. */
export const limits = { atOnce: 75_000 }

/** Deletes future shifts of the automation, all or a part of them, and notifies their people. Returns their number. */
export async function dropLater(
  db: Db,
  { id, name }: Pick<Automation, 'id' | 'name'>,
  now: Date,
  part?: SQL,
): Promise<Charged<number>> {
  const later = sql`${unedited(id, now)} and ${part ?? sql`true`}`
  const by = automatic(name)
  const how = { db, by, now, isPart: part !== undefined }
  const touched = await touchedBy(db, later)
  if (isForeseen()) return { value: 0, leaves: await assumeCharges(how, touched, replacing(later, [])) }
  return chargeAnew(how, touched, without(name), () => drop(db, later, by))
}

/** Why the removal of an automation charges leaves anew. */
export const without = (name: string): string => `without ${automatic(name).name}`

async function drop(db: Db, later: SQL, by: By): Promise<number> {
  const gone = await readStored(db, [later], true)
  for (const some of chunks(gone, 10_000))
    await db.delete(shifts).where(
      inArray(
        shifts.id,
        some.map((shift) => shift.id),
      ),
    )
  const published = gone.filter(({ status }) => status === 'published')
  await notifyOfShifts(db, published.map(shown), by, 'removed')
  return gone.length
}

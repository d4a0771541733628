import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import { eq, sql } from 'drizzle-orm'
import { foresee } from '../../../kit/db/foresee.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { timeZoneOf } from '../../calendar/places.ts'
import { checkDepartment, checkPerson } from '../checks.ts'
import { repeatChanges, repeatableEvents as table } from '../tables.ts'
import { mayChange, repeatablesVisibleTo } from '../visible.ts'
import { byDays, nextDays, ruleDays, splitRule } from './occurrences.ts'
import { checkRepetition, dropLostDays, moveRest, type RepeatableRow, specialDays } from './repetition.ts'
import { readRepeatable, readRepeatables } from './view.ts'

const sorts = {
  title: { column: sql`lower(${table.title})`, type: 'text', direction: 'ASC' },
  startLocal: { column: table.startLocal, type: 'text', direction: 'DESC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const
const PREVIEWED = 10

type Calls =
  | 'repeatables'
  | 'repeatable'
  | 'createRepeatable'
  | 'updateRepeatable'
  | 'lostDays'
  | 'removeRepeatable'
  | 'previewRepeatable'

export const repeatableHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async repeatables({ search, type, ...input }, { db, staff, now }) {
    const where = [repeatablesVisibleTo(staff)]
    if (search) where.push(contains(table.title, search))
    if (type) where.push(sql`${table.type} in ${type}`)
    const order = sorts[input.sort ?? 'title']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: await readRepeatables(db, ids, now), ...page }
  },

  repeatable: ({ id }, { db, staff }) => readRepeatable(db, id, staff),

  async previewRepeatable({ rrule: rule, startLocal, timeZone }, { db, staff }) {
    const rrule = byDays(rule, startLocal, timeZone ?? (await timeZoneOf(db, staff.departmentId)))
    return { items: nextDays({ rrule, startLocal, exDates: [] }, startLocal.slice(0, 10), PREVIEWED) }
  },

  async createRepeatable(input, { db, staff }) {
    await checkDepartment(db, input.departmentId)
    await checkPerson(db, input.organizerId, 'organizerId')
    const timeZone = input.timeZone ?? (await timeZoneOf(db, input.departmentId ?? staff.departmentId))
    const { type = 'meeting', allDay = false, organizerId = staff.id, exDates = [], ...wanted } = input
    const [made] = await db
      .insert(table)
      .values(checkRepetition({ ...wanted, type, allDay, organizerId, exDates, timeZone, createdBy: staff.id }))
      .returning({ id: table.id })
    await changed(db, 'calendarEvents')
    return readRepeatable(db, made!.id, staff)
  },

  async updateRepeatable({ id, version, reach, occurrence, ...change }, context) {
    const { db } = context
    const before = await hold(context, id, version)
    const target = await apply(context, before, { reach, occurrence, change })
    await changed(db, 'calendarEvents')
    // the caller may have given the event to another department
    const [after] = await readRepeatables(db, [target], context.now)
    return after!
  },

  lostDays: ({ id, reach, occurrence, ...change }, context) =>
    foresee(context.db, async (db) => {
      const inner = { ...context, db }
      const before = await hold(inner, id, undefined)
      const had = await specialDays(db, [id])
      const target = await apply(inner, before, { reach, occurrence, change })
      const has = new Set((await specialDays(db, [...new Set([id, target])])).map(({ day, kind }) => `${kind} ${day}`))
      return { items: had.filter(({ day, kind }) => !has.has(`${kind} ${day}`)) }
    }),

  async removeRepeatable({ id, version, reach, occurrence }, context) {
    const { db } = context
    const before = await hold(context, id, version)
    const day = reach === 'all' ? undefined : occurrenceOf(before, occurrence)
    if (reach === 'one' && day) await store(context, id, { exDates: [...before.exDates, day].sort() })
    else if (day && day > firstDay(before)) await store(context, id, { rrule: splitRule(before, day).before })
    else await store(context, id, { deletedAt: context.now.toISOString() })
    await dropLostDays(db, id)
    await changed(db, 'calendarEvents')
  },
}

const firstDay = ({ startLocal }: RepeatableRow) => startLocal.slice(0, 10)

async function hold({ db, staff }: Context, id: number, version: number | undefined): Promise<RepeatableRow> {
  const [row] = await db.select().from(table).where(eq(table.id, id)).for('update')
  const current = await readRepeatable(db, id, staff)
  if (version !== undefined && version !== current.version)
    throw conflict(`${current.title} was changed by somebody else meanwhile`, { current })
  mayChange(staff, row!)
  return row!
}

/** Day of the rule that a change concerns; 422 with the field if the rule does not give the day or excludes it. */
function occurrenceOf(before: RepeatableRow, day: string | undefined): string {
  if (!day) throw refused('Which day is meant?', { occurrence: 'Required' })
  if (!ruleDays(before, day, day).length || before.exDates.includes(day))
    throw refused(`${before.title} is not held on ${day}`, { occurrence: 'The event is not held on that day' })
  return day
}

const store = ({ db }: Context, id: number, values: Partial<typeof table.$inferInsert>) =>
  db
    .update(table)
    .set({ ...values, ...nextVersion })
    .where(eq(table.id, id))

interface Wanted {
  reach: 'one' | 'following' | 'all'
  occurrence: string | undefined
  change: Change
}

/** Changes one day, one and all following, or all. Returns the id of the changed repetition. */
async function apply(context: Context, before: RepeatableRow, { reach, occurrence, change }: Wanted): Promise<number> {
  const { db } = context
  await checkDepartment(db, change.departmentId)
  await checkPerson(db, change.organizerId, 'organizerId')
  const day = reach === 'all' ? undefined : occurrenceOf(before, occurrence)
  if (reach === 'one' && day) await changeOne(context, before, day, change)
  else if (day && day > firstDay(before)) return changeFollowing(context, before, day, change)
  else await changeAll(context, before, change)
  return before.id
}

type Change = Omit<
  Parameters<(typeof repeatableHandlers)['updateRepeatable']>[0],
  'id' | 'version' | 'reach' | 'occurrence'
>

async function changeAll(context: Context, before: RepeatableRow, change: Change): Promise<void> {
  const { id, version: _, createdAt: __, updatedAt: ___, ...values } = before
  await store(context, id, checkRepetition({ ...values, ...given(change) }))
  await dropLostDays(context.db, id)
}

/** Fields that a single day can change. */
const ofOneDay = ['title', 'startLocal', 'durationMin', 'location'] as const

async function changeOne(context: Context, { id }: RepeatableRow, occurrence: string, change: Change): Promise<void> {
  const wanted = given(change)
  const strange = Object.keys(wanted).find((key) => !ofOneDay.some((known) => known === key))
  if (strange)
    throw refused('This field cannot differ on a single day', {
      [strange]: 'Change it for all days, or for all following days',
    })
  const { title, startLocal, durationMin, location } = wanted
  const values = { title, startLocal, durationMin, location }
  await context.db
    .insert(repeatChanges)
    .values({ repeatableEventId: id, occurrence, ...values })
    .onConflictDoUpdate({
      target: [repeatChanges.repeatableEventId, repeatChanges.occurrence],
      set: { occurrence, ...values },
    })
  await store(context, id, {})
}

/** Ends a repetition before a day and starts a changed one from that day. Returns the id of the new one. */
async function changeFollowing(context: Context, before: RepeatableRow, day: string, change: Change): Promise<number> {
  const { db } = context
  const split = splitRule(before, day)
  const { id: _, version: __, createdAt: ___, updatedAt: ____, ...values } = before
  const startLocal = `${day}${before.startLocal.slice(10)}`
  const wanted = { ...values, startLocal, rrule: split.after, ...given(change) }
  const [made] = await db.insert(table).values(checkRepetition(wanted)).returning({ id: table.id })
  await moveRest(db, { from: before.id, to: made!.id, day })
  await store(context, before.id, { rrule: split.before })
  await dropLostDays(db, before.id)
  await dropLostDays(db, made!.id)
  return made!.id
}

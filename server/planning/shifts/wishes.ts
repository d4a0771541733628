import {
  type Conflict,
  type shifts as contract,
  daysBetween,
  type ShiftWish,
} from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { addDays, weekdayOf } from '../calendar/days.ts'
import { todayIn } from '../calendar/places.ts'
import type { Built } from './planning/build.ts'
import { usableType } from './planning/cells.ts'
import { checkRange } from './range.ts'
import { shiftWishes } from './tables.ts'

type Row = Omit<ShiftWish, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string | Date>

/** Wishes that match the conditions on `w`, by first day. */
async function readWishes(db: Db, where: SQL[]): Promise<ShiftWish[]> {
  const found = await rows<Row>(
    db,
    sql`select w.shift_wish_id as id, w.version, w.created_at as "createdAt", w.updated_at as "updatedAt", w.user_id as "userId",
        w.kind, w.start_date::text as "from", w.end_date::text as "to", w.weekdays, w.shift_type_id as "shiftTypeId",
        t.name as "shiftTypeName", w.note
      from shift_wishes w left join shift_types t on t.shift_type_id = w.shift_type_id
      where w.deleted_at is null and ${sql.join(where, sql` and `)} order by w.start_date, w.shift_wish_id`,
  )
  return found.map((wish) => ({ ...wish, createdAt: isoOf(wish.createdAt), updatedAt: isoOf(wish.updatedAt) }))
}

export const wishesBetween = (db: Db, userIds: readonly number[], from: string, to: string): Promise<ShiftWish[]> =>
  readWishes(db, [
    sql`w.user_id = any(${sql.param([...userIds])}::int[])`,
    sql`w.start_date <= ${to}::date and w.end_date >= ${from}::date`,
  ])

const isFor = ({ from, to, weekdays }: ShiftWish, date: string): boolean =>
  from <= date && date <= to && (weekdays.length === 0 || weekdays.includes(weekdayOf(date)))

/** Warnings for shifts at times when people have a wish not to work. */
export async function againstWishes(
  db: Db,
  wanted: readonly (Pick<Built, 'userId' | 'date'> & Partial<Pick<Built, 'shiftTypeId'>>)[],
): Promise<Omit<Conflict, 'name' | 'refuses'>[]> {
  const dates = wanted.map(({ date }) => date).toSorted()
  const ids = [...new Set(wanted.flatMap(({ userId }) => userId ?? []))]
  const [first] = dates
  if (!ids.length || !first) return []
  const wishes = Map.groupBy(await wishesBetween(db, ids, first, dates.at(-1) ?? first), ({ userId }) => userId)
  return wanted.flatMap(({ userId, date, shiftTypeId }) => {
    const against = (userId === null ? [] : (wishes.get(userId) ?? [])).filter(
      (one) =>
        one.kind !== 'likes' &&
        isFor(one, date) &&
        (one.shiftTypeId === null || shiftTypeId === undefined || one.shiftTypeId === shiftTypeId),
    )
    const wish = against.find(({ kind }) => kind === 'cannot') ?? against[0]
    if (!wish) return []
    const what = wish.kind === 'cannot' ? 'cannot work' : 'would rather not work'
    const text = `${what}${wish.shiftTypeName ? ` ${wish.shiftTypeName}` : ''} on ${short(date)}${wish.note ? `: ${wish.note}` : ''}`
    return [{ userId, date, kind: 'wish' as const, text, shiftId: null, version: null }]
  })
}

export const wishHandlers: Pick<Handlers<typeof contract>, 'wishes' | 'addWish' | 'removeWish'> = {
  async wishes(_, { db, staff, now }) {
    const today = await todayIn(db, now, staff.departmentId)
    const items = await readWishes(db, [sql`w.user_id = ${staff.id}`, sql`w.end_date >= ${today}::date`])
    return { items, total: items.length }
  },

  async addWish({ kind, from, to, weekdays, shiftTypeId, note }, { db, staff, audit }) {
    checkRange({ from, to })
    if (shiftTypeId !== null) await usableType(db, shiftTypeId)
    const days = [...new Set(weekdays)].sort((a, b) => a - b)
    const dates = Array.from({ length: Math.min(7, daysBetween(from, to)) }, (_, n) => addDays(from, n))
    const text = 'None of these days of the week lies in the range'
    if (days.length && !dates.some((date) => days.includes(weekdayOf(date)))) throw refused(text, { weekdays: text })
    const [made] = await db
      .insert(shiftWishes)
      .values({
        ...{ userId: staff.id, kind, startDate: from, endDate: to, weekdays: days, shiftTypeId },
        ...{ note: note ?? null, createdBy: staff.id },
      })
      .returning({ id: shiftWishes.id })
    const wish = await findWish(db, staff.id, made!.id) // one inserted row returns one row
    audit.of('shift-wish', wish.id)
    audit.after(wish)
    await changed(db, 'shifts')
    return wish
  },

  async removeWish({ id, version }, { db, staff, audit }) {
    await db.execute(sql`select from shift_wishes where shift_wish_id = ${id} for update`)
    const wish = await findWish(db, staff.id, id)
    audit.before(wish)
    checkVersion(wish, version, 'This wish')
    await db
      .update(shiftWishes)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(sql`${shiftWishes.id} = ${id}`)
    await changed(db, 'shifts')
  },
}

/** A wish of this person; 404 for wishes of others. */
async function findWish(db: Db, userId: number, id: number): Promise<ShiftWish> {
  const [wish] = await readWishes(db, [sql`w.shift_wish_id = ${id}`, sql`w.user_id = ${userId}`])
  if (!wish) throw notFound('wish', id)
  return wish
}

const form = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const short = (date: string) => form.format(new Date(`${date}T00:00:00Z`))

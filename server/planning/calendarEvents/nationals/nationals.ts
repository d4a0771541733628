import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import { movableMethods } from '@innkeeper/contract/planning/calendarEvents/national'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { yearOf } from '../../calendar/days.ts'
import { countries, libraryDays } from '../../calendar/library.ts'
import { todayIn } from '../../calendar/places.ts'
import { nationalEvents as table } from '../../calendar/tables.ts'
import { foreseeLeaves, withLeaves } from '../leaves.ts'
import { calendarTexts } from '../texts.ts'
import { checkRule, newRule, type Rule, tenYears } from './rule.ts'
import { readNational, readNationals } from './view.ts'

const sorts = {
  name: { column: sql`lower(${table.name})`, type: 'text', direction: 'ASC' },
  country: { column: sql`coalesce(${table.country}, '')`, type: 'text', direction: 'ASC' },
  kind: { column: table.kind, type: 'text', direction: 'ASC' },
  createdAt: { column: table.createdAt, type: 'instant', direction: 'DESC' },
} as const

type Calls =
  | 'nationals'
  | 'national'
  | 'createNational'
  | 'updateNational'
  | 'removeNational'
  | 'newNationalLeaves'
  | 'nationalLeaves'
  | 'nationalRemovalLeaves'
  | 'movableMethods'
  | 'previewNational'
  | 'libraryHolidays'
  | 'countries'

export const nationalHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async nationals({ search, country, kind, ...input }, { db, now }) {
    const where = [sql`${table.deletedAt} is null`]
    if (search) where.push(contains(table.name, search))
    if (country) where.push(sql`${table.country} in ${country}`)
    if (kind) where.push(sql`${table.kind} = ${kind}`)
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${table}`, where, key: table.id, order })
    return { items: await readNationals(db, ids, now), ...page }
  },

  national: ({ id }, { db, now }) => readNational(db, id, now),

  async createNational({ leaves, ...input }, context) {
    const { db, now } = context
    const made = await withLeaves(
      context,
      leaves,
      () => calendarTexts().added(input.name),
      () => add(context, input),
    )
    await changed(db, 'calendarEvents')
    return readNational(db, made, now)
  },

  async updateNational({ id, version, leaves, ...change }, context) {
    const { db, now } = context
    const before = await hold(context, id, version)
    await withLeaves(
      context,
      leaves,
      () => calendarTexts().changed(before.name),
      () => alter(db, id, before, change),
    )
    await changed(db, 'calendarEvents')
    return readNational(db, id, now)
  },

  async removeNational({ id, version, leaves }, context) {
    const { db } = context
    const { name } = await hold(context, id, version)
    await withLeaves(
      context,
      leaves,
      () => calendarTexts().removed(name),
      () => remove(db, id),
    )
    await changed(db, 'calendarEvents')
  },

  newNationalLeaves: (input, context) => foreseeLeaves(context, (inner) => add(inner, input)),
  nationalLeaves: ({ id, ...change }, context) =>
    foreseeLeaves(context, async ({ db }) => alter(db, id, await find(db, id), change)),
  nationalRemovalLeaves: ({ id }, context) =>
    foreseeLeaves(context, async ({ db }) => {
      await find(db, id)
      return remove(db, id)
    }),

  async movableMethods() {
    return {
      items: (Object.keys(movableMethods) as (keyof typeof movableMethods)[]).map((method) => ({
        method,
        name: movableMethods[method],
      })),
    } // the keys of a constant
  },

  async previewNational({ id, ...change }, { db, now }) {
    const before = id === undefined ? newRule({ name: 'New' }, now) : await find(db, id)
    const rule = await checkRule({ ...before, ...given(change) })
    return { items: await tenYears(db, { ...rule, id: id ?? 0 }, now) }
  },

  async libraryHolidays({ country, region, year }, { db, now }) {
    const asked = year ?? yearOf(await todayIn(db, now))
    const days = await libraryDays(country, region ?? null, asked)
    const own = days.filter(({ substitute }) => !substitute)
    return { items: own.map(({ rule, name, date }) => ({ rule, name, date })) }
  },

  async countries() {
    return { items: await countries() }
  },
}

type Change = Omit<Input<typeof contract.previewNational, 'out'>, 'id'>

async function add({ db, staff, now }: Context, input: Change & { name: string }): Promise<number> {
  const rule = await checkRule(newRule(input, now))
  const [made] = await db
    .insert(table)
    .values({ ...rule, createdBy: staff.id })
    .returning({ id: table.id })
  return made!.id // one inserted row returns one row
}

async function alter(db: Db, id: number, before: Rule, change: Change): Promise<void> {
  const rule = await checkRule({ ...before, ...given(change) })
  await db
    .update(table)
    .set({ ...rule, ...nextVersion })
    .where(eq(table.id, id))
}

const remove = (db: Db, id: number) =>
  db.update(table).set({ deletedAt: sql`now()`, version: sql`version + 1` }).where(eq(table.id, id))

async function find(db: Context['db'], id: number) {
  const [row] = await db.select().from(table).where(sql`${table.id} = ${id} and ${table.deletedAt} is null`)
  if (!row) throw notFound('national event', id)
  const { id: _, version: __, createdAt: ___, createdBy: ____, updatedAt: _____, deletedAt: ______, ...rule } = row
  return rule
}

async function hold({ db, now }: Context, id: number, version: number | undefined) {
  await db.select({ id: table.id }).from(table).where(eq(table.id, id)).for('update')
  const current = await readNational(db, id, now)
  if (version !== undefined && version !== current.version)
    throw conflict(`${current.name} was changed by somebody else meanwhile`, { current })
  return find(db, id)
}

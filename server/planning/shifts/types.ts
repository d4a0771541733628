import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { shifts as contract, ShiftType } from '@innkeeper/contract/planning/shifts/calls'
import { durationOf, lengthOf, toHours } from '@innkeeper/contract/planning/shifts/duration'
import { eq, type SQL, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { given } from '../../kit/db/given.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { BREAK } from './planning/build.ts'
import { type Charged, foreseeCharges, seeing } from './planning/chargeAnew.ts'
import { followType, isForLater } from './planning/follow.ts'
import { followLater, progressOfFollowing } from './planning/later.ts'
import { readSettings, type Settings } from './settings.ts'
import { shiftTypes } from './tables.ts'

const sorts = {
  name: { column: nameOrder(sql`lower(${shiftTypes.name})`), type: 'text', direction: 'ASC' },
  startTime: { column: shiftTypes.startTime, type: 'text', direction: 'ASC' },
  createdAt: { column: shiftTypes.createdAt, type: 'instant', direction: 'DESC' },
} as const

type Calls = 'types' | 'type' | 'createType' | 'updateType' | 'typeLeaves' | 'removeType'

export const typeHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async types(input, { db }) {
    const where: SQL[] = [sql`${shiftTypes.deletedAt} is null`]
    if (input.search) where.push(contains(shiftTypes.name, input.search))
    if (input.isActive) where.push(sql`${shiftTypes.isActive} = ${input.isActive === 'true'}`)
    const order = sorts[input.sort ?? 'startTime']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${shiftTypes}`, where, key: shiftTypes.id, order })
    return { items: await readTypes(db, ids), ...page }
  },

  type: ({ id }, { db }) => readType(db, id),

  async createType({ code, breakMinutes = 0, colour = 'info', isActive = true, ...fields }, { db, staff, audit }) {
    checkBreak({ ...fields, breakMinutes })
    await freeName(db, fields.name)
    const [made] = await db
      .insert(shiftTypes)
      .values({ ...fields, breakMinutes, colour, isActive, code: code ?? codeOf(fields.name), createdBy: staff.id })
      .returning({ id: shiftTypes.id })
    const type = await readType(db, made!.id) // one inserted row returns one row
    audit.after(type)
    await changed(db, 'shifts')
    return type
  },

  async updateType({ id, version, ...change }, context) {
    const { db, audit } = context
    const before = await holdType(db, id, version)
    const shifts = await save(context, before, change)
    const type = await readType(db, id)
    audit.before(before)
    audit.after({ ...type, shifts })
    await changed(db, 'shifts')
    return { ...type, shifts }
  },

  typeLeaves: ({ id, ...change }, context) =>
    foreseeCharges(context, async (inner) => alter(inner, await holdType(inner.db, id, undefined), change)),

  async removeType({ id, version }, { db, audit, now }) {
    const type = await holdType(db, id, version)
    const [used] = await rows<{ shifts: number; automations: number }>(
      db,
      sql`select (select count(*)::int from shifts where shift_type_id = ${id} and deleted_at is null
            and ends_at > ${now.toISOString()}::timestamptz) as shifts,
          (select count(*)::int from shift_automations where deleted_at is null and ${id} = any(pattern)) as automations`,
    )
    if (used && (used.shifts || used.automations))
      throw refused(
        `${type.name} is planned with: shifts ${used.shifts}, automations ${used.automations}. Switch the type off, or change these first.`,
      )
    audit.before(type)
    await db.update(shiftTypes).set({ deletedAt: sql`now()`, version: sql`version + 1` }).where(eq(shiftTypes.id, id))
    await changed(db, 'shifts')
  },
}

type Change = Omit<Input<typeof contract.typeLeaves, 'out'>, 'id'>

/** Stores a change. Returns the number of future shifts that have followed; very many follow later, in the worker. */
async function save(
  context: Context,
  before: ShiftType,
  { leaves, ...change }: Change & { leaves?: number[] | undefined },
): Promise<number> {
  const { db, staff, now } = context
  if (!(await isForLater(db, { shiftTypeId: before.id }, now)))
    return seeing(context, leaves, () => alter(context, before, change))
  if (await store(context, before, change)) await followLater(db, { shiftTypeId: before.id }, staff, now)
  return 0
}

async function alter(context: Context, before: ShiftType, change: Change): Promise<Charged<number>> {
  const { db, staff, now } = context
  const isCopied = await store(context, before, change)
  return isCopied ? followType(db, before.id, { since: now, by: staff }) : { value: 0, leaves: [] }
}

/** Of these fields, shifts have copies. */
const copied = ['name', 'code', 'colour', 'startTime', 'endTime', 'breakMinutes'] as const

/** Returns whether future shifts follow the change. */
async function store({ db }: Context, before: ShiftType, change: Change): Promise<boolean> {
  const { id } = before
  const sent = given(change)
  const after = { ...before, ...sent }
  checkBreak(after)
  if (after.name !== before.name) await freeName(db, after.name, id)
  await db
    .update(shiftTypes)
    .set({ ...sent, ...nextVersion })
    .where(eq(shiftTypes.id, id))
  return copied.some((field) => after[field] !== before[field])
}

/** Requires a break that is shorter than the shift. */
function checkBreak({
  startTime,
  endTime,
  breakMinutes,
}: Pick<ShiftType, 'startTime' | 'endTime' | 'breakMinutes'>): void {
  const midnight = 'A shift begins by 23:59'
  if (startTime === '24:00') throw refused(midnight, { startTime: midnight })
  if (breakMinutes >= lengthOf(startTime, endTime)) throw refused(BREAK, { breakMinutes: BREAK })
}

/** Default code of a name: E for Early, DS for Day shift. */
const codeOf = (name: string): string =>
  name
    .split(/\s+/)
    .map((word) => word.match(/[\p{L}\p{N}]/u)?.[0] ?? '')
    .join('')
    .slice(0, 3)
    .toUpperCase() || 'S'

async function freeName(db: Db, name: string, but = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from shift_types where lower(name) = lower(${name}) and shift_type_id <> ${but} and deleted_at is null`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another shift type has that name' } })
}

async function holdType(db: Db, id: number, version: number | undefined): Promise<ShiftType> {
  await db.select({ id: shiftTypes.id }).from(shiftTypes).where(eq(shiftTypes.id, id)).for('update')
  const type = await readType(db, id)
  checkVersion(type, version, type.name)
  return type
}

async function readType(db: Db, id: number): Promise<ShiftType> {
  const [type] = await readTypes(db, [id])
  if (!type) throw notFound('shift type', id)
  return type
}

const select = byIds((db, isWanted) => db.select().from(shiftTypes).where(isWanted(shiftTypes.id)))

async function readTypes(db: Db, ids: number[]): Promise<ShiftType[]> {
  if (!ids.length) return []
  const settings = await readSettings(db)
  const found = await select(db, ids)
  const progress = await progressOfFollowing(db)
  return inOrder(
    ids,
    found
      .filter(({ deletedAt }) => deletedAt === null)
      .map((row) => shownType(row, settings, progress.get(row.id) ?? 100)),
  )
}

function shownType(
  { createdBy: _, deletedAt: __, ...type }: typeof shiftTypes.$inferSelect,
  settings: Settings,
  progress: number,
): ShiftType {
  const { weighted420, night } = durationOf(type.startTime, type.endTime, type.breakMinutes, settings)
  return { ...type, hours: toHours(weighted420), nightHours: night, progress }
}

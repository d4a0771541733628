import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Workplace } from '@innkeeper/contract/planning/calendarEvents/national'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { given } from '../../kit/db/given.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { calendarOf } from '../calendar/holidays.ts'
import { knowsCountry } from '../calendar/library.ts'
import { NOWHERE } from '../calendar/places.ts'
import { workplaces } from '../calendar/tables.ts'
import { checkDepartment } from './checks.ts'
import { checkSpan } from './entries/span.ts'
import { foreseeLeaves, withLeaves } from './leaves.ts'
import { calendarTexts } from './texts.ts'

type Calls = 'workplaces' | 'setWorkplace' | 'workplaceLeaves' | 'removeWorkplace' | 'holidays'

export const workplaceHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async workplaces(_, { db }) {
    return { items: await readWorkplaces(db) }
  },

  async setWorkplace({ version, leaves, ...wanted }, context) {
    const { db, audit } = context
    await checkPlace(db, wanted)
    const before = await find(db, wanted.departmentId)
    // a workplace that was removed meanwhile has the version 0, as one that never was
    const current = before ?? { ...NOWHERE, ...wanted, weekend: wanted.weekend ?? [...NOWHERE.weekend], version: 0 }
    if (version !== undefined && current.version !== version) throw meanwhile(current)
    const made = await withLeaves(
      context,
      leaves,
      () => calendarTexts().workplaceChanged(nameOf(before)),
      () => store(context, wanted, version),
    )
    const after = await find(db, wanted.departmentId)
    if (made === undefined) throw meanwhile(after)
    audit.of('workplace', made)
    audit.before(before)
    audit.after(after)
    await changed(db, 'calendarEvents')
    return after!
  },

  workplaceLeaves: ({ remove: isRemoved, ...wanted }, context) =>
    foreseeLeaves(context, async (inner) => {
      await checkPlace(inner.db, wanted)
      return isRemoved ? remove(inner.db, wanted.departmentId) : store(inner, wanted, undefined)
    }),

  async removeWorkplace({ departmentId, version, leaves }, context) {
    const { db, audit } = context
    const before = await find(db, departmentId)
    if (!before) throw notFound('workplace of department', departmentId)
    if (version !== undefined && before.version !== version) throw meanwhile(before)
    const gone = await withLeaves(
      context,
      leaves,
      () => calendarTexts().workplaceRemoved(nameOf(before)),
      () => remove(db, departmentId),
    )
    audit.of('workplace', gone)
    audit.before(before)
    await changed(db, 'calendarEvents')
  },

  async holidays({ from, to }, { db, staff }) {
    checkSpan(from, to)
    const { holidays, weekend } = await calendarOf(db, { from, to, departmentId: staff.departmentId })
    return { items: [...holidays], weekend: [...weekend] }
  },
}

type Wanted = Omit<Input<typeof contract.workplaceLeaves, 'out'>, 'remove'>

async function checkPlace(db: Db, { departmentId, country, region }: Wanted): Promise<void> {
  await checkDepartment(db, departmentId)
  if (country && !(await knowsCountry(country))) throw refused('No such country', { country: 'Unknown country' })
  if (region && !(country && (await knowsCountry(country, region))))
    throw refused('No such region', { region: 'No region of this country' })
}

/** The id of the stored workplace; undefined if somebody else stored another version first. */
async function store({ db, staff }: Context, wanted: Wanted, version: number | undefined): Promise<number | undefined> {
  const { departmentId, country, region, timeZone, ...rest } = wanted
  const sent = given(rest)
  const [made] = await db
    .insert(workplaces)
    .values({ departmentId, country, region, timeZone, ...sent, createdBy: staff.id })
    .onConflictDoUpdate({
      target: workplaces.departmentId,
      ...(version !== undefined && { setWhere: sql`workplaces.version = ${version}` }),
      set: { country, region, timeZone, ...sent, version: sql`workplaces.version + 1`, updatedAt: sql`now()` },
    })
    .returning({ id: workplaces.id })
  return made?.id
}

async function remove(db: Db, departmentId: number | null): Promise<number> {
  const [gone] = await db
    .delete(workplaces)
    .where(sql`department_id is not distinct from ${departmentId}`)
    .returning({ id: workplaces.id })
  if (!gone) throw notFound('workplace of department', departmentId ?? undefined)
  return gone.id
}

const nameOf = (place: Workplace | undefined) => place?.departmentName ?? calendarTexts().organisation

const meanwhile = (current: unknown) => conflict('Somebody else has set this workplace meanwhile', { current })

/** Workplaces, the organisation's first, even if it is not set. */
async function readWorkplaces(db: Db): Promise<Workplace[]> {
  const found = await rows<Workplace>(
    db,
    sql`select w.department_id as "departmentId", d.name as "departmentName", w.country, w.region,
        w.time_zone as "timeZone", w.weekend, w.half_day_minute as "halfDayMinute",
        w.half_holidays as "halfHolidays", w.version
      from workplaces w left join departments d on d.department_id = w.department_id
      where w.department_id is null or d.deleted_at is null
      order by w.department_id is not null, lower(d.name), w.workplace_id`,
  )
  const nothing = {
    ...NOWHERE,
    ...{ weekend: [...NOWHERE.weekend], halfHolidays: [...NOWHERE.halfHolidays] },
    ...{ departmentId: null, departmentName: null, version: 0 },
  }
  return found[0]?.departmentId === null ? found : [nothing, ...found]
}

const find = async (db: Db, departmentId: number | null) =>
  (await readWorkplaces(db)).find((place) => place.departmentId === departmentId && place.version > 0)

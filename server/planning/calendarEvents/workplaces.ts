import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Workplace } from '@innkeeper/contract/planning/calendarEvents/national'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { calendarOf } from '../calendar/holidays.ts'
import { knowsCountry } from '../calendar/library.ts'
import { NOWHERE } from '../calendar/places.ts'
import { workplaces } from '../calendar/tables.ts'
import { checkDepartment } from './checks.ts'
import { checkSpan } from './entries/span.ts'

type Calls = 'workplaces' | 'setWorkplace' | 'removeWorkplace' | 'holidays'

export const workplaceHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async workplaces(_, { db }) {
    return { items: await readWorkplaces(db) }
  },

  async setWorkplace({ version, ...wanted }, { db, staff, audit }) {
    const { departmentId, country, region, timeZone, weekend, halfDayMinute } = wanted
    const given = { ...(weekend && { weekend }), ...(halfDayMinute !== undefined && { halfDayMinute }) }
    await checkDepartment(db, departmentId)
    if (country && !(await knowsCountry(country))) throw refused('No such country', { country: 'Unknown country' })
    if (region && !(country && (await knowsCountry(country, region))))
      throw refused('No such region', { region: 'No region of this country' })
    const before = await find(db, departmentId)
    // a workplace that was removed meanwhile has the version 0, as one that never was
    const current = before ?? { ...NOWHERE, ...wanted, weekend: weekend ?? [...NOWHERE.weekend], version: 0 }
    if (version !== undefined && current.version !== version) throw meanwhile(current)
    const [made] = await db
      .insert(workplaces)
      .values({ departmentId, country, region, timeZone, ...given, createdBy: staff.id })
      .onConflictDoUpdate({
        target: workplaces.departmentId,
        ...(version !== undefined && { setWhere: sql`workplaces.version = ${version}` }),
        set: {
          country,
          region,
          timeZone,
          ...given,
          version: sql`workplaces.version + 1`,
          updatedAt: sql`now()`,
        },
      })
      .returning({ id: workplaces.id })
    const after = await find(db, departmentId)
    if (!made) throw meanwhile(after)
    audit.of('workplace', made.id)
    audit.before(before)
    audit.after(after)
    await changed(db, 'calendarEvents')
    return after!
  },

  async removeWorkplace({ departmentId, version }, { db, audit }) {
    const before = await find(db, departmentId)
    if (!before) throw notFound('workplace of department', departmentId)
    if (version !== undefined && before.version !== version) throw meanwhile(before)
    const [gone] = await db
      .delete(workplaces)
      .where(sql`department_id = ${departmentId}`)
      .returning({ id: workplaces.id })
    audit.of('workplace', gone!.id)
    audit.before(before)
    await changed(db, 'calendarEvents')
  },

  async holidays({ from, to }, { db, staff }) {
    checkSpan(from, to)
    const { holidays, weekend } = await calendarOf(db, { from, to, departmentId: staff.departmentId })
    return { items: [...holidays], weekend: [...weekend] }
  },
}

const meanwhile = (current: unknown) => conflict('Somebody else has set this workplace meanwhile', { current })

/** Workplaces, the organisation's first, even if it is not set. */
async function readWorkplaces(db: Db): Promise<Workplace[]> {
  const found = await rows<Workplace>(
    db,
    sql`select w.department_id as "departmentId", d.name as "departmentName", w.country, w.region,
        w.time_zone as "timeZone", w.weekend, w.half_day_minute as "halfDayMinute", w.version
      from workplaces w left join departments d on d.department_id = w.department_id
      where w.department_id is null or d.deleted_at is null
      order by w.department_id is not null, lower(d.name), w.workplace_id`,
  )
  const nothing = { ...NOWHERE, weekend: [...NOWHERE.weekend], departmentId: null, departmentName: null, version: 0 }
  return found[0]?.departmentId === null ? found : [nothing, ...found]
}

const find = async (db: Db, departmentId: number | null) =>
  (await readWorkplaces(db)).find((place) => place.departmentId === departmentId && place.version > 0)

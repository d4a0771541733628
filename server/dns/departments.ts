import type { dns as contract, DnsDepartment } from '@innkeeper/contract/dns'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { departments } from '../departments/tables.ts'
import { rowsByIds } from '../kit/db/byIds.ts'
import { inOrder, likeText, pageKeys } from '../kit/db/page.ts'
import type { Handlers } from '../kit/http/api.ts'
import { refused } from '../kit/http/errors.ts'
import { changed } from '../kit/live/live.ts'
import { dnsDepartments } from './tables.ts'

/** All departments, and which of them are promoted: a zone can be assigned to promoted ones only (RP3-010). */
export const departmentsHandlers: Pick<Handlers<typeof contract>, 'departments' | 'promote' | 'demote'> = {
  async departments(input, { db }) {
    const where: SQL[] = [sql`${departments.deletedAt} is null`]
    if (input.search) where.push(sql`lower(${departments.name}) like ${likeText(input.search)}`)
    const promoted = sql`exists (select from dns_departments p where p.department_id = ${departments.id})`
    if (input.promoted) where.push(input.promoted === 'true' ? promoted : sql`not ${promoted}`)
    const order = { column: departments.name, type: 'text', direction: 'ASC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${departments}`, where, key: departments.id, order })
    return { items: inOrder(ids, await readDepartments(db, ids)), ...page }
  },

  async promote({ ids }, { db, staff, audit }) {
    const wanted = [...new Set(ids)]
    const known = await readDepartments(db, wanted)
    const unknown = wanted.find((id) => !known.some((one) => one.id === id))
    if (unknown !== undefined) throw refused(`There is no department ${unknown}`, { ids: `No department ${unknown}` })
    const made = await db
      .insert(dnsDepartments)
      .values(wanted.map((departmentId) => ({ departmentId, by: staff.name })))
      .onConflictDoNothing()
      .returning()
    audit.after({ promoted: known.map(({ name }) => name) })
    await changed(db, 'dns')
    return { promoted: made.length }
  },

  async demote({ ids }, { db, audit }) {
    if (!ids.length) throw refused('No department is named', { ids: 'Required' })
    audit.before({ promoted: (await readDepartments(db, ids)).map(({ name }) => name) })
    audit.after({ promoted: [] })
    await db.delete(dnsDepartments).where(inArray(dnsDepartments.departmentId, ids))
    await changed(db, 'dns')
  },
}

const readDepartments = rowsByIds<DnsDepartment>(
  (isWanted) =>
    sql`select d.department_id as id, d.name, p.by as "promotedBy",
        to_char(p.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "promotedAt",
        (select count(*)::int from users u where u.department_id = d.department_id and u.deleted_at is null) as people,
        (select count(*)::int from zones z where z.department_ids @> array[d.department_id] and z.deleted_at is null) as zones
      from departments d left join dns_departments p on p.department_id = d.department_id
      where ${isWanted(sql`d.department_id`)} and d.deleted_at is null`,
)

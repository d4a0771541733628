import type { dns as contract, DnsDepartment } from '@innkeeper/contract/net/dns/calls'
import { inArray, type SQL, sql } from 'drizzle-orm'
import { checkDepartments } from '../../access/departments/exists.ts'
import { departments } from '../../access/departments/tables.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { rowsByIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { outOfReach, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { dnsDepartments } from './tables.ts'
import { visibleTo } from './visible.ts'

/** All departments, and which of them are promoted: a zone can be assigned to promoted ones only (RP3-010). */
export const departmentsHandlers: Pick<Handlers<typeof contract>, 'departments' | 'promote' | 'demote'> = {
  async departments(input, { db, staff }) {
    const where: SQL[] = [sql`${departments.deletedAt} is null`]
    if (input.search) where.push(contains(departments.name, input.search))
    const promoted = sql`exists (select from dns_departments p where p.department_id = ${departments.id})`
    if (input.promoted) where.push(input.promoted === 'true' ? promoted : sql`not ${promoted}`)
    const order = { column: departments.name, type: 'text', direction: 'ASC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${departments}`, where, key: departments.id, order })
    const found = inOrder(ids, await readDepartments(db, ids))
    const seen = await seenZones(db, staff, ids)
    return { items: found.map((one) => ({ ...one, zones: seen.get(one.id) ?? 0 })), ...page }
  },

  async promote({ ids }, { db, staff, audit }) {
    const wanted = [...new Set(ids)]
    await checkDepartments(db, wanted, 'ids')
    const known = await readDepartments(db, wanted)
    const own = staff.isAdmin ? undefined : known.find(({ promotedBy, zones }) => promotedBy === null && zones > 0)
    if (own)
      throw outOfReach(`${own.name} owns zones that only administrators see now: an administrator opens them again`)
    const made = await db
      .insert(dnsDepartments)
      .values(wanted.map((departmentId) => ({ departmentId, by: staff.name })))
      .onConflictDoNothing()
      .returning()
    audit.after({ promoted: known.map(({ name }) => name) })
    await changed(db, 'dns')
    return { promoted: made.length }
  },

  async demote({ ids }, { db, staff, audit }) {
    if (!ids.length) throw refused('No department is named', { ids: 'Required' })
    await checkDepartments(db, ids, 'ids')
    const known = await readDepartments(db, ids)
    // its people lose their zones
    const other = staff.isAdmin ? undefined : known.find(({ id, zones }) => id !== staff.departmentId && zones > 0)
    if (other)
      throw outOfReach(
        `You do not belong to ${other.name}, which owns zones: only somebody of that department or an administrator takes them away`,
      )
    audit.before({ promoted: known.map(({ name }) => name) })
    audit.after({ promoted: [] })
    await db.delete(dnsDepartments).where(inArray(dnsDepartments.departmentId, ids))
    await changed(db, 'dns')
  },
}

/** Number of zones of each department that the caller may see: a count tells of zones that a list hides. */
async function seenZones(db: Db, staff: Staff, ids: readonly number[]): Promise<Map<number, number>> {
  const found = await rows<{ id: number; count: number }>(
    db,
    sql`select d.id, (select count(*)::int from zones where ${visibleTo(staff)} and department_ids @> array[d.id]) as count
      from unnest(${sql.param([...ids])}::int[]) as d(id)`,
  )
  return new Map(found.map(({ id, count }) => [id, count]))
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

import type { departments as contract, Department } from '@innkeeper/contract/access/departments'
import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { mayActOn, mayPlace, mayRename } from '../rights/reach.ts'
import { rightsChanged } from '../rights/rights.ts'
import { departments } from './tables.ts'
import { readDepartment, readDepartments } from './view.ts'

const sorts = {
  name: { column: nameOrder(departments.name), type: 'text', direction: 'ASC' },
  createdAt: { column: departments.createdAt, type: 'instant', direction: 'DESC' },
} as const

export const departmentsHandlers: Handlers<typeof contract> = {
  async ofUsers({ ids }, { db }) {
    if (!ids.length) return { items: [], total: 0 }
    const items = await rows<{ id: number; name: string; departmentId: number | null; departmentName: string | null }>(
      db,
      sql`select u.user_id as id, ${personName('u')} as name, d.department_id as "departmentId", d.name as "departmentName"
        from users u left join departments d on d.department_id = u.department_id and d.deleted_at is null
        where u.user_id = any(${sql.param(ids)}::int[]) and u.deleted_at is null order by u.user_id`,
    )
    return { items, total: items.length }
  },

  async list(input, { db }) {
    const where: SQL[] = [sql`${departments.deletedAt} is null`]
    if (input.ids) where.push(sql`${departments.id} = any(${sql.param(input.ids)}::int[])`)
    if (input.search) where.push(contains(departments.name, input.search))
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${departments}`, where, key: departments.id, order })
    return { items: await readDepartments(db, ids), ...page }
  },

  one: ({ id }, { db }) => readDepartment(db, id),

  async create(fields, { db, staff, audit }) {
    await checkName(db, fields.name)
    const [made] = await db
      .insert(departments)
      .values({ ...fields, createdBy: staff.id })
      .returning({ id: departments.id })
    const department = await readDepartment(db, made!.id)
    audit.after(department)
    await changed(db, 'departments', department.id)
    return department
  },

  async update({ id, version, add = [], remove = [], ...fields }, context) {
    const { db, app, audit, staff, now } = context
    const before = await find(context, id, version)
    const isOther = (key: 'name' | 'description') => fields[key] !== undefined && fields[key] !== before[key]
    if (isOther('name') || isOther('description')) mayRename(staff, before)
    if (fields.name) await checkName(db, fields.name, id)
    await db
      .update(departments)
      .set({ ...fields, ...nextVersion })
      .where(eq(departments.id, id))
    const leaving = remove.filter((person) => !add.includes(person))
    const moveAll = async () => {
      await move(context, leaving, { from: id, to: null })
      await move(context, add, { from: undefined, to: id })
    }
    const userIds = [...leaving, ...add]
    if (userIds.length) await app.changeDepartment(db, { userIds, by: staff, now }, moveAll)
    const department = await readDepartment(db, id)
    audit.after({ ...department, ...(add.length && { add }), ...(remove.length && { remove }) })
    await changed(db, 'departments', id)
    return department
  },

  async remove({ id, version }, context) {
    const { db } = context
    const { name, people, roles } = await find(context, id, version)
    if (people || roles)
      throw conflict(`${name} is in use: people ${people}, roles ${roles}. Move them first.`, {
        current: { people, roles },
      })
    await db.update(departments).set({ deletedAt: sql`now()`, version: sql`version + 1` }).where(eq(departments.id, id))
    await changed(db, 'departments', id)
  },
}

/** Moves people into a department or out of one, and updates their sessions. */
async function move(
  { db, app, staff }: Context,
  ids: number[],
  { from, to }: { from: number | undefined; to: number | null },
): Promise<void> {
  if (!ids.length) return
  const found = await rows<{ id: number; departmentId: number | null }>(
    db,
    sql`select user_id as id, department_id as "departmentId" from users where user_id = any(${sql.param(ids)}::int[]) and deleted_at is null order by user_id for update`,
  )
  const gone = ids.find((id) => !found.some((person) => person.id === id))
  if (gone !== undefined) throw refused(`User ${gone} is gone`, { [to ? 'add' : 'remove']: `User ${gone} is gone` })
  const moving = found.filter(({ departmentId }) => (from === undefined ? departmentId !== to : departmentId === from))
  if (!moving.length) return
  const people = moving.map(({ id }) => id)
  await mayActOn(db, staff, { ids: people })
  await mayPlace(db, staff, people, to)
  await db.execute(
    sql`update users set department_id = ${to}, version = version + 1, updated_at = now()
      where user_id = any(${sql.param(people)}::int[])`,
  )
  await rightsChanged(app, db, staff, { ids: people })
  await changed(db, 'users')
}

async function find({ db, audit }: Context, id: number, version?: number): Promise<Department> {
  await db.select({ id: departments.id }).from(departments).where(eq(departments.id, id)).for('update')
  const department = await readDepartment(db, id)
  audit.before(department)
  checkVersion(department, version, department.name)
  return department
}

async function checkName(db: Db, name: string, except = 0): Promise<void> {
  const [taken] = await rows<{ id: number }>(
    db,
    sql`select department_id as id from departments
      where lower(name) = lower(${name}) and deleted_at is null and department_id <> ${except}`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another department has that name' } })
}

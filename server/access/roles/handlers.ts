import type { roles as contract, Role } from '@innkeeper/contract/access/roles'
import { holds } from '@innkeeper/contract/kit/access'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameOrder } from '../../kit/db/nameOrder.ts'
import { contains, type Listing, pageKeys } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { isDepartment } from '../departments/exists.ts'
import { notifyOfMove, notifyOfRole } from '../rights/notices.ts'
import { mayActOn, mayAssignTo, mayChangeRole, mayLiftSecondFactor } from '../rights/reach.ts'
import { mayGive, rightsChanged } from '../rights/rights.ts'
import { readScopes } from '../scopes/read.ts'
import { effectOnPeople, effectOnRole } from './effect.ts'
import { findRole, readRole, readRoles, scopesOfRole } from './read.ts'
import { roles } from './tables.ts'

const sorts = {
  name: { column: nameOrder(roles.name), type: 'text', direction: 'ASC' },
  createdAt: { column: roles.createdAt, type: 'instant', direction: 'DESC' },
} as const

/** Number of people that the error for a used role names. */
const NAMED = 3

export const rolesHandlers: Handlers<typeof contract> = {
  list: ({ department, scope, ...input }, { db }) =>
    page(db, input, [
      ...(department ? [sql`${roles.departmentId} in ${department}`] : []),
      ...(scope ? [sql`${roles.scopes} @> array[${scope}]::text[]`] : []),
    ]),

  async ofDepartment({ id, ...input }, { db }) {
    await checkDepartment(db, id, () => notFound('department', id))
    return page(db, input, [sql`(${roles.departmentId} = ${id} or ${roles.departmentId} is null)`])
  },

  one: ({ id }, { db }) => readRole(db, id),

  async create(fields, { db, staff, audit }) {
    const scopes = tidy(fields.scopes)
    mayGive(staff, scopes, 'scopes')
    await checkName(db, fields.name)
    await checkDepartment(db, fields.departmentId)
    const [made] = await db
      .insert(roles)
      .values({ ...fields, scopes, createdBy: staff.id })
      .returning({ id: roles.id })
    const role = await readRole(db, made!.id)
    audit.after(role)
    await changed(db, 'roles', role.id)
    return role
  },

  async update({ id, version, ...fields }, context) {
    const { db, app, staff, audit } = context
    const before = await findRole(context, id, version)
    await mayChangeRole(db, staff, before)
    if (before.requiresSecondFactor && fields.requiresSecondFactor === false)
      await mayLiftSecondFactor(db, staff, before)
    const scopes = fields.scopes && tidy(fields.scopes)
    if (scopes)
      mayGive(
        staff,
        scopes.filter((scope) => !before.scopes.includes(scope)),
        'scopes',
      )
    if (fields.name) await checkName(db, fields.name, id)
    if (fields.departmentId !== before.departmentId) await checkDepartment(db, fields.departmentId)
    await db
      .update(roles)
      .set({ ...fields, ...(scopes && { scopes }), ...nextVersion })
      .where(eq(roles.id, id))
    const role = await readRole(db, id)
    audit.after(role)
    await rightsChanged(app, db, staff, { role: id })
    await notifyOfRole(app, db, staff, role, before.scopes, role.scopes)
    await changed(db, 'roles', id)
    return role
  },

  async remove({ id, version }, context) {
    const { db, staff, app } = context
    const role = await findRole(context, id, version)
    const { name, people } = role
    await mayChangeRole(db, staff, role)
    if (people)
      throw conflict(`${name} is held by ${await holders(db, staff, { id, people })}`, { current: { people } })
    await db.update(roles).set({ deletedAt: sql`now()`, version: sql`version + 1` }).where(eq(roles.id, id))
    await rightsChanged(app, db, staff, { role: id }) // of people who have the role for some time
    await changed(db, 'roles', id)
  },

  async assign({ users, role }, { db, app, staff, audit }) {
    const after = role === null ? [] : await scopesOfRole(db, role, 'role')
    mayGive(staff, after, 'role')
    const ids = [...new Set(users)]
    const found = await rows<{ id: number; roleId: number | null }>(
      db,
      sql`select user_id as id, role_id as "roleId" from users where user_id = any(${sql.param(ids)}::int[]) and deleted_at is null order by user_id for update`,
    )
    const gone = ids.find((id) => !found.some((person) => person.id === id))
    if (gone !== undefined) throw refused(`User ${gone} is gone`, { users: `User ${gone} is gone` })
    await mayActOn(db, staff, { ids })
    mayAssignTo(staff, ids)
    const effect = await effectOnPeople(db, ids, after)
    audit.before(found.map(({ id, roleId }) => ({ id, roleId })))
    audit.after({ users: ids, role })
    await db.execute(
      sql`update users set role_id = ${role}, version = version + 1, updated_at = now()
        where user_id = any(${sql.param(ids)}::int[])`,
    )
    await rightsChanged(app, db, staff, { ids })
    const moved = found.filter(({ roleId }) => roleId !== role).map(({ id }) => id)
    await notifyOfMove(app, db, staff, moved, role === null ? null : (await readRole(db, role)).name)
    await changed(db, 'users')
    await changed(db, 'roles')
    return effect
  },

  async scopes({ id }, { db }) {
    const { scopes } = await readRole(db, id)
    const items = (await readScopes(db)).filter(({ scope }) => scopes.includes(scope))
    return { items, total: items.length }
  },

  async preview({ id, scopes }, { db }) {
    const role = await readRole(db, id)
    return effectOnRole(db, id, role.scopes, scopes)
  },

  async previewAssign({ users, role }, { db }) {
    return effectOnPeople(db, users, role === null ? [] : (await readRole(db, role)).scopes)
  },
}

async function page(
  db: Db,
  input: Listing & { sort?: keyof typeof sorts | undefined; search?: string | undefined },
  more: SQL[],
) {
  const where = [sql`${roles.deletedAt} is null`, ...more]
  if (input.search) where.push(contains(roles.name, input.search))
  const order = sorts[input.sort ?? 'name']
  const { ids, ...found } = await pageKeys(db, input, { from: sql`${roles}`, where, key: roles.id, order })
  return { items: await readRoles(db, ids), ...found }
}

/** Sorted without duplicates, so that equal sets are equal lists. */
const tidy = (scopes: readonly string[]) => [...new Set(scopes)].sort()

/** Who holds a role, by name for callers who may see accounts. */
async function holders(db: Db, staff: Staff, { id, people }: Pick<Role, 'id' | 'people'>): Promise<string> {
  const next = 'Give them another role first.'
  if (!holds(staff, 'users:user:read')) return `${people === 1 ? '1 person' : `${people} people`}. ${next}`
  const named = await rows<{ name: string }>(
    db,
    sql`select ${personName()} as name from users
      where role_id = ${id} and deleted_at is null order by 1 limit ${NAMED}`,
  )
  const more = people > NAMED ? ` and ${people - NAMED} more` : ''
  return `${named.map(({ name }) => name).join(', ')}${more}. ${next}`
}

const departmentGone = () => refused('That department is gone', { departmentId: 'Is gone. Choose another.' })

async function checkDepartment(
  db: Db,
  id: number | null | undefined,
  error: () => Error = departmentGone,
): Promise<void> {
  if (!id) return
  if (!(await isDepartment(db, id))) throw error()
}

async function checkName(db: Db, name: string, except = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from roles where lower(name) = lower(${name}) and deleted_at is null and role_id <> ${except}`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another role has that name' } })
}

import type { users as contract } from '@innkeeper/contract/access/users/calls'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { contains, type Listing, pageKeys } from '../../kit/db/page.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { isDepartment } from '../departments/exists.ts'
import { alive, fullName, holdsAny, locked, readUsers, searched } from './read.ts'
import { users } from './tables.ts'

const sorts = {
  name: { column: fullName, type: 'text', direction: 'ASC' },
  username: { column: sql`lower(${users.username})`, type: 'text', direction: 'ASC' },
  email: { column: sql`lower(${users.email})`, type: 'text', direction: 'ASC' },
  // sorts people who never signed in before the earliest sign-in
  lastSignInAt: { column: sql`coalesce(${users.lastSignInAt}, 'epoch')`, type: 'instant', direction: 'DESC' },
  createdAt: { column: users.createdAt, type: 'instant', direction: 'DESC' },
} as const

const factor = sql`(exists (select from second_factors f where f.user_id = ${users.id} and f.confirmed_at is not null)
  or exists (select from passkeys k where k.user_id = ${users.id}))`
const states = {
  locked,
  suspended: sql`${users.suspendedAt} is not null`,
  'never-signed-in': sql`${users.lastSignInAt} is null`,
  'without-role': sql`${users.roleId} is null and not ${users.isAdmin}`,
}

type Asked = Listing & { sort?: keyof typeof sorts | undefined; search?: string | undefined }

async function page(db: Db, input: Asked, more: readonly SQL[] = []) {
  const where = [alive, ...more]
  if (input.search) where.push(contains(searched, input.search))
  const order = sorts[input.sort ?? 'name']
  const { ids, ...found } = await pageKeys(db, input, { from: sql`${users}`, where, key: users.id, order })
  return { items: await readUsers(db, ids), ...found }
}

const all = async (db: Db, ids: readonly number[]) => {
  const items = await readUsers(db, [...new Set(ids)])
  return { items, total: items.length }
}

type Lists = 'list' | 'qa' | 'qaManagers' | 'shiftManagers' | 'byEmails' | 'byIds' | 'ofDepartment' | 'ofScope'

/** Staff by page and search, and the groups that other domains request (people §6; ANSWERS §2 defines the groups). */
export const userLists: Pick<Handlers<typeof contract>, Lists> = {
  list: (input, { db }) => page(db, input, filtersOf(input)),
  qa: (input, { db }) => page(db, input, [holdsAny(['qa:chat:review', 'qa:ticket:review'])]),
  qaManagers: (input, { db }) => page(db, input, [holdsAny(['qa:manager:access'])]),
  shiftManagers: (input, { db }) => page(db, input, [holdsAny(['calendar:shift:create'])]),
  ofScope: ({ scope, ...input }, { db }) => page(db, input, [holdsAny([scope])]),

  async ofDepartment({ id, ...input }, { db }) {
    if (!(await isDepartment(db, id))) throw notFound('department', id)
    return page(db, input, [sql`${users.departmentId} = ${id}`])
  },

  byIds: ({ ids }, { db }) => all(db, ids),

  async byEmails({ emails }, { db }) {
    if (!emails.length) return { items: [], total: 0 }
    const wanted = emails.map((email) => email.toLowerCase())
    const found = await db
      .select({ id: users.id })
      .from(users)
      .where(sql`${alive} and lower(${users.email}) = any(${sql.param(wanted)}::text[])`)
      .orderBy(fullName, users.id)
    return all(
      db,
      found.map(({ id }) => id),
    )
  },
}

function filtersOf(input: Input<typeof contract.list, 'out'>): SQL[] {
  const { department, role, scope, kind, secondFactor, state } = input
  return [
    ...(department ? [sql`${users.departmentId} in ${department}`] : []),
    ...(role ? [sql`${users.roleId} in ${role}`] : []),
    ...(scope ? [holdsAny(scope)] : []),
    ...(kind ? [kind === 'administrator' ? sql`${users.isAdmin}` : sql`not ${users.isAdmin}`] : []),
    ...(secondFactor ? [secondFactor === 'on' ? factor : sql`not ${factor}`] : []),
    ...(state ? [states[state]] : []),
  ]
}

import type { serviceAccounts as contract } from '@innkeeper/contract/access/serviceAccounts'
import { eq, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { endEverywhere } from '../rights/endEverywhere.ts'
import { mayActOn } from '../rights/reach.ts'
import { rightsChanged } from '../rights/rights.ts'
import { checkBelongs } from '../users/checks.ts'
import { users } from '../users/tables.ts'
import { findServiceAccount, LAST_NAME, readServiceAccount, readServiceAccounts } from './read.ts'
import { serviceAccounts } from './tables.ts'

const sorts = {
  name: { column: sql`lower(u.first_name)`, type: 'text', direction: 'ASC' },
  createdAt: { column: sql`a.created_at`, type: 'instant', direction: 'DESC' },
} as const
const from = sql`service_accounts a join users u on u.user_id = a.service_account_id`

/** Accounts of programs. Their role is given and changed by the rules for people. */
export const serviceAccountsHandlers: Handlers<typeof contract> = {
  async list({ owner, role, department, ...input }, { db }) {
    const where: SQL[] = [sql`u.deleted_at is null`]
    if (owner) where.push(sql`a.owner_id in ${owner}`)
    if (role) where.push(sql`u.role_id in ${role}`)
    if (department) where.push(sql`u.department_id in ${department}`)
    if (input.search) where.push(contains(sql`u.first_name`, input.search))
    const order = sorts[input.sort ?? 'name']
    const { ids, ...page } = await pageKeys(db, input, { from, where, key: sql`a.service_account_id`, order })
    return { items: await readServiceAccounts(db, ids), ...page }
  },

  one: ({ id }, { db }) => readServiceAccount(db, id),

  async create({ description, ownerId, ...fields }, context) {
    const { db, staff, audit } = context
    const owner = await checkOwner(context, ownerId ?? staff.id)
    await checkName(db, fields.name)
    await checkBelongs(context, fields)
    const { roleId = null, departmentId = null } = fields
    const username = `service-${crypto.randomUUID().slice(0, 13)}`
    const [made] = await db
      .insert(users)
      .values({
        ...{ username, email: `${username}@service.invalid`, passwordHash: '', isService: true },
        ...{ firstName: fields.name, lastName: LAST_NAME, roleId, departmentId, createdBy: staff.id },
      })
      .returning({ id: users.id })
    const { id } = made!
    await db.insert(serviceAccounts).values({ id, description, ownerId: owner, createdBy: staff.id })
    const account = await readServiceAccount(db, id)
    audit.after(account)
    await changed(db, 'serviceAccounts', id)
    return account
  },

  async update({ id, version, description, ownerId, name, roleId, departmentId }, context) {
    const { db, app, staff, audit } = context
    const before = await findServiceAccount(context, id, version)
    await mayActOn(db, staff, { ids: [id] })
    if (name) await checkName(db, name, id)
    if (ownerId !== undefined && ownerId !== before.ownerId) await checkOwner(context, ownerId)
    await checkBelongs(context, { id, roleId, departmentId }, before)
    await db
      .update(users)
      .set({ ...(name && { firstName: name }), roleId, departmentId, ...nextVersion })
      .where(eq(users.id, id))
    await db
      .update(serviceAccounts)
      .set({ description, ownerId, ...nextVersion })
      .where(eq(serviceAccounts.id, id))
    await rightsChanged(app, db, staff, { ids: [id] })
    const account = await readServiceAccount(db, id)
    audit.after(account)
    await changed(db, 'serviceAccounts', id)
    return account
  },

  async remove({ id, version }, context) {
    const { db, app, staff, audit } = context
    const account = await findServiceAccount(context, id, version)
    await mayActOn(db, staff, { ids: [id] })
    const [hook] = await rows<{ name: string }>(
      db,
      sql`select name from webhooks where owner_id = ${id} and deleted_at is null limit 1`,
    )
    if (hook) throw conflict(`${account.name} owns the webhook ${hook.name}. Give the webhook to somebody else first.`)
    await endEverywhere(app, db, id)
    await db
      .update(users)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(users.id, id))
    audit.of('service-account', id)
    await changed(db, 'serviceAccounts', id)
  },
}

/** The owner is a person with an account. */
async function checkOwner({ db }: Context, id: number): Promise<number> {
  const [found] = await rows(
    db,
    sql`select from users where user_id = ${id} and deleted_at is null and not is_service for share`,
  )
  if (!found) throw refused('The owner is a person with an account', { ownerId: 'Choose a person with an account' })
  return id
}

async function checkName(db: Db, name: string, except = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from users where is_service and lower(first_name) = lower(${name}) and deleted_at is null
      and user_id <> ${except}`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another service account has that name' } })
}

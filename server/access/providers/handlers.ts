import { randomBytes } from 'node:crypto'
import type { providers as contract, Provider } from '@innkeeper/contract/access/providers'
import { eq, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { given } from '../../kit/db/given.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, outOfReach, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { checkDepartments } from '../departments/exists.ts'
import { scopesOfRole } from '../roles/read.ts'
import { readUsers } from '../users/read.ts'
import { connect, reasonOf } from './oidc/connect.ts'
import { endSessionsOf } from './oidc/end.ts'
import { hashOf, readProvider, readProviders, secretOf } from './read.ts'
import { readSignIn } from './settings.ts'
import { groupMappings, identityProviders, signInSettings } from './tables.ts'

/** Identity providers, and how people sign in at all. Only administrators change them (decision 173). */
export const providersHandlers: Handlers<typeof contract> = {
  async ways(_, { db }) {
    const { passwords } = await readSignIn(db)
    const all = await readProviders(db)
    const providers = all.filter(({ isEnabled }) => isEnabled).map(({ id, name }) => ({ id, name }))
    return { passwords, providers }
  },

  async list(_, { db }) {
    const items = await readProviders(db)
    return { items, total: items.length }
  },

  one: ({ id }, { db }) => readProvider(db, id),

  async create({ secret, mappings, ...fields }, context) {
    const { db, app, staff, audit } = context
    administratorsOnly(staff)
    await checkFields(db, { ...fields, mappings })
    const [made] = await db
      .insert(identityProviders)
      .values({ ...fields, createdBy: staff.id })
      .returning({ id: identityProviders.id })
    const { id } = made!
    if (secret) await app.secrets.write(db, secretOf(id), secret)
    await writeMappings(db, id, mappings)
    const provider = await readProvider(db, id)
    audit.of('provider', id)
    audit.after(provider)
    await changed(db, 'providers', id)
    return provider
  },

  async update({ id, version, secret, mappings, ...fields }, context) {
    const { db, app, staff, audit } = context
    const before = await findProvider(context, id, version)
    administratorsOnly(staff)
    await checkFields(db, { ...fields, ...(mappings && { mappings }) }, id)
    await db
      .update(identityProviders)
      .set({ ...given(fields), ...nextVersion })
      .where(eq(identityProviders.id, id))
    if (secret) await app.secrets.write(db, secretOf(id), secret)
    if (mappings) await writeMappings(db, id, mappings)
    if (before.isEnabled && fields.isEnabled === false) await keepAWay(db)
    const isOther = fields.issuer !== undefined && fields.issuer !== before.issuer
    // subjects of another issuer mean other people
    if (isOther) await db.execute(sql`update identities set subject = null where provider_id = ${id}`)
    if (isOther || (before.isEnabled && fields.isEnabled === false)) await endSessionsOf(app, db, { providerId: id })
    const provider = await readProvider(db, id)
    audit.after({ ...provider, ...(secret && { secret: 'changed' }) })
    await changed(db, 'providers', id)
    return provider
  },

  async remove({ id, version }, context) {
    const { db, app, staff } = context
    await findProvider(context, id, version)
    administratorsOnly(staff)
    await endSessionsOf(app, db, { providerId: id })
    await db.delete(identityProviders).where(eq(identityProviders.id, id))
    await db.delete(secrets).where(eq(secrets.name, secretOf(id)))
    await keepAWay(db)
    await changed(db, 'providers', id)
  },

  async check({ id }, { app, db, staff }) {
    const provider = await readProvider(db, id)
    administratorsOnly(staff)
    try {
      await connect(app, provider, { isFresh: true })
      return { answers: true, message: `${provider.issuer} answers, and names itself so.` }
    } catch (error) {
      return { answers: false, message: reasonOf(error) }
    }
  },

  // no new version: an open form has no field of the token
  async makeScimToken({ id }, context) {
    const { db, staff, audit } = context
    await findProvider(context, id)
    administratorsOnly(staff)
    const token = `innkeeper_scim_${randomBytes(32).toString('base64url')}`
    await db
      .update(identityProviders)
      .set({ scimHash: hashOf(token), scimMadeAt: sql`now()`, scimUsedAt: null })
      .where(eq(identityProviders.id, id))
    audit.after({ scimToken: 'made' })
    await changed(db, 'providers', id)
    return { token }
  },

  async dropScimToken({ id }, context) {
    const { db, staff, audit } = context
    await findProvider(context, id)
    administratorsOnly(staff)
    await db.update(identityProviders).set({ scimHash: null, scimMadeAt: null }).where(eq(identityProviders.id, id))
    audit.after({ scimToken: 'ended' })
    await changed(db, 'providers', id)
  },

  settings: (_, { db }) => readSignIn(db),

  async configure({ version, ...fields }, { db, staff, audit }) {
    const wanted = given(fields)
    if (Object.keys(wanted).length) administratorsOnly(staff)
    const before = await readSignIn(db, { lock: true })
    checkVersion(before, version, 'How people sign in')
    const after = { ...before, ...wanted }
    if (after.breakGlassId !== null) await checkBreakGlass(db, after.breakGlassId)
    const { passwords, breakGlassId, twoForRecovery } = after
    await db.update(signInSettings).set({ passwords, breakGlassId, twoForRecovery, ...nextVersion })
    await keepAWay(db)
    audit.of('sign-in settings', 1)
    audit.before(before)
    const now = await readSignIn(db)
    audit.after(now)
    await changed(db, 'providers')
    return now
  },
}

async function findProvider({ db, audit }: Context, id: number, version?: number): Promise<Provider> {
  await db
    .select({ id: identityProviders.id })
    .from(identityProviders)
    .where(eq(identityProviders.id, id))
    .for('update')
  const provider = await readProvider(db, id)
  audit.of('provider', id)
  audit.before(provider)
  checkVersion(provider, version, provider.name)
  return provider
}

/** Whoever changes a provider can sign in as everybody who is linked to it. */
function administratorsOnly(staff: Staff): void {
  if (!staff.isAdmin) throw outOfReach('Only an administrator changes how people sign in')
}

type Checked = Partial<Pick<Provider, 'name' | 'leavers' | 'heirId'>> & {
  mappings?: { roleId: number | null; departmentId: number | null }[]
}

async function checkFields(db: Db, { name, leavers, heirId, mappings = [] }: Checked, id = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from identity_providers where lower(name) = lower(${name ?? ''}) and provider_id <> ${id}`,
  )
  if (taken) throw conflict(`${name} exists already`, { fields: { name: 'Another provider has that name' } })
  const [heir] = heirId ? await readUsers(db, [heirId]) : [true]
  if (!heir) throw refused('This person is gone', { heirId: 'Is gone. Choose somebody else.' })
  if (leavers === 'delete' && heirId === null)
    throw refused('Choose who gets the records of deleted people', { heirId: 'Choose who gets the records' })
  for (const roleId of new Set(mappings.flatMap((one) => one.roleId ?? []))) await scopesOfRole(db, roleId, 'mappings')
  const departments = mappings.flatMap((one) => one.departmentId ?? [])
  await checkDepartments(db, [...new Set(departments)], 'mappings')
}

type Mappings = { group: string; roleId: number | null; departmentId: number | null }[]

async function writeMappings(db: Db, providerId: number, mappings: Mappings): Promise<void> {
  await db.delete(groupMappings).where(eq(groupMappings.providerId, providerId))
  const values = mappings.map(({ group, ...gives }, position) => ({ providerId, position, groupName: group, ...gives }))
  if (values.length) await db.insert(groupMappings).values(values)
}

async function checkBreakGlass(db: Db, id: number): Promise<void> {
  const [found] = await rows<{ isAdmin: boolean; hasPassword: boolean }>(
    db,
    sql`select is_admin as "isAdmin", password_hash <> '' as "hasPassword" from users
      where user_id = ${id} and deleted_at is null and suspended_at is null`,
  )
  if (!found?.isAdmin) throw refused('Choose an administrator', { breakGlassId: 'Choose an administrator' })
  if (!found.hasPassword) throw refused('This person has no password', { breakGlassId: 'Has no password' })
}

/** Without passwords, people need another way: a provider that is on, and an administrator for the day it fails. */
async function keepAWay(db: Db): Promise<void> {
  const { passwords, breakGlassId } = await readSignIn(db)
  if (passwords) return
  if (breakGlassId === null)
    throw refused('Name an administrator whose password signs in whatever happens', {
      breakGlassId: 'Required while passwords are off',
    })
  const [one] = await rows(db, sql`select from identity_providers where is_enabled limit 1`)
  if (!one)
    throw refused('Passwords are off, so that people need an identity provider that is on', {
      passwords: 'Add an identity provider first',
    })
}

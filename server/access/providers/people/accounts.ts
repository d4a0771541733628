import type { Failure, Provider } from '@innkeeper/contract/access/providers'
import { and, eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { users } from '../../users/tables.ts'
import { identities } from '../tables.ts'
import { isMapped } from './mapping.ts'

/** A sign-in that the person reads about on the sign-in page. */
export class Failed extends Error {
  readonly failure: Failure
  constructor(failure: Failure, cause?: unknown) {
    super(failure, { cause })
    this.failure = failure
  }
}

/** What a provider says about a person. */
export interface Claims {
  subject: string
  username: string
  email: string
  /** Undefined: the provider does not say. */
  isEmailVerified: boolean | undefined
  firstName: string
  lastName: string
  groups: string[]
}

export interface Found {
  identityId: number
  userId: number
  name: string
  isNew: boolean
}

/** The account of a person who signs in by a provider: known, linked or made, as the rules of the provider say. */
export async function accountFor(app: App, db: Db, provider: Provider, claims: Claims): Promise<Found> {
  // of two first sign-ins at once, one makes the account
  await db.execute(sql`select from identity_providers where provider_id = ${provider.id} for update`)
  const known = await bySubject(db, provider, claims)
  const identityId =
    known ??
    (await bySync(db, provider, claims)) ??
    (await byEmail(app, db, provider, claims)) ??
    (await made(db, provider, claims))
  await db
    .update(identities)
    .set({ subject: claims.subject, groups: claims.groups, lastSignInAt: sql`now()` })
    .where(eq(identities.id, identityId))
  const [found] = await rows<Found>(
    db,
    sql`select i.identity_id as "identityId", u.user_id as "userId", ${personName('u')} as name
      from identities i join users u on u.user_id = i.user_id where i.identity_id = ${identityId}`,
  )
  return { ...found!, isNew: known === undefined }
}

/** Accounts that were deleted here do not come back by a sign-in. */
async function bySubject(db: Db, { id }: Provider, { subject }: Claims): Promise<number | undefined> {
  const [found] = await rows<{ id: number; isGone: boolean }>(
    db,
    sql`select i.identity_id as id, u.deleted_at is not null as "isGone" from identities i join users u on u.user_id = i.user_id
      where i.provider_id = ${id} and i.subject = ${subject}`,
  )
  if (found?.isGone) throw new Failed('unknown')
  return found?.id
}

/** Accounts that the same provider made by SCIM, before their first sign-in. */
async function bySync(db: Db, { id }: Provider, { subject, username, email, isEmailVerified }: Claims) {
  const address = isEmailVerified === false ? '' : email
  const [found] = await rows<{ id: number }>(
    db,
    sql`select i.identity_id as id from identities i join users u on u.user_id = i.user_id and u.deleted_at is null
      where i.provider_id = ${id} and i.subject is null and (i.external_id = ${subject}
        or lower(u.email) = lower(${address}) or lower(u.username) = lower(${username}))
      order by (i.external_id = ${subject}) desc nulls last limit 1`,
  )
  return found?.id
}

async function byEmail(app: App, db: Db, provider: Provider, { email, isEmailVerified }: Claims) {
  if (!provider.linksByEmail || isEmailVerified !== true || !email) return undefined
  const [user] = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users u where lower(email) = lower(${email}) and deleted_at is null and not is_service
      and not exists (select from identities i where i.provider_id = ${provider.id} and i.user_id = u.user_id)
      and not exists (select from sign_in_settings s where s.break_glass_id = u.user_id)`,
  )
  if (!user) return undefined
  await app.holdForDepartment(db, [user.id]) // the link locks the row of the person
  return link(db, provider.id, user.id)
}

async function made(db: Db, provider: Provider, claims: Claims): Promise<number> {
  const may =
    provider.makesAccounts === 'everybody' ||
    (provider.makesAccounts === 'mapped' && (await isMapped(db, provider.id, claims.groups)))
  if (!may) throw new Failed('unknown')
  if (!claims.email || claims.isEmailVerified === false) throw new Failed('email')
  const { email, firstName, lastName } = claims
  if (await isTaken(db, email)) throw new Failed('taken')
  const username = await freeName(db, nameFrom(claims))
  const [user] = await db
    .insert(users)
    .values({ username, email, firstName, lastName, passwordHash: '' })
    .returning({ id: users.id })
  return link(db, provider.id, user!.id)
}

export async function link(
  db: Db,
  providerId: number,
  userId: number,
  more: { subject?: string; externalId?: string | null } = {},
): Promise<number> {
  const [row] = await db
    .insert(identities)
    .values({ providerId, userId, ...more })
    .returning({ id: identities.id })
  return row!.id
}

/** Whether a user name or an e-mail address belongs to somebody; both sign in. */
export async function isTaken(db: Db, name: string, except = 0): Promise<boolean> {
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        sql`(lower(${users.username}) = lower(${name}) or lower(${users.email}) = lower(${name}))`,
        sql`${users.deletedAt} is null and ${users.id} <> ${except}`,
      ),
    )
  return found.length > 0
}

/** A user name of allowed characters, from what the provider calls the person. */
function nameFrom({ username, email }: Claims): string {
  const text = (username || email)
    .replace(/@.*$/s, '')
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9._-]/g, '')
  return (
    text
      .replace(/^[._-]+/, '')
      .slice(0, 50)
      .toLowerCase() || 'person'
  )
}

async function freeName(db: Db, name: string): Promise<string> {
  const [found] = await rows<{ name: string }>(
    db,
    sql`select n.name from (select ${name}::text || case when i = 1 then '' else i::text end as name, i
        from generate_series(1, 1000) i) n
      where not exists (select from users where deleted_at is null and (lower(username) = n.name or lower(email) = n.name))
      order by n.i limit 1`,
  )
  if (!found) throw new Failed('taken')
  return found.name
}

import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { listOf, MOST, USER } from './discovery.ts'
import { noResource, ScimError } from './errors.ts'
import { readFilter } from './filter.ts'
import { type Asked, pageOf, type Resource } from './request.ts'

export interface StoredUser {
  userId: number
  identityId: number
  username: string
  email: string
  firstName: string
  lastName: string
  externalId: string | null
  isActive: boolean
  version: string
  createdAt: string | Date
  updatedAt: string | Date
  groups: { value: string; display: string }[]
}

const select = (
  providerId: number,
) => sql`select u.user_id as "userId", i.identity_id as "identityId", u.username, u.email,
    u.first_name as "firstName", u.last_name as "lastName", i.external_id as "externalId",
    u.suspended_at is null as "isActive", u.version || '.' || i.version as version,
    u.created_at as "createdAt", greatest(u.updated_at, i.updated_at) as "updatedAt",
    coalesce((select json_agg(json_build_object('value', g.provider_group_id::text, 'display', g.name) order by g.name)
      from provider_group_members m join provider_groups g on g.provider_group_id = m.group_id
      where m.identity_id = i.identity_id), '[]') as groups
  from identities i join users u on u.user_id = i.user_id and u.deleted_at is null
  where i.provider_id = ${providerId}`

/** The accounts that this provider knows; it never sees others. */
export async function listUsers(asked: Asked) {
  const { app, provider } = asked
  const { startIndex, count, filter } = pageOf(asked, MOST)
  const where = filter === undefined ? sql`true` : condition(filter)
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(
    app.db,
    sql`select count(*)::int as n from (${select(provider.id)} and ${where}) x`,
  )
  const found = await rows<StoredUser>(
    app.db,
    sql`${select(provider.id)} and ${where} order by u.user_id limit ${count} offset ${startIndex - 1}`,
  )
  return listOf(found.map(resourceOf), n, startIndex)
}

function condition(filter: string) {
  const { attribute, value } = readFilter(filter)
  const text = String(value)
  if (attribute === 'username') return sql`lower(u.username) = lower(${text})`
  if (attribute === 'externalid') return sql`i.external_id = ${text}`
  if (attribute === 'id') return sql`u.user_id::text = ${text}`
  if (attribute === 'emails.value' || attribute === 'emails') return sql`lower(u.email) = lower(${text})`
  if (attribute === 'active') return sql`(u.suspended_at is null) = ${text.toLowerCase() === 'true'}`
  throw new ScimError(400, `People cannot be found by ${attribute.slice(0, 50)}`, 'invalidFilter')
}

/** Reads an account of this provider and, for a change, locks it. */
export async function readStored(db: Db, providerId: number, id: string, { lock = false } = {}): Promise<StoredUser> {
  const [found] = /^\d{1,9}$/.test(id)
    ? await rows<StoredUser>(
        db,
        sql`${select(providerId)} and u.user_id = ${Number(id)} ${lock ? sql`for no key update of u, i` : sql``}`,
      )
    : []
  if (!found) throw noResource('user', id)
  return found
}

export const resourceOf = (user: StoredUser): Resource => ({
  schemas: [USER],
  id: String(user.userId),
  ...(user.externalId !== null && { externalId: user.externalId }),
  userName: user.username,
  displayName: `${user.firstName} ${user.lastName}`,
  name: {
    givenName: user.firstName,
    familyName: user.lastName,
    formatted: `${user.firstName} ${user.lastName}`,
  },
  emails: [{ value: user.email, type: 'work', primary: true }],
  active: user.isActive,
  groups: user.groups,
  meta: {
    resourceType: 'User',
    created: isoOf(user.createdAt),
    lastModified: isoOf(user.updatedAt),
    location: `/scim/v2/Users/${user.userId}`,
    version: `W/"${user.version}"`,
  },
})

/** Some providers send booleans as text. */
const truth = z.union([
  z.boolean(),
  z
    .string()
    .regex(/^(true|false)$/i)
    .transform((text) => text.toLowerCase() === 'true'),
])
const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((one) => !/\p{Cc}/u.test(one), 'Control characters are not allowed')
const Sent = z.looseObject({
  userName: text(60).regex(/^[a-z0-9][a-z0-9._@-]*$/i, 'Letters a to z, digits and . _ @ - only'),
  externalId: text(255).nullish(),
  displayName: z.string().max(200).nullish(),
  name: z
    .looseObject({
      givenName: z.string().trim().max(80).nullish(),
      familyName: z.string().trim().max(80).nullish(),
      formatted: z.string().trim().max(200).nullish(),
    })
    .nullish(),
  emails: z
    .array(z.looseObject({ value: z.email().max(254), primary: truth.nullish(), type: z.string().max(50).nullish() }))
    .max(20)
    .nullish(),
  active: truth.nullish(),
})

export interface Wanted {
  username: string
  email: string
  firstName: string
  lastName: string
  externalId: string | null
  isActive: boolean
}

const names = ['userName', 'externalId', 'displayName', 'name', 'emails', 'active']

/** Reads what a provider sends of a person. Names of attributes are compared without case. */
export function readSent(body: unknown): Wanted {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  const canonical = given.map(([key, value]) => [
    names.find((one) => one.toLowerCase() === key.toLowerCase()) ?? key,
    value,
  ])
  const read = Sent.safeParse(Object.fromEntries(canonical))
  if (!read.success) throw new ScimError(400, z.prettifyError(read.error).slice(0, 500), 'invalidValue')
  const { userName, externalId, displayName, name, emails, active } = read.data
  const email = (emails?.find(({ primary }) => primary) ?? emails?.[0])?.value ?? userName
  if (!z.email().safeParse(email).success) throw new ScimError(400, 'emails: an address is required', 'invalidValue')
  const [first = '', ...rest] = (name?.formatted || displayName || userName).split(/\s+/)
  return {
    username: userName,
    email,
    firstName: clean(name?.givenName) || clean(first) || 'New',
    lastName: clean(name?.familyName) || clean(rest.join(' ')) || 'person',
    externalId: externalId ?? null,
    isActive: active ?? true,
  }
}

const clean = (name: string | null | undefined) =>
  (name ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, 80)

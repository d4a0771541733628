import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { applyMapping, holdMembers, isMapped } from '../people/mapping.ts'
import { providerGroups } from '../tables.ts'
import { GROUP, listOf, MOST } from './discovery.ts'
import { noResource, ScimError } from './errors.ts'
import { readFilter } from './filter.ts'
import { patched } from './patch.ts'
import { type Asked, checkMatch, idOf, pageOf, type Resource, written } from './request.ts'

/** Maximum number of members of a group. */
const MOST_MEMBERS = 2000

interface StoredGroup {
  id: number
  name: string
  externalId: string | null
  version: number
  createdAt: string | Date
  updatedAt: string | Date
  members: { value: string; display: string }[]
}

const select = (
  providerId: number,
) => sql`select g.provider_group_id as id, g.name, g.external_id as "externalId", g.version,
    g.created_at as "createdAt", g.updated_at as "updatedAt",
    coalesce((select json_agg(json_build_object('value', u.user_id::text, 'display', ${personName('u')})
        order by u.user_id)
      from provider_group_members m join identities i on i.identity_id = m.identity_id
      join users u on u.user_id = i.user_id and u.deleted_at is null where m.group_id = g.provider_group_id), '[]') as members
  from provider_groups g where g.provider_id = ${providerId}`

export async function listGroups(asked: Asked) {
  const { app, provider, request } = asked
  const { startIndex, count, filter } = pageOf(asked, MOST)
  const where = filter === undefined ? sql`true` : condition(filter)
  const [{ n } = { n: 0 }] = await rows<{ n: number }>(
    app.db,
    sql`select count(*)::int as n from provider_groups g where g.provider_id = ${provider.id} and ${where}`,
  )
  const found = await rows<StoredGroup>(
    app.db,
    sql`${select(provider.id)} and ${where} order by g.provider_group_id limit ${count} offset ${startIndex - 1}`,
  )
  const { excludedAttributes } = request.query as { excludedAttributes?: unknown } // parseQuery returns an object
  const withoutMembers = /(^|,)\s*members\s*(,|$)/i.test(String(excludedAttributes ?? ''))
  const resources = found.map(resourceOf)
  return listOf(withoutMembers ? resources.map(({ members: _, ...rest }) => rest) : resources, n, startIndex)
}

function condition(filter: string) {
  const { attribute, value } = readFilter(filter)
  const text = String(value)
  if (attribute === 'displayname') return sql`lower(g.name) = lower(${text})`
  if (attribute === 'externalid') return sql`g.external_id = ${text}`
  if (attribute === 'id') return sql`g.provider_group_id::text = ${text}`
  throw new ScimError(400, `Groups cannot be found by ${attribute.slice(0, 50)}`, 'invalidFilter')
}

async function readStored(db: Db, providerId: number, id: string, { lock = false } = {}): Promise<StoredGroup> {
  const [found] = /^\d{1,9}$/.test(id)
    ? await rows<StoredGroup>(
        db,
        sql`${select(providerId)} and g.provider_group_id = ${Number(id)} ${lock ? sql`for update of g` : sql``}`,
      )
    : []
  if (!found) throw noResource('group', id)
  return found
}

const resourceOf = (group: StoredGroup): Resource => ({
  schemas: [GROUP],
  id: String(group.id),
  ...(group.externalId !== null && { externalId: group.externalId }),
  displayName: group.name,
  members: group.members,
  meta: {
    resourceType: 'Group',
    created: isoOf(group.createdAt),
    lastModified: isoOf(group.updatedAt),
    location: `/scim/v2/Groups/${group.id}`,
    version: `W/"${group.version}"`,
  },
})

export const readGroup = async (asked: Asked): Promise<Resource> =>
  resourceOf(await readStored(asked.app.db, asked.provider.id, idOf(asked)))

const Sent = z.looseObject({
  displayName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine((one) => !/\p{Cc}/u.test(one), 'Control characters are not allowed'),
  externalId: z.string().max(255).nullish(),
  members: z
    .array(
      z.looseObject({
        value: z
          .union([z.string(), z.number()])
          .transform(String)
          .pipe(z.string().regex(/^\d{1,9}$/)),
      }),
    )
    .max(MOST_MEMBERS)
    .nullish(),
})
const names = ['displayName', 'externalId', 'members']

function readSent(body: unknown) {
  const given = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.entries(body) : []
  const canonical = given.map(([key, value]) => [
    names.find((one) => one.toLowerCase() === key.toLowerCase()) ?? key,
    value,
  ])
  const read = Sent.safeParse(Object.fromEntries(canonical))
  if (!read.success) throw new ScimError(400, z.prettifyError(read.error).slice(0, 500), 'invalidValue')
  const { displayName, externalId, members } = read.data
  const ids = [...new Set((members ?? []).map(({ value }) => Number(value)))]
  return { name: displayName, externalId: externalId ?? null, ids }
}
type Wanted = ReturnType<typeof readSent>

const result = (stored: StoredGroup) => ({
  id: String(stored.id),
  subject: stored.name,
  after: { name: stored.name, members: stored.members.length },
  answer: resourceOf(stored),
})

export const createGroup = (asked: Asked): Promise<Resource> =>
  written(asked, { action: 'create', resource: 'group' }, async (db) => {
    const { provider, request } = asked
    const wanted = readSent(request.body)
    await checkFree(db, provider.id, wanted.name)
    const { name, externalId } = wanted
    const [made] = await db
      .insert(providerGroups)
      .values({ providerId: provider.id, name, externalId })
      .returning({ id: providerGroups.id })
    await putMembers(asked, db, made!.id, wanted, [])
    return result(await readStored(db, provider.id, String(made!.id)))
  })

export const replaceGroup = (asked: Asked): Promise<Resource> => update(asked, () => readSent(asked.request.body))
export const patchGroup = (asked: Asked): Promise<Resource> =>
  update(asked, (before) => readSent(patched(resourceOf(before), asked.request.body)))

const update = (asked: Asked, wantedOf: (before: StoredGroup) => Wanted): Promise<Resource> =>
  written(asked, { action: 'update', resource: 'group' }, async (db) => {
    const { provider } = asked
    const before = await readStored(db, provider.id, idOf(asked), { lock: true })
    checkMatch(asked, resourceOf(before))
    const wanted = wantedOf(before)
    await checkFree(db, provider.id, wanted.name, before.id)
    const { name, externalId } = wanted
    await db
      .update(providerGroups)
      .set({ name, externalId, ...nextVersion })
      .where(eq(providerGroups.id, before.id))
    await putMembers(asked, db, before.id, wanted, [before.name])
    return result(await readStored(db, provider.id, String(before.id)))
  })

export const removeGroup = (asked: Asked): Promise<void> =>
  written(asked, { action: 'delete', resource: 'group' }, async (db) => {
    const { provider } = asked
    const before = await readStored(db, provider.id, idOf(asked), { lock: true })
    checkMatch(asked, resourceOf(before))
    await putMembers(asked, db, before.id, { name: before.name, externalId: null, ids: [] }, [])
    await db.delete(providerGroups).where(eq(providerGroups.id, before.id))
    return { ...result(before), answer: undefined }
  })

async function checkFree(db: Db, providerId: number, name: string, except = 0): Promise<void> {
  const [taken] = await rows(
    db,
    sql`select from provider_groups where provider_id = ${providerId} and lower(name) = lower(${name})
      and provider_group_id <> ${except}`,
  )
  if (taken) throw new ScimError(409, `The group ${name} exists already`, 'uniqueness')
}

/** Stores the members, and gives the people whose groups changed what the mapping says. `names`: former names. */
async function putMembers(
  { app, provider }: Asked,
  db: Db,
  groupId: number,
  { name, ids }: Wanted,
  former: string[],
): Promise<void> {
  const members = await rows<{ id: number; userId: number }>(
    db,
    sql`select i.identity_id as id, i.user_id as "userId" from identities i join users u on u.user_id = i.user_id
      where i.provider_id = ${provider.id} and i.user_id = any(${sql.param(ids)}::int[]) and u.deleted_at is null`,
  )
  const gone = ids.find((id) => !members.some(({ userId }) => userId === id))
  if (gone !== undefined) throw new ScimError(400, `There is no user ${gone}`, 'invalidValue')
  const isGiving = await isMapped(db, provider.id, [name, ...former])
  // before the rows of the members, and together: two groups of the same people could deadlock
  if (isGiving) await holdMembers(app, db, [...members.map(({ id }) => id), ...(await membersOf(db, groupId))])
  const wanted = sql`${sql.param(members.map(({ id }) => id))}::int[]`
  const removed = await rows<{ id: number }>(
    db,
    sql`delete from provider_group_members where group_id = ${groupId} and identity_id <> all(${wanted}) returning identity_id as id`,
  )
  const added = await rows<{ id: number }>(
    db,
    sql`insert into provider_group_members (group_id, identity_id) select ${groupId}, unnest(${wanted})
      on conflict do nothing returning identity_id as id`,
  )
  const isRenamed = former.some((one) => one !== name)
  if (!isGiving) return
  const affected = new Set([...removed, ...added, ...(isRenamed ? members : [])].map(({ id }) => id))
  for (const id of affected) await applyMapping(app, db, id)
}

async function membersOf(db: Db, groupId: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select identity_id as id from provider_group_members where group_id = ${groupId}`,
  )
  return found.map(({ id }) => id)
}

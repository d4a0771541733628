import type { groups as contract } from '@innkeeper/contract/hosting/groups'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { nameLike, pageKeys } from '../../kit/db/page.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { holdGroup, setMembers } from '../websites/groupMembers.ts'
import { groups } from '../websites/tables.ts'
import { readWebsite } from '../websites/view.ts'
import { fitMain, insert, insertAs } from './insert.ts'
import { giveTo } from './owner.ts'
import { readGroup, readGroups } from './view.ts'

const sorts = {
  createdAt: { column: groups.createdAt, type: 'instant', direction: 'DESC' },
  updatedAt: { column: groups.updatedAt, type: 'instant', direction: 'DESC' },
} as const
const live = sql`${groups.deletedAt} is null`
const withMember = (which: SQL) =>
  sql`${groups.id} in (select w.group_id from websites w where ${which} and w.deleted_at is null)`

export const groupsHandlers: Handlers<typeof contract> = {
  async list(input, { db }) {
    const where: SQL[] = [live]
    if (input.owner) where.push(inArray(groups.ownerId, input.owner))
    if (input.server) where.push(withMember(sql`w.server_id in ${input.server}`))
    if (input.domain) where.push(withMember(nameLike(sql`w.domain`, input.domain)))
    const { ids, ...page } = await pageKeys(db, input, {
      from: sql`${groups}`,
      where,
      key: groups.id,
      order: sorts[input.sort ?? 'createdAt'],
    })
    return { items: await readGroups(db, ids), ...page }
  },

  one: ({ id }, { db }) => readGroup(db, id),

  async ofWebsite({ id }, { db }) {
    const { groupId } = await readWebsite(db, id)
    return { group: groupId === null ? null : await readGroup(db, groupId) }
  },

  async ofServer({ id, user }, { db }) {
    const [server] = await rows(db, sql`select from servers where server_id = ${id} and deleted_at is null`)
    if (!server) throw notFound('server', id)
    const found = await db
      .select({ id: groups.id })
      .from(groups)
      .where(
        sql`${live} and ${withMember(sql`w.server_id = ${id}`)} ${user ? sql`and ${groups.ownerId} = ${user}` : sql``}`,
      )
      .orderBy(sql`${groups.createdAt} desc`)
      .limit(200)
    const items = await readGroups(
      db,
      found.map((group) => group.id),
    )
    return { items, total: items.length }
  },

  async create({ id, ownerId, mainWebsite, ids = [] }, { db, staff, audit }) {
    const values = { ownerId, mainWebsite, createdBy: staff.id }
    await fitMain(db, ownerId, mainWebsite)
    const made = id === undefined ? await insert(db, values) : await insertAs(db, id, values)
    await setMembers(db, { id: made, ownerId }, [mainWebsite, ...ids], ids.length ? 'ids' : 'mainWebsite')
    return saved(db, made, audit)
  },

  async update({ id, ids, mainWebsite, version }, { db, audit }) {
    const before = await hold(db, id, version, audit)
    const main = mainWebsite ?? before.mainWebsite
    if (!ids.includes(main))
      throw refused('The main website must stay in its group', {
        [mainWebsite ? 'mainWebsite' : 'ids']: 'The main website is missing',
      })
    await setMembers(db, before, ids)
    await db
      .update(groups)
      .set({ mainWebsite: main, ...nextVersion })
      .where(eq(groups.id, id))
    return saved(db, id, audit)
  },

  async owner({ id, newOwner, version }, { db, audit }) {
    const before = await hold(db, id, version, audit)
    if (before.ownerId === newOwner)
      throw refused(`${before.ownerName} is the owner already`, { newOwner: 'Is the owner already' })
    await giveTo(db, id, newOwner)
    return saved(db, id, audit)
  },

  async remove({ id, version }, { db, audit }) {
    await hold(db, id, version, audit)
    await db.execute(sql`update websites set group_id = null, group_position = null, version = version + 1, updated_at = now()
      where group_id = ${id}`)
    await db
      .update(groups)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(groups.id, id))
    await changed(db, 'groups', id)
    await changed(db, 'websites')
  },
}

type Audit = Context['audit']

async function saved(db: Db, id: number, audit: Audit) {
  await changed(db, 'groups', id)
  const group = await readGroup(db, id)
  audit.of('group', id)
  audit.after(inShort(group))
  return group
}

async function hold(db: Db, id: number, version: number | undefined, audit: Audit) {
  await holdGroup(db, id)
  const group = await readGroup(db, id)
  checkVersion(group, version, `The group of ${group.mainDomain}`)
  audit.before(inShort(group))
  return group
}

/** A group for the action log, with its members as ids only. */
const inShort = ({ items, ...group }: Awaited<ReturnType<typeof readGroup>>) => ({
  ...group,
  ids: items.map((site) => site.id),
})

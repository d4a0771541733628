import type { Group, GroupWithMembers } from '@innkeeper/contract/hosting/groups'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { byIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { owners } from '../owners/tables.ts'
import { groups } from '../websites/tables.ts'
import { readWebsites } from '../websites/view.ts'

const members = sql`from websites w where w.group_id = ${groups.id} and w.deleted_at is null`

const select = byIds((db, isWanted) =>
  db
    .select({
      id: groups.id,
      version: groups.version,
      createdAt: groups.createdAt,
      updatedAt: groups.updatedAt,
      ownerId: groups.ownerId,
      ownerName: owners.name,
      mainWebsite: groups.mainWebsite,
      mainDomain: sql<string>`(select m.domain from websites m where m.website_id = ${groups.mainWebsite})`,
      websites: sql<number>`(select count(*)::int ${members})`,
      failed: sql<number>`(select count(*)::int ${members} and w.status = 'failed')`,
      servers: sql<
        Group['servers']
      >`(select coalesce(json_agg(json_build_object('id', s.server_id, 'name', s.name) order by name_order(s.name)), '[]')
        from servers s where s.server_id in (select w.server_id ${members}))`,
    })
    .from(groups)
    .innerJoin(owners, eq(owners.id, groups.ownerId))
    .where(and(isWanted(groups.id), isNull(groups.deletedAt))),
)

/** Groups in the form of the contract, in the order of `ids`. Missing ones are left out. */
export const readGroups = async (db: Db, ids: number[]): Promise<Group[]> => inOrder(ids, await select(db, ids))

/** One group with its websites in order. Throws 404 if it is missing. */
export async function readGroup(db: Db, id: number): Promise<GroupWithMembers> {
  const [group] = await readGroups(db, [id])
  if (!group) throw notFound('website group', id)
  return { ...group, items: await readWebsites(db, await memberIds(db, id)) }
}

/** Website ids of a group in the group's order. */
export async function memberIds(db: Db, id: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select website_id as id from websites where group_id = ${id} and deleted_at is null
      order by group_position, website_id`,
  )
  return found.map((row) => row.id)
}

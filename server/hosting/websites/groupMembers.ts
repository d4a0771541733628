import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { groups } from './tables.ts'

interface Candidate {
  id: number
  domain: string
  ownerId: number
  groupId: number | null
  parentId: number | null
  status: string
}

/** Locks the group's row until the transaction ends, so that changes of one group run in sequence. */
export async function holdGroup(tx: Db, id: number): Promise<void> {
  const [found] = await rows(
    tx,
    sql`select from website_groups where website_group_id = ${id} and deleted_at is null for update`,
  )
  if (!found) throw notFound('website group', id)
}

/**
 * Sets the members in the order of `ids`. 422 for a website that has another owner, is in another group or is being
 * deleted.
 */
export async function setMembers(
  tx: Db,
  group: { id: number; ownerId: number },
  ids: number[],
  field = 'ids',
): Promise<void> {
  const wanted = [...new Set(ids)]
  const found = await rows<Candidate>(
    tx,
    sql`select website_id as id, domain, owner_id as "ownerId", group_id as "groupId", parent_id as "parentId", status
      from websites where website_id in ${wanted} and deleted_at is null order by website_id for update`,
  )
  const byId = new Map(found.map((site) => [site.id, site]))
  for (const id of wanted) {
    const problem = unfit(id, byId.get(id), group)
    if (problem) throw refused(problem, { [field]: problem })
  }
  await tx.execute(sql`update websites set group_id = null, group_position = null, version = version + 1, updated_at = now()
    where group_id = ${group.id} and website_id not in ${wanted} and deleted_at is null`)
  const places = wanted.map((id, i) => sql`(${id}::int, ${i + 1}::int)`)
  await tx.execute(sql`update websites w set group_id = ${group.id}, group_position = p.place,
      version = w.version + 1, updated_at = now()
    from (values ${sql.join(places, sql`, `)}) p(id, place)
    where w.website_id = p.id and (w.group_id, w.group_position) is distinct from (${group.id}::int, p.place)`)
  await changed(tx, 'websites')
}

function unfit(id: number, site: Candidate | undefined, group: { id: number; ownerId: number }): string | undefined {
  if (!site) return `Website ${id} does not exist`
  if (site.ownerId !== group.ownerId) return `${site.domain} belongs to another owner`
  if (site.parentId !== null) return `${site.domain} belongs to another website, which must be added instead`
  if (site.groupId !== null && site.groupId !== group.id) return `${site.domain} is already in group ${site.groupId}`
  return site.status === 'deleting' ? `${site.domain} is being deleted` : undefined
}

/**
 * Updates the group of a deleted website: if that was the main website, the next member replaces it; a group without
 * members is deleted. The website's row keeps the group for a restore.
 */
export async function leaveGroup(tx: Db, websiteId: number): Promise<void> {
  const [left] = await rows<{ groupId: number }>(
    tx,
    sql`select group_id as "groupId" from websites where website_id = ${websiteId} and group_id is not null`,
  )
  if (!left) return
  await tx.execute(sql`update website_groups g set version = version + 1, updated_at = now(),
      deleted_at = case when next.id is null then now() end, main_website = coalesce(next.id, g.main_website)
    from (select (select website_id from websites w where w.group_id = ${left.groupId} and w.deleted_at is null
      order by (w.website_id = (select main_website from website_groups where website_group_id = ${left.groupId})) desc,
        w.group_position limit 1) as id) next
    where g.website_group_id = ${left.groupId}`)
  await changed(tx, 'groups', left.groupId)
}

/**
 * Returns a restored website to its group, and restores a group that was deleted with it. If the group was dissolved or
 * has another owner, the website joins no group.
 */
export async function returnToGroup(tx: Db, websiteId: number): Promise<void> {
  const [left] = await rows<{ groupId: number; fits: boolean }>(
    tx,
    sql`select g.website_group_id as "groupId",
        g.owner_id = w.owner_id and (g.deleted_at is null or g.main_website = w.website_id) as fits
      from websites w join website_groups g on g.website_group_id = w.group_id where w.website_id = ${websiteId} for update of g`,
  )
  if (!left) return
  if (left.fits)
    await tx
      .update(groups)
      .set({ deletedAt: null, ...nextVersion })
      .where(eq(groups.id, left.groupId))
  else await tx.execute(sql`update websites set group_id = null, group_position = null where website_id = ${websiteId}`)
  await changed(tx, 'groups', left.groupId)
}

/** Appends a new website to a group. */
export async function joinGroup(tx: Db, groupId: number, websiteId: number): Promise<void> {
  await holdGroup(tx, groupId)
  await tx.execute(sql`update websites set group_id = ${groupId}, group_position =
      (select coalesce(max(group_position), 0) + 1 from websites where group_id = ${groupId})
    where website_id = ${websiteId}`)
  await tx
    .update(groups)
    .set({ ...nextVersion })
    .where(eq(groups.id, groupId))
  await changed(tx, 'groups', groupId)
}

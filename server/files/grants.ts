import type { files as contract, Grant, Opener, StoredFile } from '@innkeeper/contract/files'
import type { Input, Output } from '@innkeeper/contract/kit'
import { eq, type SQL, sql } from 'drizzle-orm'
import { departments } from '../departments/tables.ts'
import type { Staff } from '../kit/access/sessions.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { likeText } from '../kit/db/page.ts'
import { invalid, notFound, Refusal, refused } from '../kit/http/errors.ts'
import { roles } from '../roles/tables.ts'
import { users } from '../users/tables.ts'
import { fileAccess, folders } from './tables.ts'
import { findFile } from './view.ts'

export interface Grantee {
  accessType: Grant['accessType']
  grantAccessTo: number
  expiresAt?: string | null | undefined
}

/** All possible grantees: kind, id, name and number of people. */
const grantees: SQL = sql`(select 'user' as kind, u.user_id as id, u.first_name || ' ' || u.last_name as name, 1 as people
    from ${users} u where u.deleted_at is null
  union all select 'role', r.role_id, r.name,
    (select count(*)::int from users u where u.role_id = r.role_id and u.deleted_at is null) from ${roles} r where r.deleted_at is null
  union all select 'department', d.department_id, d.name,
    (select count(*)::int from users u where u.department_id = d.department_id and u.deleted_at is null)
    from ${departments} d where d.deleted_at is null) g`

/** Grants access. A repeated grant only changes the expiry. */
export async function grantTo(db: Db, staff: Staff, { fileId, ...to }: Grantee & { fileId: number }): Promise<Grant> {
  const { accessType, grantAccessTo, expiresAt = null } = to
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    throw refused('This time has passed', { expiresAt: 'Has to be later than now' })
  const [known] = await rows(
    db,
    sql`select 1 from ${grantees} where g.kind = ${accessType} and g.id = ${grantAccessTo}`,
  )
  if (!known) throw invalid({ grantAccessTo: `No ${accessType} ${grantAccessTo}` })
  const [row] = await db
    .insert(fileAccess)
    .values({ fileId, accessType, grantAccessTo, expiresAt, createdBy: staff.id })
    .onConflictDoUpdate({
      target: [fileAccess.fileId, fileAccess.accessType, fileAccess.grantAccessTo],
      set: { expiresAt, createdBy: staff.id },
    })
    .returning({ id: fileAccess.id })
  const [grant] = await readGrants(db, sql`${fileAccess.id} = ${row?.id ?? 0}`)
  if (!grant) throw notFound('grant')
  return grant
}

function readGrants(db: Db, where: SQL): Promise<(Grant & { people: number })[]> {
  return db
    .select({
      id: fileAccess.id,
      fileId: fileAccess.fileId,
      accessType: fileAccess.accessType,
      grantAccessTo: fileAccess.grantAccessTo,
      name: sql<string>`g.name`,
      people: sql<number>`g.people`,
      expiresAt: fileAccess.expiresAt,
      grantedBy: sql<
        string | null
      >`(select u.first_name || ' ' || u.last_name from users u where u.user_id = ${fileAccess.createdBy})`,
      createdAt: fileAccess.createdAt,
    })
    .from(fileAccess)
    .innerJoin(grantees, sql`g.kind = ${fileAccess.accessType} and g.id = ${fileAccess.grantAccessTo}`)
    .where(where)
    .orderBy(fileAccess.accessType, sql`g.name`)
}

/** Revokes a grant and returns it. Requires the right to change the file. */
export async function revokeGrant(db: Db, staff: Staff, id: number): Promise<Grant> {
  const [grant] = await readGrants(db, sql`${fileAccess.id} = ${id}`)
  if (!grant) throw notFound('grant', id)
  await findFile(db, staff, grant.fileId, { change: true }).catch((error: unknown) => {
    throw error instanceof Refusal && error.status === 404 ? notFound('grant', id) : error
  })
  await db.delete(fileAccess).where(eq(fileAccess.id, id))
  const { people: _, ...was } = grant
  return was
}

/** Everybody who can open a file, with the reason, the widest group first. */
export async function openersOf(db: Db, file: StoredFile): Promise<Opener[]> {
  const some = (why: Opener['why'], name: string, people: number | null): Opener => ({ why, name, people, grant: null })
  if (!file.hidden) return [some('public', 'Everybody who has the address, without signing in', null)]
  const [place] = file.folderId
    ? await db
        .select({
          id: folders.ownerId,
          name: sql<string>`${users.firstName} || ' ' || ${users.lastName}`,
          folder: folders.name,
        })
        .from(folders)
        .innerJoin(users, eq(users.id, folders.ownerId))
        .where(eq(folders.id, file.folderId))
    : []
  const grants = await readGrants(
    db,
    sql`${fileAccess.fileId} = ${file.id} and (${fileAccess.expiresAt} is null or ${fileAccess.expiresAt} > now())`,
  )
  const administrators = await db.$count(users, sql`${users.isAdmin} and ${users.deletedAt} is null`)
  return [
    some('owner', file.ownerName, 1),
    ...(place && place.id !== file.ownerId ? [some('folder-owner', `${place.name}, owner of ${place.folder}`, 1)] : []),
    ...grants.map(({ people, ...grant }): Opener => ({ why: 'grant', name: grant.name, people, grant })),
    some('administrator', 'Administrators', administrators),
  ]
}

/** The first twenty grantees whose name contains the search text. */
export function searchGrantees(
  db: Db,
  { search, accessType }: Input<typeof contract.grantees, 'out'>,
): Promise<Output<typeof contract.grantees>> {
  const kind = accessType ? sql`g.kind = ${accessType}` : sql`true`
  const named = search ? sql`lower(g.name) like ${likeText(search)}` : sql`true`
  return rows(
    db,
    sql`select g.kind as "accessType", g.id, g.name, g.people from ${grantees} where ${kind} and ${named}
      order by lower(g.name), g.kind limit 20`,
  )
}

import type { files as contract, Grant, Opener, StoredFile } from '@innkeeper/contract/desk/files'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { eq, type SQL, sql } from 'drizzle-orm'
import { departments } from '../../access/departments/tables.ts'
import { notify } from '../../access/notifications/notify.ts'
import { roles } from '../../access/roles/tables.ts'
import { users } from '../../access/users/tables.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { contains } from '../../kit/db/page.ts'
import { personName } from '../../kit/db/people.ts'
import { invalid, notFound, Refusal, refused } from '../../kit/http/errors.ts'
import { fileAccess, folders } from './tables.ts'
import { findFile } from './view.ts'

export interface Grantee {
  accessType: Grant['accessType']
  grantAccessTo: number
  expiresAt?: string | null | undefined
}

/** All possible grantees: kind, id, name and the number of people who may use files. */
const BROWSE = 'file-manager:file:browse'
/** People who can open a shared file at all. */
const usable = sql`(select u.user_id, u.role_id, u.department_id, ${personName('u')} as name from ${users} u
  left join ${roles} r on r.role_id = u.role_id and r.deleted_at is null
  where u.deleted_at is null and (u.is_admin or ${BROWSE} = any(r.scopes)))`
const grantees: SQL = sql`(select 'user' as kind, u.user_id as id, ${personName('u')} as name,
    (select count(*)::int from ${usable} p where p.user_id = u.user_id) as people
    from ${users} u where u.deleted_at is null
  union all select 'role', r.role_id, r.name, (select count(*)::int from ${usable} p where p.role_id = r.role_id)
    from ${roles} r where r.deleted_at is null
  union all select 'department', d.department_id, d.name,
    (select count(*)::int from ${usable} p where p.department_id = d.department_id)
    from ${departments} d where d.deleted_at is null) g`

/** Throws beside the field if a grant would open nothing: the grantee is absent, may use no files, or the time has passed. */
export async function checkGrantee(db: Db, { accessType, grantAccessTo, expiresAt = null }: Grantee): Promise<void> {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    throw refused('This time has passed', { expiresAt: 'Has to be later than now' })
  const [known] = await rows<{ name: string; people: number }>(
    db,
    sql`select g.name, g.people from ${grantees} where g.kind = ${accessType} and g.id = ${grantAccessTo}`,
  )
  if (!known) throw invalid({ grantAccessTo: `No ${accessType} ${grantAccessTo}` })
  if (known.people === 0) {
    const who = accessType === 'user' ? `${known.name} has` : `Nobody of ${known.name} has`
    throw refused(`${who} no right to use files (${BROWSE}), so the grant would open nothing`, {
      grantAccessTo: `${who} no right to use files`,
    })
  }
}

/** Grants access. A repeated grant only changes the expiry. */
export async function grantTo(
  db: Db,
  staff: Staff,
  { fileId, ...to }: Grantee & { fileId: number },
  isTold = true,
): Promise<Grant> {
  await checkGrantee(db, to)
  const { accessType, grantAccessTo, expiresAt = null } = to
  const [held] = await rows(
    db,
    sql`select from file_access where file_id = ${fileId} and access_type = ${accessType}
      and grant_access_to = ${grantAccessTo} and (expires_at is null or expires_at > now())`,
  )
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
  if (isTold && !held) await notifyOfGrant(db, staff, grant, await nameOf(db, fileId))
  return grant
}

const nameOf = async (db: Db, fileId: number) => {
  const [file] = await rows<{ name: string }>(db, sql`select name from files where file_id = ${fileId}`)
  return file?.name ?? 'a file'
}

/** Notifies the people of a grant who may use files. Whoever loses a file reads its name no more. */
export async function notifyOfGrant(db: Db, staff: Staff, to: Grantee, gained?: string): Promise<void> {
  const { accessType, grantAccessTo, expiresAt } = to
  const of = { user: sql`p.user_id`, role: sql`p.role_id`, department: sql`p.department_id` }[accessType]
  const people = await rows<{ id: number }>(
    db,
    sql`select p.user_id as id from ${usable} p where ${of} = ${grantAccessTo}`,
  )
  await notify(db, {
    to: people.map(({ id }) => id).filter((id) => id !== staff.id),
    reason: 'files',
    title: `${staff.name} ${gained ? `shares ${gained} with you` : 'shares a file with you no more'}`,
    body: gained && expiresAt ? `Until ${expiresAt.slice(0, 10)}.` : '',
    link: '/ifm?view=shared',
  })
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
      grantedBy: sql<string | null>`(select ${personName('u')} from users u where u.user_id = ${fileAccess.createdBy})`,
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
  const isOver = grant.expiresAt !== null && Date.parse(grant.expiresAt) <= Date.now()
  if (!isOver) await notifyOfGrant(db, staff, grant)
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
    ...(place && place.id !== file.ownerId
      ? [some('folder-owner', `${place.name}, owner of ${file.folder?.name}`, 1)]
      : []),
    ...grants.map(({ people, ...grant }): Opener => ({ why: 'grant', name: grant.name, people, grant })),
    some('administrator', 'Administrators', administrators),
  ]
}

/** The first twenty grantees who may use files, whose name contains the search text. */
export function searchGrantees(
  db: Db,
  { search, accessType }: Input<typeof contract.grantees, 'out'>,
): Promise<Output<typeof contract.grantees>> {
  const kind = accessType ? sql`g.kind = ${accessType}` : sql`true`
  const named = search ? contains(sql`g.name`, search) : sql`true`
  return rows(
    db,
    sql`select g.kind as "accessType", g.id, g.name, g.people from ${grantees} where g.people > 0 and ${kind} and ${named}
      order by lower(g.name), g.kind limit 20`,
  )
}

import type { StoredFile } from '@innkeeper/contract/desk/files'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { fileAccess, files, folders } from './tables.ts'

/**
 * All access conditions of files; every read and write uses them. A file is hidden if it is private or in a hidden
 * folder. Everybody may open other files. A hidden file opens to its owner, the owner of its folder, its grantees and
 * administrators. Only its owner and administrators may change it; other files may be changed by anyone with the
 * permission.
 */

export type Viewer = Pick<Staff, 'id' | 'isAdmin'>
/** Whose rights a condition checks: a person, or the placeholders of a statement that is built once. */
type Asker = Viewer | typeof anybody
export const anybody = { id: sql.placeholder('staffId'), isAdmin: sql<boolean>`${sql.placeholder('isAdmin')}::boolean` }
/** Somebody who has not signed in. */
export const visitor = { id: 0, isAdmin: false }
/** Values for the placeholders of `anybody`. */
export const valuesOf = ({ id, isAdmin }: Viewer) => ({ staffId: id, isAdmin })

/** Files left joined with their folders, for the conditions below. */
export const filesInFolders: SQL = sql`${files} left join ${folders} on ${folders.id} = ${files.folderId}`

export const isHidden: SQL<boolean> = sql`(${files.isPrivate} or coalesce(${folders.hidden}, false))`
export const isLive: SQL = sql`${files.deletedAt} is null`
export const isPublic: SQL = sql`not ${isHidden}`

/** Condition: a valid grant for this person. The query has `file_access`. */
const isGranted = ({ id }: Asker): SQL => sql`(${fileAccess.expiresAt} is null or ${fileAccess.expiresAt} > now())
  and case ${fileAccess.accessType} when 'user' then ${fileAccess.grantAccessTo} = ${id}
    when 'role' then ${fileAccess.grantAccessTo} = (select u.role_id from users u where u.user_id = ${id})
    else ${fileAccess.grantAccessTo} = (select u.department_id from users u where u.user_id = ${id}) end`

export const isShared = (staff: Asker): SQL =>
  sql`exists (select from ${fileAccess} where ${fileAccess.fileId} = ${files.id} and ${isGranted(staff)})`

/** Administrators match every condition. */
const orAdmin = ({ isAdmin }: Asker, condition: SQL): SQL => {
  if (typeof isAdmin === 'boolean') return isAdmin ? sql`true` : sql`(${condition})`
  return sql`(${isAdmin} or ${condition})`
}

export const mayOpen = (staff: Asker): SQL =>
  orAdmin(
    staff,
    sql`${isPublic} or ${files.ownerId} = ${staff.id} or ${folders.ownerId} = ${staff.id} or ${isShared(staff)}`,
  )

export const mayChange = (staff: Asker): SQL => orAdmin(staff, sql`${isPublic} or ${files.ownerId} = ${staff.id}`)

/** The rule of `mayChange` for a file that was read. */
export const mayChangeFile = (staff: Staff, { hidden, ownerId }: Pick<StoredFile, 'hidden' | 'ownerId'>): boolean =>
  staff.isAdmin || !hidden || ownerId === staff.id

export const maySeeFolder = (staff: Asker): SQL =>
  orAdmin(staff, sql`not ${folders.hidden} or ${folders.ownerId} = ${staff.id}`)

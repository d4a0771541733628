import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../kit/access/sessions.ts'
import { fileAccess, files, folders } from './tables.ts'

/**
 * Who may do what, in one place; every read and every write asks here. A file is hidden when it is private or lies in a
 * hidden folder. What is not hidden, everybody may open. What is hidden opens to its owner, the owner of its folder, those
 * it is granted to, and administrators. Changing: a hidden one its owner and administrators, any other whoever holds the scope.
 */

/** Files, each with its folder where it has one: what the conditions below are about. */
export const filesInFolders: SQL = sql`${files} left join ${folders} on ${folders.id} = ${files.folderId}`

export const isHidden: SQL<boolean> = sql`(${files.isPrivate} or coalesce(${folders.hidden}, false))`
export const isLive: SQL = sql`${files.deletedAt} is null`
export const isPublic: SQL = sql`not ${isHidden}`

/** A grant that holds now for this person; `file_access` has to be at hand. */
export const isGranted = ({
  id,
}: Staff): SQL => sql`(${fileAccess.expiresAt} is null or ${fileAccess.expiresAt} > now())
  and case ${fileAccess.accessType} when 'user' then ${fileAccess.grantAccessTo} = ${id}
    when 'role' then ${fileAccess.grantAccessTo} = (select u.role_id from users u where u.user_id = ${id})
    else ${fileAccess.grantAccessTo} = (select u.department_id from users u where u.user_id = ${id}) end`

export const isShared = (staff: Staff): SQL =>
  sql`exists (select from ${fileAccess} where ${fileAccess.fileId} = ${files.id} and ${isGranted(staff)})`

export const mayOpen = (staff: Staff): SQL =>
  staff.isAdmin
    ? sql`true`
    : sql`(${isPublic} or ${files.ownerId} = ${staff.id} or ${folders.ownerId} = ${staff.id} or ${isShared(staff)})`

export const mayChange = (staff: Staff): SQL<boolean> =>
  staff.isAdmin ? sql`true` : sql`(${isPublic} or ${files.ownerId} = ${staff.id})`

export const maySeeFolder = (staff: Staff): SQL =>
  staff.isAdmin ? sql`true` : sql`(not ${folders.hidden} or ${folders.ownerId} = ${staff.id})`

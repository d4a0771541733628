import { type Folder, type StoredFile, TRASH_DAYS } from '@innkeeper/contract/desk/files'
import { eq, inArray, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { leaveBlobs } from '../../kit/storage/blobs.ts'
import { arrange, refuseTwin, settle } from './arrange.ts'
import { filesInFolders, mayChange } from './rights.ts'
import { files, folders } from './tables.ts'
import { findFiles, findFolder, selectFolders } from './view.ts'

const mark = (deletedAt: unknown) => ({
  deletedAt: sql`${deletedAt}`,
  ...nextVersion,
})
const now = sql`now()`

/** Moves files to the trash: nobody can open them, and for TRASH_DAYS they can be restored. */
export async function removeFiles(db: Db, staff: Staff, ids: number[]): Promise<StoredFile[]> {
  const gone = await findFiles(db, staff, ids, { change: true })
  await db.update(files).set(mark(now)).where(inArray(files.id, ids))
  return gone
}

export async function restoreFiles(db: Db, staff: Staff, ids: number[]): Promise<StoredFile[]> {
  const back = await findFiles(db, staff, ids, { change: true, trashed: true })
  const [lost] = await db
    .select({ name: files.name, folder: folders.name })
    .from(files)
    .innerJoin(folders, eq(folders.id, files.folderId))
    .where(sql`${inArray(files.id, ids)} and ${folders.deletedAt} is not null`)
  if (lost) throw refused(`${lost.folder}, the folder of ${lost.name}, is in the trash too: restore the folder first`)
  await db.update(files).set(mark(sql`null`)).where(inArray(files.id, ids))
  return back
}

/** Deletes files from the trash permanently. The sweep deletes the bytes within two minutes. */
export async function purgeFiles(db: Db, staff: Staff, ids: number[]): Promise<StoredFile[]> {
  const gone = await findFiles(db, staff, ids, { change: true, trashed: true })
  await eraseFiles(
    db,
    gone.map(({ id }) => id),
  )
  return gone
}

async function eraseFiles(db: Db, ids: number[]): Promise<void> {
  const erased = await db.delete(files).where(inArray(files.id, ids)).returning({ path: files.path })
  await leaveBlobs(
    db,
    erased.map(({ path }) => path),
  )
}

/**
 * Moves a folder with its content to the trash. All items get the same deletion time, by which they are restored
 * together; items that were deleted before keep their time.
 */
export async function removeFolder(db: Db, staff: Staff, id: number): Promise<Folder> {
  await arrange(db)
  const folder = await findFolder(db, staff, id)
  const [foreign] = await rows<{ n: number }>(
    db,
    sql`${below(id)} select count(*)::int as n from ${filesInFolders}
      where ${files.folderId} in (select id from below) and ${files.deletedAt} is null and not ${mayChange(staff)}`,
  )
  if (foreign?.n) throw refused(`${foreign.n} of the files in it are private and not yours: nothing was deleted`)
  await db.execute(sql`${below(id)} update ${files} set deleted_at = now(), version = version + 1
    where folder_id in (select id from below) and deleted_at is null`)
  await db.execute(sql`${below(id)} update ${folders} set deleted_at = now(), version = version + 1
    where folder_id in (select id from below) and deleted_at is null`)
  return folder
}

/** Folders that were deleted themselves; folders that were deleted with a parent are restored with the parent. */
export const trashedFolders = (db: Db, staff: Staff): Promise<Folder[]> =>
  selectFolders(
    db,
    staff,
    sql`${folders.deletedAt} is not null and not exists (select from folders p
      where p.folder_id = ${folders.parentId} and p.deleted_at = ${folders.deletedAt})`,
  )

export async function restoreFolder(db: Db, staff: Staff, id: number): Promise<Folder> {
  await arrange(db)
  const folder = await findFolder(db, staff, id, true)
  const [row] = await db
    .select({ at: sql<string>`${folders.deletedAt}::text`, parentGone: sql<boolean>`p.deleted_at is not null` })
    .from(folders)
    .leftJoin(sql`folders p`, sql`p.folder_id = ${folders.parentId}`)
    .where(eq(folders.id, id))
  if (!row) throw notFound('folder', id)
  if (row.parentGone) throw refused('Its parent folder is in the trash too: restore that folder first')
  await refuseTwin(db, staff, folder.name, folder.parentId)
  const together = sql`deleted_at = ${row.at}::timestamptz`
  await db.execute(sql`${below(id)} update ${files} set deleted_at = null, version = version + 1
    where folder_id in (select id from below) and ${together}`)
  await db.execute(sql`${below(id)} update ${folders} set deleted_at = null, version = version + 1
    where folder_id in (select id from below) and ${together}`)
  await settle(db, id)
  return findFolder(db, staff, id)
}

const below = (id: number) => sql`with recursive below as (select ${id}::int as id
  union all select f.folder_id from folders f join below on f.parent_id = below.id)`

/** Deletes files after TRASH_DAYS, a thousand at a time, then empty folders and uploads without progress for a day. */
export async function emptyTrash(db: Db): Promise<void> {
  for (let gone = 1000; gone === 1000; )
    gone = await db.transaction(async (tx) => {
      const old = await rows<{ id: number }>(
        tx,
        sql`select file_id as id from files where deleted_at < now() - make_interval(days => ${TRASH_DAYS})
          order by deleted_at limit 1000 for update skip locked`,
      )
      if (old.length)
        await eraseFiles(
          tx,
          old.map(({ id }) => id),
        )
      return old.length
    })
  await db.execute(sql`delete from folders f where f.deleted_at < now() - make_interval(days => ${TRASH_DAYS})
    and not exists (select from files where folder_id = f.folder_id)
    and not exists (select from folders c where c.parent_id = f.folder_id)`)
  await db.execute(sql`delete from file_uploads where touched_at < now() - interval '1 day'`)
}

import type { Attachment } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import type { Served, Upload } from '@innkeeper/contract/kit/transfer'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { readParts } from '../../../kit/storage/storage.ts'
import { addFiles } from '../../files/add.ts'
import { findFiles } from '../../files/view.ts'
import { info } from '../info.ts'
import { record } from '../items/history.ts'
import { readWhole } from '../items/view.ts'
import { type Candidate, check } from './checkFile.ts'
import { filesOf } from './view.ts'

/** Stores uploads as private files of the caller and attaches them. The item exists and is locked. */
export async function attachUploads(
  { db, staff }: Context,
  tracker: Tracker,
  itemId: number,
  uploads: Upload[] = [],
): Promise<void> {
  if (!uploads.length) return
  await check(db, tracker, itemId, uploads, 'files')
  const added = await addFiles(db, staff, { isPrivate: true }, uploads)
  await note(db, staff.id, itemId, added, true)
}

/** Attaches files of the file manager that the caller may open, such as finished uploads. */
async function attachStored(
  { db, staff }: Context,
  tracker: Tracker,
  itemId: number,
  ids: number[] = [],
): Promise<void> {
  const there = new Set((await filesOf(db, itemId)).map(({ id }) => id))
  const wanted = ids.filter((id) => !there.has(id))
  if (!wanted.length) return
  const found = await findFiles(db, staff, wanted, { change: true })
  await check(db, tracker, itemId, found, 'fileIds')
  await note(db, staff.id, itemId, found, false)
}

async function note(
  db: Db,
  by: number,
  itemId: number,
  files: readonly { id: number; name: string }[],
  isOwn: boolean,
): Promise<void> {
  await db.execute(sql`insert into tracker_files (item_id, file_id, is_own, added_by)
    select ${itemId}, id, ${isOwn}, ${by} from unnest(${sql.param(files.map(({ id }) => id))}::int[]) as id`)
  const changes = files.map(({ name }) => ({ field: 'file', before: null, after: name }))
  await record(db, itemId, by, changes)
}

export async function attach(
  context: Context,
  tracker: Tracker,
  { id, files, fileIds }: { id: number; files?: Upload[] | undefined; fileIds?: number[] | undefined },
): Promise<Attachment[]> {
  const { db, audit } = context
  await rows(db, sql`select from tracker_items where tracker_item_id = ${id} for update`)
  const item = await readWhole(db, tracker, id)
  if (item.deletedAt) throw refused(`${item.key} is deleted: restore it first`)
  if (!files?.length && !fileIds?.length) throw refused('No file was sent', { files: 'Required' })
  await attachUploads(context, tracker, id, files)
  await attachStored(context, tracker, id, fileIds)
  const after = await filesOf(db, id)
  audit.before({ title: item.title })
  audit.after({ title: item.title, files: after.map(({ name }) => name) })
  await changed(db, info[tracker].hint, id)
  return after
}

/** Removes files from an item. Files that were uploaded to the item go to the trash of the file manager. */
export async function detach(
  { db, staff, audit }: Context,
  tracker: Tracker,
  id: number,
  ids: number[],
): Promise<void> {
  const item = await readWhole(db, tracker, id)
  const there = await filesOf(db, id)
  const gone = there.filter((file) => ids.includes(file.id))
  const missing = ids.find((one) => !gone.some((file) => file.id === one))
  if (missing !== undefined) throw notFound('file', missing)
  const param = sql.param(ids)
  const own = await rows<{ id: number }>(
    db,
    sql`delete from tracker_files where item_id = ${id} and file_id = any(${param}::int[])
      returning case when is_own then file_id end as id`,
  )
  await db.execute(sql`update files set deleted_at = now(), version = version + 1
    where file_id = any(${sql.param(own.flatMap((row) => row.id ?? []))}::int[])
      and not exists (select from tracker_files o where o.file_id = files.file_id)`)
  const changes = gone.map(({ name }) => ({ field: 'file', before: name, after: null }))
  await record(db, id, staff.id, changes)
  audit.before({ title: item.title, files: gone.map(({ name }) => name) })
  audit.after({ title: item.title, files: [] })
  await changed(db, info[tracker].hint, id)
}

/** Sends a file to a person who may see the item. */
export async function download(
  { db, app }: Context,
  tracker: Tracker,
  { id, fileId, inline }: { id: number; fileId: number; inline?: 'true' | 'false' | undefined },
): Promise<Served> {
  await readWhole(db, tracker, id)
  const [file] = await rows<Candidate & { path: string; sha256: string }>(
    db,
    sql`select f.path, f.name, f.size::float8 as size, f.type, f.sha256 from tracker_files a join files f on f.file_id = a.file_id
      where a.item_id = ${id} and a.file_id = ${fileId} and f.deleted_at is null`,
  )
  if (!file) throw notFound('file', fileId)
  const { path, ...served } = file
  const read = (start: number, end: number) => readParts(app.storage, path, start, end)
  return { ...served, inline: inline === 'true', read }
}

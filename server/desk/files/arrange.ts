import { type files as contract, DEPTH, type Folder, type StoredFile } from '@innkeeper/contract/desk/files'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import { and, eq, isNull, ne, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { askFirst, hiddenBelow, notifyOwners, publishedIn } from './publish.ts'
import { files, folders } from './tables.ts'
import { findFile, findFolder, readFiles, selectFolders } from './view.ts'

/** Advisory lock on changes of the tree: two moves at once could make folders each other's parents. */
const ARRANGING = 4_400_011

/** Renames, moves, hides or shows a file. 409 with the stored row for a stale `version`. */
export async function updateFile(
  db: Db,
  staff: Staff,
  { id, version, publishes, ...change }: Input<typeof contract.update, 'out'>,
): Promise<{ before: StoredFile; after: StoredFile }> {
  const before = await findFile(db, staff, id, { change: true })
  if (version !== undefined && version !== before.version)
    throw conflict('Somebody else has changed it meanwhile', { current: before })
  if (change.folderId) await findFolder(db, staff, change.folderId)
  if (change.isPrivate !== undefined && change.isPrivate !== before.isPrivate) refuseForeign(staff, before)
  const [row] = await db
    .update(files)
    .set({ ...change, version: sql`${files.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(files.id, id), eq(files.version, before.version), isNull(files.deletedAt)))
    .returning({ id: files.id })
  if (!row) throw conflict('Somebody else has changed it meanwhile', { current: await findFile(db, staff, id) })
  const [after = before] = await readFiles(db, staff, [id])
  const published = before.hidden && !after.hidden ? [after] : []
  // whoever makes this very file public has said so
  if (change.isPrivate !== false) askFirst(published, publishes)
  await notifyOwners(db, staff, published)
  return { before, after }
}

export async function createFolder(
  db: Db,
  staff: Staff,
  { name, parentId, private: hidden = false }: Input<typeof contract.createFolder, 'out'>,
): Promise<Folder> {
  await arrange(db)
  const parent = parentId ? await findFolder(db, staff, parentId) : undefined
  await refuseTwin(db, staff, name, parent?.id ?? null)
  if (parent) await refuseDeep(db, parent.id, 1)
  const [row] = await db
    .insert(folders)
    .values({
      name,
      parentId: parent?.id,
      private: hidden,
      hidden: hidden || (parent?.hidden ?? false),
      ownerId: staff.id,
      createdBy: staff.id,
    })
    .returning({ id: folders.id })
  return findFolder(db, staff, row?.id ?? 0)
}

/** Renames, moves, hides or shows a folder; its content becomes hidden or public with it. */
export async function updateFolder(
  db: Db,
  staff: Staff,
  { id, version, publishes, ...change }: Input<typeof contract.updateFolder, 'out'>,
): Promise<{ before: Folder; after: Folder }> {
  await arrange(db)
  const before = await findFolder(db, staff, id)
  if (version !== undefined && version !== before.version)
    throw conflict('Somebody else has changed it meanwhile', { current: before })
  const parentId = change.parentId === undefined ? before.parentId : change.parentId
  if (parentId !== null && parentId !== before.parentId) {
    await findFolder(db, staff, parentId)
    await refuseOwnChild(db, id, parentId)
    await refuseDeep(db, parentId, await heightOf(db, id))
  }
  const name = change.name ?? before.name
  if (name !== before.name || parentId !== before.parentId) await refuseTwin(db, staff, name, parentId, id)
  if (change.private !== undefined && change.private !== before.private) refuseForeign(staff, before)
  const wereHidden = await hiddenBelow(db, id)
  await db
    .update(folders)
    .set({ ...change, version: sql`${folders.version} + 1`, updatedAt: sql`now()` })
    .where(eq(folders.id, id))
  await settle(db, id)
  const published = await publishedIn(db, wereHidden)
  askFirst(published, publishes)
  await notifyOwners(db, staff, published)
  // read as administrator: below a hidden folder, the folder of somebody else is hidden from the caller
  const [after] = await selectFolders(db, { ...staff, isAdmin: true }, eq(folders.id, id))
  return { before, after: after ?? before }
}

/** Only the owner or an administrator may hide or show a file or folder. */
function refuseForeign(staff: Staff, { ownerId, ownerName }: { ownerId: number; ownerName: string }): void {
  if (ownerId === staff.id || staff.isAdmin) return
  throw refused(`Only ${ownerName} or an administrator may hide or show it`)
}

/** Locks the tree of folders until the transaction ends. */
export const arrange = (db: Db) => db.execute(sql`select pg_advisory_xact_lock(${ARRANGING})`)

/** Recalculates `hidden` of a folder and of all folders below it. */
export async function settle(db: Db, id: number): Promise<void> {
  await db.execute(sql`with recursive tree as (
      select f.folder_id, f.private or coalesce(p.hidden, false) as hidden
        from folders f left join folders p on p.folder_id = f.parent_id where f.folder_id = ${id}
      union all
      select c.folder_id, c.private or tree.hidden from folders c join tree on c.parent_id = tree.folder_id)
    update folders f set hidden = tree.hidden from tree where f.folder_id = tree.folder_id and f.hidden <> tree.hidden`)
}

/**
 * 409 if a sibling folder has the name. Ignores folders that the caller may not see, so that the error does not reveal
 * them.
 */
export async function refuseTwin(db: Db, staff: Staff, name: string, parentId: number | null, but = 0): Promise<void> {
  const beside = parentId === null ? isNull(folders.parentId) : eq(folders.parentId, parentId)
  const same = sql`lower(${folders.name}) = ${name.toLowerCase()}`
  const [twin] = await selectFolders(db, staff, and(beside, same, isNull(folders.deletedAt), ne(folders.id, but)))
  if (twin) throw conflict('That name is taken', { fields: { name: 'A folder of this name exists here' } })
}

async function refuseOwnChild(db: Db, id: number, parentId: number): Promise<void> {
  const [inside] = await rows(
    db,
    sql`with recursive up as (select ${parentId}::int as id union select f.parent_id from folders f join up on f.folder_id = up.id)
      select 1 from up where id = ${id}`,
  )
  if (inside) throw refused('A folder cannot be inside itself', { parentId: 'Is inside this folder' })
}

async function refuseDeep(db: Db, parentId: number, more: number): Promise<void> {
  const [above] = await rows<{ n: number }>(
    db,
    sql`with recursive up as (select ${parentId}::int as id union select f.parent_id from folders f join up on f.folder_id = up.id)
      select count(id)::int as n from up`,
  )
  if ((above?.n ?? 0) + more > DEPTH) throw refused(`Folders can be ${DEPTH} levels deep`, { parentId: 'Too deep' })
}

async function heightOf(db: Db, id: number): Promise<number> {
  const [found] = await rows<{ n: number }>(
    db,
    sql`with recursive down as (select ${id}::int as id, 1 as level
        union all select f.folder_id, level + 1 from folders f join down on f.parent_id = down.id)
      select max(level)::int as n from down`,
  )
  return found?.n ?? 1
}

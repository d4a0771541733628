import type { files as contract, PublicFile } from '@innkeeper/contract/desk/files'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { contains, inOrder, pageKeys } from '../../kit/db/page.ts'
import { filesInFolders, isLive, isPublic, isShared, mayOpen, visitor } from './rights.ts'
import { files } from './tables.ts'
import { findFolder, foldersBelow, parentsOf, readFiles } from './view.ts'

const sorts = {
  name: { column: sql`lower(${files.name})`, type: 'text', direction: 'ASC' },
  size: { column: files.size, type: 'int', direction: 'DESC' },
  createdAt: { column: files.createdAt, type: 'instant', direction: 'DESC' },
} as const

type Listing = Omit<Input<typeof contract.list, 'out'>, 'view' | 'folderId' | 'ownerId'>

/** Keys of one page, with the filters of the caller. */
function page(db: Db, input: Listing, where: SQL[]) {
  if (input.search) where.push(contains(files.name, input.search))
  if (input.kind) where.push(inArray(files.kind, input.kind))
  const order = sorts[input.sort ?? 'name']
  return pageKeys(db, input, { from: filesInFolders, where, key: files.id, order })
}

const inFolder = (id: number) => sql`coalesce(${files.folderId}, 0) = ${id}`

/** Files of all folders: all files that the caller may open, own files, shared files, or the trash. */
export async function listFiles(
  db: Db,
  staff: Staff,
  input: Input<typeof contract.list, 'out'>,
): Promise<Output<typeof contract.list>> {
  const view = input.view ?? 'all'
  const where = [view === 'trash' ? sql`${files.deletedAt} is not null` : isLive]
  if (view === 'shared') where.push(isShared(staff), sql`${files.ownerId} <> ${staff.id}`)
  else if (view === 'mine') where.push(eq(files.ownerId, staff.id))
  else where.push(mayOpen(staff))
  if (input.folderId !== undefined) where.push(inFolder(input.folderId === 'root' ? 0 : input.folderId))
  if (input.ownerId) where.push(inArray(files.ownerId, input.ownerId))
  const { ids, ...rest } = await page(db, input, where)
  return { items: await readFiles(db, staff, ids), ...rest }
}

/** A folder or the top level: its parents, its folders and a page of its files. */
export async function folderContent(
  db: Db,
  staff: Staff,
  id: number | null,
  input: Listing,
): Promise<Output<typeof contract.root>> {
  const folder = id === null ? null : await findFolder(db, staff, id)
  const { ids, ...rest } = await page(db, input, [isLive, inFolder(id ?? 0), mayOpen(staff)])
  return {
    id,
    name: folder?.name ?? 'Files',
    folder,
    parents: await parentsOf(db, staff, id),
    folders: await foldersBelow(db, staff, id),
    items: await readFiles(db, staff, ids),
    ...rest,
  }
}

/** The public content of a folder, without hidden items and owners; hidden items are not even counted. */
export async function publicContent(
  db: Db,
  { folderId, ...input }: Input<typeof contract.publicFolder, 'out'>,
): Promise<Output<typeof contract.publicFolder>> {
  const id = folderId ?? null
  const folder = id === null ? null : await findFolder(db, visitor, id)
  const { ids, ...rest } = await page(db, input, [isLive, inFolder(id ?? 0), isPublic])
  const folders = await foldersBelow(db, visitor, id)
  return {
    id,
    name: folder?.name ?? 'Files',
    parents: await parentsOf(db, visitor, id),
    folders: folders.map(({ id, name, hidden }) => ({ id, name, private: hidden })),
    items: await readPublic(db, ids),
    ...rest,
  }
}

const { id, name, path, size, type, kind, createdAt } = files
const selectPublic = byIds((db, isWanted) =>
  db.select({ id, name, path, size, type, kind, createdAt }).from(files).where(isWanted(id)),
)

const readPublic = async (db: Db, ids: number[]): Promise<PublicFile[]> => inOrder(ids, await selectPublic(db, ids))

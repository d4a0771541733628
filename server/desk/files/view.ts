import type { Folder, StoredFile } from '@innkeeper/contract/desk/files'
import { and, type Column, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { users } from '../../access/users/tables.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { statement } from '../../kit/db/driver/prepared.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { anybody, isHidden, mayChangeFile, mayOpen, maySeeFolder, type Viewer, valuesOf } from './rights.ts'
import { fileAccess, files, folders } from './tables.ts'

const ownerName = sql<string>`${users.firstName} || ' ' || ${users.lastName}`

const fields = {
  id: files.id,
  version: files.version,
  createdAt: files.createdAt,
  updatedAt: files.updatedAt,
  name: files.name,
  path: files.path,
  size: files.size,
  type: files.type,
  kind: files.kind,
  sha256: files.sha256,
  folderId: files.folderId,
  folder: { id: folders.id, name: folders.name, private: folders.hidden, ownerId: folders.ownerId },
  ownerId: files.ownerId,
  ownerName,
  isPrivate: files.isPrivate,
  hidden: isHidden,
  grants: sql<number>`(select count(*)::int from ${fileAccess} where ${fileAccess.fileId} = ${files.id}
    and (${fileAccess.expiresAt} is null or ${fileAccess.expiresAt} > now()))`,
  deletedAt: files.deletedAt,
}
const select = (db: Db, where: SQL | undefined) =>
  db
    .select(fields)
    .from(files)
    .innerJoin(users, eq(users.id, files.ownerId))
    .leftJoin(folders, eq(folders.id, files.folderId))
    .where(where)
const selectByIds = byIds((db, isWanted) => select(db, isWanted(files.id)))
const selectOpen = byIds((db, isWanted) =>
  select(db, and(isWanted(files.id), isTrashed(files.deletedAt), mayOpen(anybody))),
)
const isTrashed = (deletedAt: Column) => sql`(${deletedAt} is not null) = ${sql.placeholder('trashed')}`

/** Files in the order of `ids`. The query that found the ids has checked the access. */
export const readFiles = async (db: Db, staff: Staff, ids: number[]): Promise<StoredFile[]> =>
  inOrder(ids, shownTo(staff, await selectByIds(db, ids)))

type Row = Awaited<ReturnType<typeof selectByIds>>[number]

const shownTo = (staff: Staff, found: Row[]): StoredFile[] =>
  found.map(({ folder, ...file }) => ({
    ...file,
    folder: folder && placeFor(staff, folder),
    mayChange: mayChangeFile(staff, file),
  }))

/** A file that is shared from a hidden folder does not tell the name of the folder. */
function placeFor({ id: staffId, isAdmin }: Staff, { ownerId, ...folder }: NonNullable<Row['folder']>) {
  const isShown = !folder.private || ownerId === staffId || isAdmin
  return isShown ? folder : { ...folder, name: 'Private folder' }
}

interface Asked {
  /** Requires the right to change the file. */
  change?: boolean
  trashed?: boolean
}

/** A file that the caller may open; 404 otherwise, 422 if `change` is required and the caller may only open it. */
export async function findFile(db: Db, staff: Staff, id: number, asked: Asked = {}): Promise<StoredFile> {
  const [file] = await findFiles(db, staff, [id], asked)
  if (!file) throw notFound('file', id)
  return file
}

/** All requested files; 404 with the first missing id. */
export async function findFiles(
  db: Db,
  staff: Staff,
  ids: number[],
  { change = false, trashed = false }: Asked = {},
): Promise<StoredFile[]> {
  const wanted = [...new Set(ids)]
  const open = await selectOpen(db, wanted, { ...valuesOf(staff), trashed })
  const found = inOrder(wanted, shownTo(staff, open))
  const missing = wanted.find((id) => !found.some((file) => file.id === id))
  if (missing !== undefined) throw notFound('file', missing)
  const foreign = change ? found.find((file) => !file.mayChange) : undefined
  if (foreign) throw refused(`${foreign.name} is private: only ${foreign.ownerName} or an administrator may do that`)
  return found
}

const folderFields = {
  id: folders.id,
  version: folders.version,
  createdAt: folders.createdAt,
  updatedAt: folders.updatedAt,
  name: folders.name,
  parentId: folders.parentId,
  private: folders.private,
  hidden: folders.hidden,
  ownerId: folders.ownerId,
  ownerName,
}
const queryFolders = (db: Db, where: SQL | undefined) =>
  db
    .select(folderFields)
    .from(folders)
    .innerJoin(users, eq(users.id, folders.ownerId))
    .where(where)
    .orderBy(sql`lower(${folders.name})`, folders.id)
    .limit(1000)

/** Folders that the caller may see, by name. */
export const selectFolders = (db: Db, staff: Viewer, where: SQL | undefined): Promise<Folder[]> =>
  queryFolders(db, and(where, maySeeFolder(staff)))

const folderById = statement((db) =>
  queryFolders(
    db,
    and(eq(folders.id, sql.placeholder('id')), isTrashed(folders.deletedAt), maySeeFolder(anybody)),
  ).prepare('folder_by_id'),
)
const below = (parent: SQL, name: string) =>
  statement((db) => queryFolders(db, and(parent, isNull(folders.deletedAt), maySeeFolder(anybody))).prepare(name))
const topFolders = below(isNull(folders.parentId), 'top_folders')
const foldersIn = below(eq(folders.parentId, sql.placeholder('id')), 'folders_in')

/** Subfolders of a folder, or the folders of the top level, by name: those that the caller may see. */
export const foldersBelow = (db: Db, staff: Viewer, id: number | null): Promise<Folder[]> =>
  id === null ? topFolders(db).execute(valuesOf(staff)) : foldersIn(db).execute({ ...valuesOf(staff), id })

/** A folder that the caller may see; 404 otherwise. */
export async function findFolder(db: Db, staff: Viewer, id: number, trashed = false): Promise<Folder> {
  const [folder] = await folderById(db).execute({ ...valuesOf(staff), id, trashed })
  if (!folder) throw notFound('folder', id)
  return folder
}

const foldersAbove = statement((db) =>
  db
    .select({ id: folders.id, name: folders.name, private: folders.hidden })
    .from(folders)
    .innerJoin(
      sql`(with recursive up as (select f.parent_id as id, 1 as level from folders f
          where f.folder_id = ${sql.placeholder('id')}
        union all select f.parent_id, up.level + 1 from folders f join up on up.id = f.folder_id)
        select id, level from up where id is not null) above`,
      sql`above.id = ${folders.id}`,
    )
    .where(maySeeFolder(anybody))
    .orderBy(sql`above.level desc`)
    .prepare('folders_above'),
)

/** Parents of a folder that the caller may see, from the top. */
export const parentsOf = async (db: Db, staff: Viewer, id: number | null) =>
  id === null ? [] : foldersAbove(db).execute({ ...valuesOf(staff), id })

import type { StoredFile } from '@innkeeper/contract/desk/files'
import type { Upload } from '@innkeeper/contract/kit/transfer'
import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import type { Db } from '../../kit/db/db.ts'
import { type Grantee, grantTo, notifyOfGrant } from './grants.ts'
import { files } from './tables.ts'
import { findFolder, readFiles } from './view.ts'

/** Folder and permissions of new files. */
export interface Place {
  folderId?: number | undefined
  isPrivate: boolean
  access?: Grantee[] | undefined
}

/** Turns uploads of a form or a finished resumable upload into files of the caller. */
export async function addFiles(db: Db, staff: Staff, place: Place, uploads: Upload[]): Promise<StoredFile[]> {
  if (place.folderId) await findFolder(db, staff, place.folderId)
  const added: number[] = []
  for (const { key, name, size, type, sha256 } of uploads) {
    const [row] = await db
      .insert(files)
      .values({
        name: await freeName(db, place.folderId, name),
        path: key,
        size,
        type,
        kind: kindOf(type),
        sha256,
        folderId: place.folderId,
        ownerId: staff.id,
        isPrivate: place.isPrivate,
        createdBy: staff.id,
      })
      .returning({ id: files.id })
    if (row) added.push(row.id)
  }
  const told = uploads.length === 1 ? uploads[0]!.name : `${uploads.length} files`
  for (const grantee of place.access ?? []) {
    for (const fileId of added) await grantTo(db, staff, { fileId, ...grantee }, false)
    await notifyOfGrant(db, staff, grantee, told)
  }
  return readFiles(db, staff, added)
}

/** `plan.pdf`, or `plan (2).pdf` if the folder has a file of that name: no file is overwritten. */
async function freeName(db: Db, folderId: number | undefined, name: string): Promise<string> {
  const [, stem = name, end = ''] = /^(.+?)(\.[^.]{1,20})?$/.exec(name) ?? []
  const there = (candidates: string[]) =>
    db
      .select({ name: sql<string>`lower(${files.name})` })
      .from(files)
      .where(
        and(
          sql`coalesce(${files.folderId}, 0) = ${folderId ?? 0}`,
          inArray(
            sql`lower(${files.name})`,
            candidates.map((one) => one.toLowerCase()),
          ),
          isNull(files.deletedAt),
        ),
      )
  if (!(await there([name])).length) return name
  const numbered = Array.from({ length: 200 }, (_, n) => `${stem.slice(0, 180)} (${n + 2})${end}`)
  const taken = new Set((await there(numbered)).map((row) => row.name))
  return numbered.find((one) => !taken.has(one.toLowerCase())) ?? `${stem.slice(0, 160)} ${Date.now()}${end}`
}

/** Kind of a file by its detected type. */
export function kindOf(type: string): StoredFile['kind'] {
  if (type === 'application/pdf') return 'pdf'
  if (type === 'image/svg+xml' || type === 'text/html' || type.endsWith('xml')) return 'text'
  if (type.startsWith('image/')) return 'picture'
  if (/^(audio|video)\//.test(type)) return 'media'
  if (type.startsWith('text/')) return 'text'
  return /zip|zstd|tar|7z|xz/.test(type) ? 'archive' : 'other'
}

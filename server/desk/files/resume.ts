import { createHash, randomUUID } from 'node:crypto'
import type { files as contract } from '@innkeeper/contract/desk/files'
import type { Input, Output } from '@innkeeper/contract/kit/endpoint'
import { and, eq, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import { cleanName } from '../../kit/http/upload.ts'
import { beginBlob, leaveBlobs, plainly, tooLarge } from '../../kit/storage/blobs.ts'
import { HEAD, typeOf } from '../../kit/storage/fileType.ts'
import { PART, readParts, writeParts } from '../../kit/storage/storage.ts'
import { blobs } from '../../kit/storage/tables.ts'
import { checkGrantee } from './grants.ts'
import { fileUploads } from './tables.ts'
import { findFolder } from './view.ts'

type Unfinished = Output<typeof contract.uploadState>
type Row = typeof fileUploads.$inferSelect

const DAY_MS = 86_400_000

export async function beginUpload(
  db: Db,
  staff: Staff,
  { name, size, folderId, isPrivate, access = [] }: Input<typeof contract.beginUpload, 'out'>,
): Promise<Unfinished> {
  if (folderId) await findFolder(db, staff, folderId)
  for (const grantee of access) await checkGrantee(db, grantee) // now, and not after a day of bytes
  const known = cleanName(name)
  const key = await beginBlob(db, { name: known, type: 'application/octet-stream' })
  const [row] = await db
    .insert(fileUploads)
    .values({ key, name: known, size, folderId, isPrivate, access, ownerId: staff.id })
    .returning()
  if (!row) throw notFound('upload')
  return unfinished(row)
}

export const unfinished = ({ id, name, size, offset, touchedAt }: Row): Unfinished => ({
  id,
  name,
  size,
  offset,
  expiresAt: new Date(Date.parse(touchedAt) + DAY_MS).toISOString(),
})

/** An upload of the caller; 404 for an upload of somebody else. */
export async function findUpload(db: Db, staff: Staff, id: number): Promise<Row> {
  const [row] = await db
    .select()
    .from(fileUploads)
    .where(and(eq(fileUploads.id, id), eq(fileUploads.ownerId, staff.id)))
  if (!row) throw notFound('upload', id)
  return row
}

export const uploadsOf = async (db: Db, staff: Staff): Promise<Unfinished[]> => {
  const found = await db
    .select()
    .from(fileUploads)
    .where(eq(fileUploads.ownerId, staff.id))
    .orderBy(fileUploads.id)
    .limit(200)
  return found.map(unfinished)
}

export async function cancelUpload(db: Db, staff: Staff, id: number): Promise<Row> {
  const row = await findUpload(db, staff, id)
  await db.delete(fileUploads).where(eq(fileUploads.id, id))
  await leaveBlobs(db, [row.key])
  return row
}

/**
 * Appends bytes at `offset`. Each complete part is stored and counted; an incomplete part has to be sent again. A newer
 * request takes over: the previous one, whose connection may be dead, stops at its next part.
 */
export async function continueUpload(
  { db, storage }: App,
  staff: Staff,
  { id, offset, content }: Input<typeof contract.continueUpload, 'out'>,
): Promise<Row> {
  const writer = randomUUID()
  const row = await findUpload(db, staff, id)
  if (row.offset !== offset) throw conflict(`Continue from byte ${row.offset}`, { current: unfinished(row) })
  if (row.offset === row.size) return row
  await db.update(fileUploads).set({ writer }).where(eq(fileUploads.id, id))
  const mine = and(eq(fileUploads.id, id), eq(fileUploads.writer, writer))
  const landed = async (written: number) => {
    const touched = sql`now()`
    const [still] = await db
      .update(fileUploads)
      .set({ offset: offset + written, touchedAt: touched })
      .where(mine)
      .returning({ id: fileUploads.id })
    if (!still) throw conflict('Another request continues this upload')
    await db
      .update(blobs)
      .set({ size: offset + written, touchedAt: touched })
      .where(eq(blobs.key, row.key))
  }
  await plainly(writeParts(storage, row.key, wholeParts(content, row.size - offset), landed, offset / PART)).catch(
    (error: unknown) => {
      if (!(error instanceof Short)) throw error
    },
  )
  return findUpload(db, staff, id)
}

/** The request ended within a part. Stored parts are kept, and the answer contains the offset. */
class Short extends Error {}

async function* wholeParts(bytes: AsyncIterable<Uint8Array>, missing: number) {
  let seen = 0
  for await (const chunk of bytes) {
    seen += chunk.length
    if (seen > missing) throw tooLarge('More bytes than announced', 'content')
    yield chunk
  }
  if (seen < missing) throw new Short('not the whole of it')
}

/** Detects type and hash of a complete upload by reading it from storage, which also proves that it is readable. */
export async function examine({ storage }: App, { key, size, name }: Row) {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  for await (const chunk of readParts(storage, key, 0, size - 1)) {
    if (head.length < HEAD) head = Buffer.concat([head, chunk.subarray(0, HEAD - head.length)])
    hash.update(chunk)
  }
  return { key, size, name, sha256: hash.digest('hex'), type: typeOf(head) }
}

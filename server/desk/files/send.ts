import type { Served } from '@innkeeper/contract/kit/transfer'
import { and, eq } from 'drizzle-orm'
import type { Context } from '../../kit/http/api.ts'
import { notFound } from '../../kit/http/errors.ts'
import { readParts } from '../../kit/storage/storage.ts'
import { blobs } from '../../kit/storage/tables.ts'
import { isLive, isPublic, mayOpen } from './rights.ts'
import { fileDownloads, files, folders } from './tables.ts'

interface Asked {
  path: string
  inline?: 'true' | 'false' | undefined
}
const HOUR = 3600

/** Sends a file that the caller may open at this moment; 404 otherwise. */
export async function sendPrivate({ path, inline }: Asked, context: Context): Promise<Served> {
  const file = await findByPath(context, path, mayOpen(context.staff))
  if (!file) throw notFound('file')
  return served(context, file, inline === 'true')
}

/** Sends a file that is not hidden, or an open blob, for example an avatar. */
export async function sendPublic({ path, inline }: Asked, context: Context): Promise<Served> {
  const file = await findByPath(context, path, isPublic)
  if (file) return served(context, file, inline === 'true')
  const { db, app } = context
  const [blob] = await db
    .select()
    .from(blobs)
    .where(and(eq(blobs.key, keyOf(path)), eq(blobs.open, true), eq(blobs.state, 'kept')))
  if (!blob) throw notFound('file')
  const { key, name, type, size, sha256 } = blob
  const read = (start: number, end: number) => readParts(app.storage, key, start, end)
  // cacheable, because a new picture has a new address
  return { name, type, size, sha256, inline: true, keep: HOUR, read }
}

/** Key in a path; the name after the key is for human readers only. */
const keyOf = (path: string) => path.slice(0, 32)

async function findByPath({ db }: Context, path: string, may: ReturnType<typeof mayOpen>) {
  const { id, name, type, size, sha256 } = files
  const [file] = await db
    .select({ id, path: files.path, name, type, size, sha256 })
    .from(files)
    .leftJoin(folders, eq(folders.id, files.folderId))
    .where(and(eq(files.path, keyOf(path)), isLive, may))
  return file
}

/** Serves a file and logs a download when its first byte is read; without the log row no bytes are sent. */
function served(
  { db, app, staff, request }: Context,
  { id, path, ...file }: { id: number; path: string; name: string; type: string; size: number; sha256: string },
  inline: boolean,
): Served {
  async function* read(start: number, end: number) {
    if (start === 0) await db.insert(fileDownloads).values({ fileId: id, staffId: staff.id || null, ip: request.ip })
    yield* readParts(app.storage, path, start, end)
  }
  return { ...file, inline, read }
}

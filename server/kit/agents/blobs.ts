import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { blobKey } from '@innkeeper/contract/kit/values'
import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { App } from '../app/app.ts'
import { type Db, rows } from '../db/db.ts'
import { begun } from '../http/download.ts'
import { conflict, invalid, notFound, refused } from '../http/errors.ts'
import { plainly } from '../storage/blobs.ts'
import { Missing, PART, readParts, writeParts } from '../storage/storage.ts'
import { blobs } from '../storage/tables.ts'

const offset = z.coerce.number().int().min(0)
const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/**
 * Transfers files between Innkeeper's storage and a managed server. An agent can access a file only while it runs an
 * operation whose input names the file. Interrupted transfers continue where they stopped, in both directions.
 */
export function serveBlobs(
  server: FastifyInstance,
  app: App,
  caller: (request: FastifyRequest) => Promise<number>,
): void {
  server.addContentTypeParser('application/octet-stream', (_: unknown, body: unknown, done) => done(null, body))

  server.get('/agent/blobs/:key', async (request, reply) => {
    const { key, size } = await named(app, await caller(request), request, 'receives')
    const from = read(z.object({ offset }), request.query).offset
    if (from > size) throw invalid({ offset: 'Beyond the end' })
    const bytes = from === size ? undefined : await begun('The file', readParts(app.storage, key, from, size - 1))
    reply.type('application/octet-stream').header('content-length', size - from)
    return reply.send(bytes ? Readable.from(bytes, { objectMode: false }) : '')
  })
  server.post('/agent/blobs/:key/offset', async (request) => {
    const { size } = await named(app, await caller(request), request, 'sends')
    return { offset: size }
  })
  server.post('/agent/blobs/:key', async (request) => {
    const { key, size } = await named(app, await caller(request), request, 'sends')
    const wanted = read(z.object({ offset, size: offset }), request.query)
    if (wanted.offset !== size || size % PART !== 0) throw conflict(`Continue from byte ${size}`)
    const landed = async (written: number) => {
      await app.db
        .update(blobs)
        .set({ size: size + written, touchedAt: sql`now()` })
        .where(eq(blobs.key, key))
    }
    // stores only complete parts and the last one, because a broken connection ends within a part
    const whole = wholeParts(request.body as Readable, wanted.size - size) // the parser above passes the stream
    await plainly(writeParts(app.storage, key, whole, landed, size / PART)).catch((error: unknown) => {
      if (!(error instanceof Short)) throw error
    })
    return { offset: await sizeOf(app.db, key) }
  })
  server.post('/agent/blobs/:key/whole', async (request) => {
    const { key, size } = await named(app, await caller(request), request, 'sends')
    const wanted = read(z.object({ size: offset, sha256 }), request.query)
    if (wanted.size !== size) throw conflict(`Only ${size} bytes are here`)
    const sum = await sumOf(readParts(app.storage, key, 0, size - 1))
    if (sum !== wanted.sha256) {
      await app.db.update(blobs).set({ size: 0 }).where(eq(blobs.key, key))
      throw refused('The bytes differ from those that were announced: send them again')
    }
    await app.db.update(blobs).set({ sha256: wanted.sha256, touchedAt: sql`now()` }).where(eq(blobs.key, key))
    return { offset: size }
  })
}

/**
 * Thrown when the connection ended within a part. Stored parts stay, and the answer has the offset to continue from.
 */
class Short extends Error {}

async function* wholeParts(bytes: AsyncIterable<Uint8Array>, missing: number) {
  let seen = 0
  for await (const chunk of bytes) {
    seen += chunk.length
    if (seen > missing) throw invalid({ size: 'More than was announced' })
    yield chunk
  }
  if (seen < missing) throw new Short('not the whole of it')
}

/** The checksum of stored bytes; undefined if the store has lost some, which are sent again like changed ones. */
async function sumOf(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const part of bytes) hash.update(part)
  } catch (error) {
    if (error instanceof Missing) return undefined
    throw error
  }
  return hash.digest('hex')
}

type Way = 'receives' | 'sends'
const places: Record<Way, ReturnType<typeof sql>> = {
  receives: sql`input -> 'blob' ->> 'key'`,
  sends: sql`coalesce(input -> 'sent' ->> 'key', input ->> 'key')`,
}

/** The file that a running operation of this server names; 404 for any other. */
async function named({ db }: App, serverId: number, request: FastifyRequest, way: Way) {
  const key = blobKey.safeParse((request.params as { key?: string }).key).data // the path has this parameter
  const [found] = key
    ? await rows<{ key: string; size: number }>(
        db,
        sql`select b.key, b.size::float8 as size from blobs b where b.key = ${key} and b.state <> 'gone'
          and exists (select from actions a where a.server_id = ${serverId} and a.status = 'running'
            and a.task = 'run' and ${places[way]} = b.key)`,
      )
    : []
  if (!found) throw notFound('file')
  return found
}

async function sizeOf(db: Db, key: string): Promise<number> {
  const [found] = await db.select({ size: blobs.size }).from(blobs).where(eq(blobs.key, key))
  return found?.size ?? 0
}

function read<S extends z.ZodType>(schema: S, query: unknown): z.output<S> {
  const result = schema.safeParse(query)
  if (result.success) return result.data
  throw invalid(Object.fromEntries(result.error.issues.map(({ path, message }) => [path.join('.'), message])))
}

import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { StoredFile } from '@innkeeper/contract/desk/files'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { sweepBlobs } from '../../../kit/storage/blobs.ts'
import { PART } from '../../../kit/storage/storage.ts'
import { blobs } from '../../../kit/storage/tables.ts'
import { fileUploads } from '../tables.ts'
import { emptyTrash } from '../trash.ts'
import { ask, at, base, kari, lars, t } from './files.ts'

describe('an interrupted upload', () => {
  const bytes = randomBytes(2 * PART + 4321)
  const begin = async (size = bytes.length) =>
    (await ask(kari, 'POST', 'uploads', { name: 'disk.img', size, isPrivate: true })).body as {
      id: number
      offset: number
    }
  const state = async (id: number) => (await ask(kari, 'GET', `uploads/${id}`)).body as { offset: number }
  const put = (id: number, offset: number, body: Buffer) =>
    fetch(`${base}${at}/uploads/${id}?offset=${offset}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${kari.token}`, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(body),
    }).then(async (answer) => ({
      status: answer.status,
      body: (await answer.json()) as { offset: number; file: StoredFile | null; current?: unknown },
    }))
  /** Sends a part with some bytes of the next one, and breaks the connection once the part is stored. */
  const cut = async (id: number, offset: number) => {
    const sending = request(`${base}${at}/uploads/${id}?offset=${offset}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${kari.token}`,
        'content-type': 'application/octet-stream',
        'content-length': bytes.length - offset,
      },
    })
    sending.on('error', () => {}) // the connection is broken below
    sending.write(bytes.subarray(offset, offset + PART + 1000))
    await expect.poll(async () => (await state(id)).offset).toBe(offset + PART)
    sending.destroy()
  }

  it('continues from its last stored part, repeatedly, to the same bytes', async () => {
    const { id } = await begin()
    await cut(id, 0)
    const wrong = await put(id, 0, bytes)
    expect(wrong).toMatchObject({
      status: 409,
      body: { message: `Continue from byte ${PART}`, current: { offset: PART } },
    })
    const short = await put(id, PART, bytes.subarray(PART, 2 * PART + 50))
    expect(short).toMatchObject({ status: 200, body: { offset: 2 * PART, file: null } })
    const done = await put(id, 2 * PART, bytes.subarray(2 * PART))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(done).toMatchObject({
      status: 200,
      body: { file: { name: 'disk.img', size: bytes.length, sha256, isPrivate: true } },
    })
    const got = await fetch(`${base}${at}/private/${done.body.file!.path}`, {
      headers: { authorization: `Bearer ${kari.token}` },
    })
    expect(
      createHash('sha256')
        .update(Buffer.from(await got.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256)
    expect((await ask(kari, 'GET', `uploads/${id}`)).status).toBe(404)
  })
  it('that was cut after its last byte is completed by a repeated request', async () => {
    const { id } = await begin(5)
    await t.app.storage.write((await rowOf(id)).key, 0, [Buffer.from('12345')] as unknown as AsyncIterable<Uint8Array>)
    await t.app.db.execute(sql`update file_uploads set "offset" = 5 where file_upload_id = ${id}`)
    expect((await put(id, 5, Buffer.alloc(0))).body.file).toMatchObject({ size: 5, kind: 'text' })
  })
  it('accepts only the announced size, belongs to one person, and can be cancelled', async () => {
    const { id } = await begin(3)
    expect((await put(id, 0, Buffer.from('12345'))).status).toBe(413)
    expect((await ask(lars, 'GET', `uploads/${id}`)).status).toBe(404)
    expect((await ask(lars, 'DELETE', `uploads/${id}`)).status).toBe(404)
    expect((await ask(kari, 'GET', 'uploads')).body).toContainEqual(expect.objectContaining({ id, offset: 0 }))
    expect((await ask(kari, 'DELETE', `uploads/${id}`)).status).toBe(204)
    expect((await ask(kari, 'POST', 'uploads', { name: 'x', size: 6 * 1024 ** 3, isPrivate: true })).status).toBe(400)
  })
  it('is deleted after a day without progress', async () => {
    const { id } = await begin()
    await cut(id, 0)
    const { key } = await rowOf(id)
    await t.app.db.execute(
      sql`update file_uploads set touched_at = now() - interval '25 hours' where file_upload_id = ${id}`,
    )
    await t.app.db.execute(sql`update blobs set touched_at = now() - interval '25 hours' where key = ${key}`)
    await emptyTrash(t.app.db)
    await sweepBlobs(t.app)
    expect((await ask(kari, 'GET', `uploads/${id}`)).status).toBe(404)
    expect(await t.app.db.$count(blobs, eq(blobs.key, key))).toBe(0)
  })
  const rowOf = async (id: number) => (await t.app.db.select().from(fileUploads).where(eq(fileUploads.id, id)))[0]!
})

import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request as ask } from 'node:http'
import { get, patch, post } from '@innkeeper/contract/kit/endpoint'
import { binary, file, files, MiB, pictures, type Upload } from '@innkeeper/contract/kit/transfer'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { keepBlobs, leaveBlobs, sweepBlobs } from '../storage/blobs.ts'
import { Full, PART, readParts, type Storage } from '../storage/storage.ts'
import { blobs } from '../storage/tables.ts'
import { bind } from './api.ts'
import { refused } from './errors.ts'

/** Tests uploads over a real port. */
const Sent = z.object({ key: z.string(), size: z.int(), sha256: z.string(), name: z.string(), type: z.string() })
const calls = {
  picture: patch('/test/people/:id/picture', 'signedIn', {
    summary: '',
    form: {
      personalDetails: z.object({ firstName: z.string().min(1) }).optional(),
      nick: z.string().max(20).optional(),
      dark: z.boolean().optional(),
      image: file({ bytes: 2 * MiB, types: pictures }).optional(),
    },
    returns: z.object({ nick: z.string().optional(), first: z.string().optional(), image: Sent.optional() }),
  }),
  bundle: post('/test/bundles', 'signedIn', {
    summary: '',
    form: { fail: z.boolean().optional(), papers: files({ max: 3, bytes: 40 * MiB }) },
    returns: z.array(Sent),
  }),
  one: get('/test/bundles/:path*', 'signedIn', {
    summary: '',
    params: { path: z.string() },
    returns: binary,
    ticket: {},
  }),
}

let t: TestApp
let base: string
let token: string
let storage: Storage
beforeAll(async () => {
  t = await openTestApp(undefined, (http, app) =>
    bind(http, app, 'test', calls, {
      picture: async ({ nick, personalDetails, image }) => ({ nick, first: personalDetails?.firstName, image }),
      async bundle({ fail, papers }, { db }) {
        if (fail) throw refused('not today')
        await db.execute(sql`select 1`)
        return papers
      },
      async one({ path }, { db, app }) {
        const [key = '', name] = path.split('/')
        const [row] = await db.select().from(blobs).where(eq(blobs.key, key))
        if (!row) throw refused('none')
        const read = (start: number, end: number) => readParts(app.storage, key, start, end)
        return { ...row, name: name ?? row.name, inline: true, read }
      },
    }),
  )
  base = await t.http.listen({ port: 0, host: '127.0.0.1' })
  token = (await t.somebody([])).token
  storage = t.app.storage
})
afterAll(() => t.close())

const head = () => ({ authorization: `Bearer ${token}` })
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(2000)])
const sha = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const formOf = (parts: Record<string, string | Blob | Blob[]>) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(parts)) for (const one of [value].flat()) form.append(name, one)
  return form
}
async function send(method: string, path: string, form: FormData | string, more = {}) {
  const answer = await fetch(`${base}/api/test/${path}`, { method, headers: { ...head(), ...more }, body: form })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> & { message?: string } }
}
const bytesOf = (bytes: Buffer, name: string, type = '') => new File([new Uint8Array(bytes)], name, { type })
const rowsLeft = () => t.app.db.$count(blobs, sql`state <> 'kept'`)
const allRows = () => t.app.db.$count(blobs)

describe('a form', () => {
  it('has fields typed by the contract, and a file with size, hash and type', async () => {
    const form = formOf({
      personalDetails: JSON.stringify({ firstName: 'Kari' }),
      nick: '12',
      dark: 'true',
      image: bytesOf(png, 'C:\\me\\Kåre ☕.png', 'text/html'),
    })
    const { status, body } = await send('PATCH', 'people/1/picture', form)
    expect({ status, ...body }).toMatchObject({
      status: 200,
      nick: '12',
      first: 'Kari',
      image: { size: png.length, sha256: sha(png), name: 'Kåre ☕.png', type: 'image/png' },
    })
    const { key } = body.image as Upload
    const [row] = await t.app.db.select().from(blobs).where(eq(blobs.key, key))
    expect(row).toMatchObject({ state: 'kept', size: png.length, open: false })
  })
  it('accepts its fields as one JSON object called data, as plain JSON, and with an empty file input', async () => {
    const form = formOf({
      data: JSON.stringify({ nick: 'ka', personalDetails: { firstName: 'Kari' } }),
      image: bytesOf(png, 'a.png'),
    })
    expect((await send('PATCH', 'people/1/picture', form)).body).toMatchObject({ nick: 'ka', first: 'Kari' })
    const json = await send('PATCH', 'people/1/picture', '{"nick":"js"}', { 'content-type': 'application/json' })
    expect(json).toEqual({ status: 200, body: { nick: 'js' } })
    const raw =
      '--x\r\nContent-Disposition: form-data; name="nick"\r\n\r\nempty\r\n--x\r\nContent-Disposition: form-data; name="image"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--x--\r\n'
    const empty = await send('PATCH', 'people/1/picture', raw, { 'content-type': 'multipart/form-data; boundary=x' })
    expect(empty).toEqual({ status: 200, body: { nick: 'empty' } })
  })
  it('accepts several files, even larger than a part, which are readable from any offset', async () => {
    const large = randomBytes(2 * PART + 77)
    const { status, body } = await send(
      'POST',
      'bundles',
      formOf({ papers: [bytesOf(large, 'l.bin'), bytesOf(Buffer.alloc(0), 'none.txt')] }),
    )
    expect(status).toBe(201)
    const [first, second] = body as unknown as Upload[]
    expect(first).toMatchObject({ size: large.length, sha256: sha(large) })
    expect(second).toMatchObject({ size: 0, name: 'none.txt' })
    const answer = await fetch(`${base}/api/test/bundles/${first?.key}`, {
      headers: { ...head(), range: `bytes=${PART - 3}-${2 * PART + 5}` },
    })
    expect(answer.status).toBe(206)
    expect(sha(Buffer.from(await answer.arrayBuffer()))).toBe(sha(large.subarray(PART - 3, 2 * PART + 6)))
  })
})

describe('a form that is refused', () => {
  const cases: [string, () => [string, string, FormData], number, string][] = [
    [
      'a file too large',
      () => [
        'PATCH',
        'people/1/picture',
        formOf({ image: bytesOf(Buffer.concat([png, Buffer.alloc(2 * MiB)]), 'a.png') }),
      ],
      413,
      'Larger than 2 MB',
    ],
    [
      'HTML that is called a picture',
      () => [
        'PATCH',
        'people/1/picture',
        formOf({ image: bytesOf(Buffer.from('<html><script>alert(1)</script>'), 'a.png', 'image/png') }),
      ],
      422,
      'The content of a.png has to be PNG, JPEG, WEBP or GIF',
    ],
    [
      'an SVG',
      () => [
        'PATCH',
        'people/1/picture',
        formOf({
          image: bytesOf(Buffer.from('<?xml version="1.0"?><svg xmlns="x"><script/></svg>'), 'a.svg', 'image/png'),
        }),
      ],
      422,
      'The content of a.svg has to be PNG, JPEG, WEBP or GIF',
    ],
    [
      'too many files',
      () => ['POST', 'bundles', formOf({ papers: [1, 2, 3, 4].map((n) => bytesOf(png, `${n}`)) })],
      413,
      'At most 3 files at once',
    ],
    [
      'a file where none is asked for',
      () => ['POST', 'bundles', formOf({ papers: bytesOf(png, 'a'), spy: bytesOf(png, 'b') })],
      400,
      'spy: No file is asked for here',
    ],
    [
      'text where a file belongs',
      () => ['PATCH', 'people/1/picture', formOf({ image: '{"key":"00","size":1}' })],
      400,
      'image: Has to be a file',
    ],
    [
      'a wrong field',
      () => ['PATCH', 'people/1/picture', formOf({ nick: 'x'.repeat(30), image: bytesOf(png, 'a.png') })],
      400,
      'nick: At most',
    ],
    [
      'what the handler refuses',
      () => ['POST', 'bundles', formOf({ fail: 'true', papers: [bytesOf(png, 'a'), bytesOf(png, 'b')] })],
      422,
      'not today',
    ],
    [
      'a form that the call does not know',
      () => ['PATCH', 'people/x/picture', formOf({ image: bytesOf(png, 'a.png') })],
      400,
      'id: ',
    ],
  ]
  it.each(cases)('%s: answers an error, and leaves neither row nor bytes', async (_, make, status, message) => {
    const before = await allRows()
    const answer = await send(...make())
    expect({ ...answer, text: [answer.body.message].flat().join() }).toMatchObject({
      status,
      text: expect.stringContaining(message),
    })
    expect(await allRows()).toBe(before)
    expect(await strays()).toEqual([])
  })

  it('is refused by its announced length before the body is read', async () => {
    const sending = ask(`${base}/api/test/bundles`, {
      method: 'POST',
      headers: { ...head(), 'content-type': 'multipart/form-data; boundary=x', 'content-length': 10_000_000_000 },
    })
    sending.on('error', () => {}) // the connection is broken below
    sending.write('--x\r\n')
    const [answer] = await once(sending, 'response')
    expect(answer.statusCode).toBe(413)
    sending.destroy()
  })
  it.each([
    ['is no form', '\0', 'boundary=x'],
    ['ends within a field', '--x\r\nContent-Disposition: form-data; name="nick"\r\n\r\nka', 'boundary=x'],
    [
      'ends within a file',
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n\x89PN',
      'boundary=x',
    ],
    ['ends within a header', '--x\r\nContent-Disposition: form-d', 'boundary=x'],
    ['says no boundary', '--x--\r\n', ''],
  ])('is answered 400 when it %s', async (_, body, boundary) => {
    const before = await allRows()
    const answer = await send('PATCH', 'people/1/picture', body, {
      'content-type': `multipart/form-data; ${boundary}`,
    })
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(await allRows()).toBe(before)
    expect(await strays()).toEqual([])
  })
  it('leaves no files when its sender disconnects', async () => {
    const before = await allRows()
    const sending = ask(`${base}/api/test/bundles`, {
      method: 'POST',
      headers: { ...head(), 'content-type': 'multipart/form-data; boundary=x' },
    })
    sending.on('error', () => {}) // the connection is broken below
    sending.write('--x\r\nContent-Disposition: form-data; name="papers"; filename="a"\r\n\r\n')
    sending.write(randomBytes(PART + MiB))
    await expect.poll(allRows).toBe(before + 1)
    sending.destroy()
    await expect.poll(allRows).toBe(before)
    expect(await strays()).toEqual([])
  })
  it('is reported as a server error when the disk is full, and leaves no partial file', async () => {
    const before = await allRows()
    const { write } = storage
    storage.write = async (key, part, bytes) => {
      if (part === 1) throw new Full('no room')
      return write.call(storage, key, part, bytes)
    }
    const answer = await send('POST', 'bundles', formOf({ papers: bytesOf(randomBytes(PART + 5), 'big') }))
    storage.write = write
    expect(answer).toMatchObject({ status: 503, body: { message: expect.stringContaining('no room left') } })
    expect(await allRows()).toBe(before)
    expect(await strays()).toEqual([])
  })
  it('is refused without a session', async () => {
    const before = await allRows()
    const answer = await fetch(`${base}/api/test/bundles`, {
      method: 'POST',
      body: formOf({ papers: bytesOf(png, 'a') }),
    })
    expect(answer.status).toBe(401)
    expect(await allRows()).toBe(before)
  })
})

describe('an unreferenced upload', () => {
  it('is deleted a minute after it was dropped, or a day after its start; referenced files stay', async () => {
    const { body } = await send(
      'POST',
      'bundles',
      formOf({ papers: [bytesOf(png, 'a'), bytesOf(png, 'b'), bytesOf(png, 'c')] }),
    )
    const [left, begun, kept] = (body as unknown as Upload[]).map(({ key }) => key)
    const { db } = t.app
    await leaveBlobs(db, [left!])
    await sweepBlobs(t.app)
    expect(await rowsLeft()).toBe(1)
    await db.execute(sql`update blobs set touched_at = now() - interval '61 seconds' where key = ${left}`)
    await db.execute(
      sql`update blobs set state = 'arriving', touched_at = now() - interval '25 hours' where key = ${begun}`,
    )
    await sweepBlobs(t.app)
    expect(await rowsLeft()).toBe(0)
    expect(await db.select({ key: blobs.key }).from(blobs).where(eq(blobs.key, kept!))).toHaveLength(1)
    expect(await strays()).toEqual([])
    await keepBlobs(db, [kept!], { open: true })
    expect(await db.select({ open: blobs.open }).from(blobs).where(eq(blobs.key, kept!))).toEqual([{ open: true }])
  })
})

/** Stored files that have no row. */
async function strays(): Promise<string[]> {
  const known = new Set((await t.app.db.select({ key: blobs.key }).from(blobs)).map(({ key }) => key))
  const there = await readdir(`${t.folder}/files`, { recursive: true }).catch(() => [])
  return there
    .map((path) => path.replace(/^.*\//, '').replace(/\.\d+$/, ''))
    .filter((name) => name.length > 10 && !known.has(name))
}

import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { Grant, Opener, StoredFile } from '@innkeeper/contract/files'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { departments } from '../departments/tables.ts'
import { sweepBlobs } from '../kit/storage/blobs.ts'
import { PART } from '../kit/storage/storage.ts'
import { blobs } from '../kit/storage/tables.ts'
import { type Answer, openTestApp, type TestApp } from '../testing/testApp.ts'
import { users } from '../users/tables.ts'
import { fileDownloads, files, fileUploads, folders } from './tables.ts'
import { emptyTrash } from './trash.ts'

const scopes = ['upload', 'delete', 'grant-access', 'browse'].map((act) => `file-manager:file:${act}`)
const all = [...scopes, 'file-manager:folder:create', 'file-manager:folder:delete']
interface Person {
  id: number
  token: string
}
let t: TestApp
let base: string
let admin: Person
let kari: Person
let lars: Person
beforeAll(async () => {
  t = await openTestApp()
  base = await t.http.listen({ port: 0, host: '127.0.0.1' })
  admin = await t.somebody('admin', 'chief')
  kari = await t.somebody(all, 'kari')
  lars = await t.somebody(all, 'lars')
})
afterAll(() => t.close())

const at = '/api/internal-file-manager'
const ask = (who: Person | undefined, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `${at}/${path}`, { ...(who && { token: who.token }), ...(body !== undefined && { body }) })
async function upload(
  who: Person,
  fields: Record<string, string>,
  ...contents: [name: string, text: string | Buffer][]
): Promise<StoredFile[]> {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.append(key, value)
  for (const [name, text] of contents)
    form.append('files', new File([Uint8Array.from(Buffer.from(text as string))], name))
  const answer = await fetch(`${base}${at}/upload-files`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}` },
    body: form,
  })
  const body = await answer.json()
  if (answer.status !== 201) throw new Error(JSON.stringify(body))
  return body as StoredFile[]
}
const one = async (who: Person, fields: Record<string, string>, name = 'note.txt', text: string | Buffer = 'hello') =>
  (await upload(who, fields, [name, text]))[0]!
const folder = async (who: Person, name: string, more = {}) =>
  (await ask(who, 'POST', 'folders', { name, ...more })).body as { id: number; version: number }
const reads = async (who: Person | undefined, { path }: StoredFile) =>
  (await ask(who, 'GET', `${who ? 'private' : 'public'}/${path}`)).status
const named = ({ body }: Answer) => (body.items as StoredFile[]).map(({ name }) => name)

describe('a file', () => {
  it('is uploaded with others, public or private, and comes back byte for byte under its own name', async () => {
    const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(500)])
    const [a, b] = await upload(kari, { isPrivate: 'true' }, ['Årsmøte 2026.png', png], ['../../etc/passwd', 'root:x'])
    expect(a).toMatchObject({
      name: 'Årsmøte 2026.png',
      type: 'image/png',
      kind: 'picture',
      size: png.length,
      isPrivate: true,
      hidden: true,
      ownerId: kari.id,
      folderId: null,
      mayChange: true,
    })
    expect(b).toMatchObject({ name: 'passwd', kind: 'text' })
    const got = await fetch(`${base}${at}/private/${a?.path}`, { headers: { authorization: `Bearer ${kari.token}` } })
    expect(Buffer.from(await got.arrayBuffer()).equals(png)).toBe(true)
    expect(got.headers.get('content-disposition')).toContain("filename*=UTF-8''%C3%85rsm%C3%B8te%202026.png")
    expect(got.headers.get('cache-control')).toBe('private, no-cache')
  })
  it('never overwrites another: the second of a name gets a number', async () => {
    const names = (
      await upload(kari, { isPrivate: 'true' }, ['twice.tar.gz', '1'], ['twice.tar.gz', '2'], ['TWICE.tar.gz', '3'])
    ).map(({ name }) => name)
    expect(names).toEqual(['twice.tar.gz', 'twice.tar (2).gz', 'TWICE.tar (3).gz'])
  })
  it('that is an archive is kept as it is: nothing is ever unpacked, so that a zip bomb is a small file', async () => {
    const bomb = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(3000)])
    expect(await one(kari, { isPrivate: 'true' }, 'bomb.zip', bomb)).toMatchObject({
      kind: 'archive',
      size: bomb.length,
    })
  })
  it('that is SVG or HTML is never shown by a browser, whatever is asked for', async () => {
    for (const text of ['<svg xmlns="x"><script>alert(1)</script></svg>', '<!doctype html><script>alert(1)</script>']) {
      const file = await one(kari, { isPrivate: 'false' }, 'x.png', text)
      const got = await fetch(`${base}${at}/public/${file.path}?inline=true`)
      expect([
        got.headers.get('content-type'),
        got.headers.get('content-disposition'),
        got.headers.get('x-content-type-options'),
      ]).toEqual(['application/octet-stream', expect.stringMatching(/^attachment/), 'nosniff'])
      expect(got.headers.get('content-security-policy')).toContain('sandbox')
    }
  })
  it('is renamed, and a stale save is a 409 with the row as it is', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    const renamed = await ask(kari, 'PATCH', `files/${file.id}`, { name: 'new.txt', version: file.version })
    expect(renamed).toMatchObject({ status: 200, body: { name: 'new.txt', version: file.version + 1 } })
    expect(await ask(kari, 'PATCH', `files/${file.id}`, { name: 'late.txt', version: file.version })).toMatchObject({
      status: 409,
      body: { current: { name: 'new.txt' } },
    })
    for (const name of ['a/b', '..', 'a\u202eb', '', ' ', 'x'.repeat(201), 'a\0b'])
      expect((await ask(kari, 'PATCH', `files/${file.id}`, { name })).status, JSON.stringify(name)).toBe(400)
  })
})

describe('a private file', () => {
  it('is not there for anybody but its owner and administrators: 404, by any way', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    expect(await reads(kari, file)).toBe(200)
    expect(await reads(admin, file)).toBe(200)
    expect(await reads(lars, file)).toBe(404)
    expect(await reads(undefined, file)).toBe(404)
    expect((await ask(undefined, 'GET', `private/${file.path}`)).status).toBe(401)
    expect((await ask(lars, 'GET', `public/${file.path}`)).status).toBe(404)
    for (const [method, path, body] of [
      ['GET', `files/${file.id}/access`, undefined],
      ['GET', `files/${file.id}/downloads`, undefined],
      ['PATCH', `files/${file.id}`, { name: 'mine' }],
      ['DELETE', `delete-files?ids=${file.id}`, undefined],
      ['POST', 'access', { fileId: file.id, accessType: 'user', grantAccessTo: lars.id }],
    ] as const)
      expect((await ask(lars, method, path, body)).status, path).toBe(404)
    expect(named(await ask(lars, 'GET', `files?search=${file.name}`))).not.toContain(file.name)
  })
  it.each([
    'user',
    'role',
    'department',
  ] as const)('opens to a %s until the grant ends, and to read only', async (accessType) => {
    const { db } = t.app
    const reader = await t.somebody(all, `reader-${accessType}`)
    const [department] = await db
      .insert(departments)
      .values({ name: `crew of ${reader.id}` })
      .returning()
    const [row] = await db
      .update(users)
      .set({ departmentId: department!.id })
      .where(eq(users.id, reader.id))
      .returning()
    const grantAccessTo = { user: reader.id, role: row!.roleId!, department: department!.id }[accessType]
    const file = await one(kari, { isPrivate: 'true' }, `shared-${accessType}.txt`)
    const grant = await ask(kari, 'POST', 'access', {
      fileId: file.id,
      accessType,
      grantAccessTo,
      expiresAt: '2100-01-01T00:00:00Z',
    })
    expect(grant).toMatchObject({ status: 201, body: { accessType, grantAccessTo, grantedBy: 'Some kari' } })
    expect([await reads(reader, file), await reads(lars, file)]).toEqual([200, 404])
    expect(named(await ask(reader, 'GET', 'files?view=shared'))).toEqual([file.name])
    expect(await ask(reader, 'DELETE', `delete-files?ids=${file.id}`)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('only Some kari') },
    })
    expect((await ask(reader, 'DELETE', `access/${grant.body.id}`)).status).toBe(422)
    await db.execute(sql`update file_access set expires_at = now() where file_access_id = ${grant.body.id}`)
    expect(await reads(reader, file)).toBe(404)
    expect((await ask(reader, 'DELETE', `access/${grant.body.id}`)).status).toBe(404)
  })
  it('says who can open it and why, and a grant that is taken back ends at once', async () => {
    const place = await folder(lars, 'Reports')
    const file = await one(
      kari,
      {
        isPrivate: 'true',
        folderId: String(place.id),
        access: JSON.stringify([{ accessType: 'user', grantAccessTo: lars.id }]),
      },
      'q3.txt',
    )
    const why = async () =>
      ((await ask(kari, 'GET', `files/${file.id}/access`)).body as Opener[]).map(({ why, name }) => `${why}: ${name}`)
    expect(await why()).toEqual([
      'owner: Some kari',
      'folder-owner: Some lars, owner of Reports',
      'grant: Some lars',
      'administrator: Administrators',
    ])
    const { body } = await ask(kari, 'GET', `files/${file.id}/access`)
    const { grant } = (body as { grant: Grant | null }[]).find((opener) => opener.grant)!
    expect((await ask(kari, 'DELETE', `access/${grant!.id}`)).status).toBe(204)
    expect(await why()).toHaveLength(3)
    await ask(kari, 'PATCH', `files/${file.id}`, { isPrivate: false })
    expect(await why()).toEqual(['public: Everybody who has the address, without signing in'])
  })
  it('is granted only to who is there, and only into the future', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    const grant = (more: object) =>
      ask(kari, 'POST', 'access', { fileId: file.id, accessType: 'user', grantAccessTo: lars.id, ...more })
    expect(await grant({ grantAccessTo: 999_999 })).toMatchObject({
      status: 400,
      body: { fields: { grantAccessTo: 'No user 999999' } },
    })
    expect(await grant({ expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 422,
      body: { fields: { expiresAt: expect.any(String) } },
    })
    expect((await grant({ accessType: 'team' })).status).toBe(400)
    expect(named({ status: 0, body: { items: (await ask(kari, 'GET', 'grantees?search=lars')).body } })).toContain(
      'Some lars',
    )
  })
  it('opens in the browser by a ticket for its path, its session and a minute', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    const path = `${at}/private/${file.path}`
    const { body } = await ask(kari, 'POST', 'tickets', { path })
    expect((await t.call('GET', `${path}?ticket=${body.ticket}`)).status).toBe(200)
    const other = await one(kari, { isPrivate: 'true' })
    expect((await t.call('GET', `${at}/private/${other.path}?ticket=${body.ticket}`)).status).toBe(404)
    const foreign = await ask(lars, 'POST', 'tickets', { path })
    expect((await t.call('GET', `${path}?ticket=${foreign.body.ticket}`)).status).toBe(404)
    const leaver = await t.somebody('admin')
    const theirs = await ask(leaver, 'POST', 'tickets', { path })
    await t.app.sessions.endAll(t.app.db, leaver.id)
    expect((await t.call('GET', `${path}?ticket=${theirs.body.ticket}`)).status).toBe(401)
    expect((await t.call('GET', `/api/auth/validate?ticket=${body.ticket}`)).status).toBe(401)
  })
  it('keeps a log of who read it, once for each reading from the beginning', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    const headers = { authorization: `Bearer ${admin.token}` }
    await fetch(`${base}${at}/private/${file.path}`, { headers }).then((answer) => answer.text())
    await fetch(`${base}${at}/private/${file.path}`, { headers: { ...headers, range: 'bytes=2-' } }).then((answer) =>
      answer.text(),
    )
    await fetch(`${base}${at}/private/${file.path}`, { headers, method: 'HEAD' })
    const log = await ask(kari, 'GET', `files/${file.id}/downloads`)
    expect(log.body.items).toMatchObject([{ staffName: 'Some chief', staffId: admin.id, ip: '127.0.0.1' }])
    expect(await t.app.db.$count(fileDownloads, eq(fileDownloads.fileId, file.id))).toBe(1)
  })
})

describe('a folder', () => {
  it('hides what is in it, below it too, and shows it again; moving does the same', async () => {
    const top = await folder(kari, 'Top')
    const inner = await folder(kari, 'Inner', { parentId: top.id })
    const file = await one(kari, { isPrivate: 'false', folderId: String(inner.id) })
    expect([await reads(lars, file), await reads(undefined, file)]).toEqual([200, 200])
    await ask(kari, 'PATCH', `folders/${top.id}`, { private: true })
    expect([await reads(lars, file), await reads(undefined, file), await reads(kari, file)]).toEqual([404, 404, 200])
    expect((await ask(lars, 'GET', `folders/${inner.id}`)).status).toBe(404)
    const moved = await ask(kari, 'PATCH', `folders/${inner.id}`, { parentId: null })
    expect(moved.body).toMatchObject({ hidden: false, parentId: null })
    expect(await reads(undefined, file)).toBe(200)
    await ask(kari, 'PATCH', `folders/${inner.id}`, { parentId: top.id })
    expect(await reads(undefined, file)).toBe(404)
  })
  it('never lies in itself, nor too deep, nor twice under one name', async () => {
    const a = await folder(kari, 'A')
    const b = await folder(kari, 'B', { parentId: a.id })
    expect((await ask(kari, 'PATCH', `folders/${a.id}`, { parentId: b.id })).status).toBe(422)
    expect((await ask(kari, 'PATCH', `folders/${a.id}`, { parentId: a.id })).status).toBe(422)
    expect(await ask(kari, 'POST', 'folders', { name: 'b', parentId: a.id })).toMatchObject({
      status: 409,
      body: { fields: { name: expect.any(String) } },
    })
    let deepest = b.id
    for (let level = 3; level <= 20; level++) deepest = (await folder(kari, `L${level}`, { parentId: deepest })).id
    expect((await ask(kari, 'POST', 'folders', { name: 'deeper', parentId: deepest })).status).toBe(422)
    const c = await folder(kari, 'C')
    expect((await ask(kari, 'PATCH', `folders/${a.id}`, { parentId: c.id })).status).toBe(422)
  })
  it('that is hidden does not give itself away: its name is free for others, its children are not there', async () => {
    await folder(kari, 'Salaries', { private: true })
    expect((await ask(lars, 'POST', 'folders', { name: 'Salaries' })).status).toBe(201)
    const { body } = await ask(lars, 'GET', 'folders/root')
    expect(body.folders.filter(({ name }: { name: string }) => name === 'Salaries')).toHaveLength(1)
  })
  it('is hidden or shown by its owner, not by whoever passes', async () => {
    const mine = await folder(kari, 'Guides')
    expect((await ask(lars, 'PATCH', `folders/${mine.id}`, { private: true })).status).toBe(422)
    const file = await one(kari, { isPrivate: 'false' })
    expect((await ask(lars, 'PATCH', `files/${file.id}`, { isPrivate: true })).status).toBe(422)
  })
  it('goes to the trash with all that is in it and comes back with just that', async () => {
    const top = await folder(kari, 'Bin')
    const inner = await folder(kari, 'Deeper', { parentId: top.id })
    const [before] = await upload(kari, { isPrivate: 'false', folderId: String(inner.id) }, ['before.txt', 'x'])
    const [with_] = await upload(kari, { isPrivate: 'false', folderId: String(inner.id) }, ['with.txt', 'x'])
    await ask(kari, 'DELETE', `delete-files?ids=${before!.id}`)
    expect((await ask(kari, 'DELETE', `folders/${top.id}`)).status).toBe(204)
    expect(await reads(undefined, with_!)).toBe(404)
    expect((await ask(kari, 'GET', `folders/${inner.id}`)).status).toBe(404)
    expect(await ask(kari, 'POST', 'files/restore', { ids: [with_!.id] })).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('restore the folder first') },
    })
    expect((await ask(kari, 'POST', `folders/${inner.id}/restore`)).status).toBe(422)
    expect((await ask(kari, 'POST', `folders/${top.id}/restore`)).status).toBe(200)
    expect(named(await ask(kari, 'GET', `folders/${inner.id}`))).toEqual(['with.txt'])
  })
  it('is not deleted over the head of somebody whose private file lies in it', async () => {
    const place = await folder(kari, 'Common')
    const file = await one(lars, { isPrivate: 'true', folderId: String(place.id) })
    expect(await ask(kari, 'DELETE', `folders/${place.id}`)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('1 of the files') },
    })
    expect(await reads(lars, file)).toBe(200)
  })
  it('with 10,000 files answers its last page as it answers its first, and finds one by name', async () => {
    const place = await folder(kari, 'Many')
    await t.app.db.execute(sql`insert into files (name, path, size, type, kind, sha256, folder_id, owner_id, is_private)
      select 'scan ' || lpad(n::text, 5, '0') || '.pdf', md5(n::text), n, 'application/pdf', 'pdf', '', ${place.id}, ${kari.id}, false from generate_series(1, 10000) n`)
    const first = await ask(lars, 'GET', `folders/${place.id}`)
    expect(first.body).toMatchObject({
      total: 10_000,
      items: expect.arrayContaining([expect.objectContaining({ name: 'scan 00001.pdf' })]),
    })
    const second = await ask(lars, 'GET', `folders/${place.id}?page=2&after=${first.body.next}`)
    expect(named(second)[0]).toBe('scan 00026.pdf')
    expect(named(await ask(lars, 'GET', `folders/${place.id}?page=400`)).at(-1)).toBe('scan 10000.pdf')
    expect(named(await ask(lars, 'GET', `files?folderId=${place.id}&search=07777&kind=pdf`))).toEqual([
      'scan 07777.pdf',
    ])
    expect(named(await ask(lars, 'GET', `files?folderId=${place.id}&sort=size&itemsPerPage=1`))).toEqual([
      'scan 10000.pdf',
    ])
  })
})

describe('a visitor without a session', () => {
  it('sees what is public, and of the rest neither names nor numbers nor people', async () => {
    const open = await folder(kari, 'Brochures')
    const secret = await folder(kari, 'Board', { private: true })
    await one(kari, { isPrivate: 'false', folderId: String(open.id) }, 'prices.txt')
    await one(kari, { isPrivate: 'true', folderId: String(open.id) }, 'margins.txt')
    const inside = await ask(undefined, 'GET', `public-folders?folderId=${open.id}`)
    expect(inside.body).toMatchObject({ name: 'Brochures', total: 1, parents: [] })
    expect(named(inside)).toEqual(['prices.txt'])
    expect(JSON.stringify(inside.body)).not.toMatch(/kari|owner/i)
    const top = await ask(undefined, 'GET', 'public-folders')
    expect(top.body.folders.map(({ name }: { name: string }) => name)).toContain('Brochures')
    expect(JSON.stringify(top.body)).not.toContain('Board')
    expect((await ask(undefined, 'GET', `public-folders?folderId=${secret.id}`)).status).toBe(404)
    expect((await ask(undefined, 'GET', 'folders/root')).status).toBe(401)
  })
  it('reads an avatar, and nothing else that lies in storage', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    expect((await ask(undefined, 'GET', `public/${file.path}`)).status).toBe(404)
    await t.app.db.update(blobs).set({ open: true }).where(eq(blobs.key, file.path))
    const got = await fetch(`${base}${at}/public/${file.path}`)
    expect([got.status, got.headers.get('cache-control')]).toEqual([200, 'public, max-age=3600'])
    for (const path of ['..%2f..%2fetc%2fpasswd', '%2e%2e/x', 'a'.repeat(32), `${file.path}/a/b`, `${file.path}x`])
      expect([400, 404]).toContain((await ask(undefined, 'GET', `public/${path}`)).status)
  })
})

describe('the trash', () => {
  it('holds files that can be taken back or deleted for good, and then their bytes go', async () => {
    const [back, gone] = await upload(kari, { isPrivate: 'false' }, ['back.txt', 'a'], ['gone.txt', 'b'])
    await ask(kari, 'DELETE', `delete-files?ids=${back!.id},${gone!.id}`)
    expect([await reads(kari, back!), await reads(undefined, gone!)]).toEqual([404, 404])
    expect(named(await ask(kari, 'GET', 'files?view=trash'))).toEqual(expect.arrayContaining(['back.txt', 'gone.txt']))
    expect((await ask(kari, 'POST', 'files/restore', { ids: [back!.id] })).status).toBe(204)
    expect(await reads(kari, back!)).toBe(200)
    expect((await ask(kari, 'DELETE', `trash?ids=${back!.id}`)).status).toBe(404)
    expect((await ask(kari, 'DELETE', `trash?ids=${gone!.id}`)).status).toBe(204)
    await t.app.db.execute(sql`update blobs set touched_at = now() - interval '2 minutes' where key = ${gone!.path}`)
    await sweepBlobs(t.app)
    expect(await t.app.db.$count(blobs, eq(blobs.key, gone!.path))).toBe(0)
  })
  it('is emptied after thirty days', async () => {
    const file = await one(kari, { isPrivate: 'false' })
    await ask(kari, 'DELETE', `delete-files?ids=${file.id}`)
    await t.app.db.update(files).set({ deletedAt: sql`now() - interval '29 days'` }).where(eq(files.id, file.id))
    await emptyTrash(t.app.db)
    expect(await t.app.db.$count(files, eq(files.id, file.id))).toBe(1)
    await t.app.db.update(files).set({ deletedAt: sql`now() - interval '31 days'` }).where(eq(files.id, file.id))
    await emptyTrash(t.app.db)
    expect(await t.app.db.$count(files, eq(files.id, file.id))).toBe(0)
    expect(await t.app.db.$count(folders)).toBeGreaterThan(0)
  })
})

describe('an upload that is broken off', () => {
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
  /** Sends a part and some of what it announced, and drops the line once the part has landed. */
  const cut = async (id: number, offset: number) => {
    const sending = request(`${base}${at}/uploads/${id}?offset=${offset}`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${kari.token}`,
        'content-type': 'application/octet-stream',
        'content-length': bytes.length - offset,
      },
    })
    sending.on('error', () => {}) // it is cut here
    sending.write(bytes.subarray(offset, offset + PART + 1000))
    await expect.poll(async () => (await state(id)).offset).toBe(offset + PART)
    sending.destroy()
  }

  it('goes on from the last part that landed, again and again, to the same bytes', async () => {
    const { id } = await begin()
    await cut(id, 0)
    const wrong = await put(id, 0, bytes)
    expect(wrong).toMatchObject({ status: 409, body: { message: `Go on from ${PART}`, current: { offset: PART } } })
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
  it('that was cut after its last byte is finished by asking again', async () => {
    const { id } = await begin(5)
    await t.app.storage.write((await rowOf(id)).key, 0, [Buffer.from('12345')] as unknown as AsyncIterable<Uint8Array>)
    await t.app.db.execute(sql`update file_uploads set "offset" = 5 where file_upload_id = ${id}`)
    expect((await put(id, 5, Buffer.alloc(0))).body.file).toMatchObject({ size: 5, kind: 'text' })
  })
  it('takes no more than was announced, is nobody else’s, and can be given up', async () => {
    const { id } = await begin(3)
    expect((await put(id, 0, Buffer.from('12345'))).status).toBe(413)
    expect((await ask(lars, 'GET', `uploads/${id}`)).status).toBe(404)
    expect((await ask(lars, 'DELETE', `uploads/${id}`)).status).toBe(404)
    expect((await ask(kari, 'GET', 'uploads')).body).toContainEqual(expect.objectContaining({ id, offset: 0 }))
    expect((await ask(kari, 'DELETE', `uploads/${id}`)).status).toBe(204)
    expect((await ask(kari, 'POST', 'uploads', { name: 'x', size: 6 * 1024 ** 3, isPrivate: true })).status).toBe(400)
  })
  it('and not gone on with for a day is swept', async () => {
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

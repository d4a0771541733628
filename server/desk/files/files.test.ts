import { randomBytes } from 'node:crypto'
import type { Grant, Opener } from '@innkeeper/contract/desk/files'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { departments } from '../../access/departments/tables.ts'
import { notifications } from '../../access/notifications/tables.ts'
import { users } from '../../access/users/tables.ts'
import { sweepBlobs } from '../../kit/storage/blobs.ts'
import { blobs } from '../../kit/storage/tables.ts'
import { fileDownloads, files, fileUploads, folders } from './tables.ts'
import { admin, all, ask, at, base, folder, kari, lars, named, one, reads, t, upload } from './test/files.ts'
import { emptyTrash } from './trash.ts'
import './test/uploads.ts'

describe('a file', () => {
  it('is uploaded with others, public or private, and downloaded unchanged under its name', async () => {
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
  it('never overwrites another: the second of the same name gets a number', async () => {
    const names = (
      await upload(kari, { isPrivate: 'true' }, ['twice.tar.gz', '1'], ['twice.tar.gz', '2'], ['TWICE.tar.gz', '3'])
    ).map(({ name }) => name)
    expect(names).toEqual(['twice.tar.gz', 'twice.tar (2).gz', 'TWICE.tar (3).gz'])
  })
  it('that is an archive is stored unopened, so that a zip bomb is harmless', async () => {
    const bomb = Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(3000)])
    expect(await one(kari, { isPrivate: 'true' }, 'bomb.zip', bomb)).toMatchObject({
      kind: 'archive',
      size: bomb.length,
    })
  })
  it('that is SVG or HTML is never displayed by a browser', async () => {
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
  it('is renamed; a stale save answers 409 with the stored row', async () => {
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
  it('answers 404 to everybody except its owner and administrators, on every route', async () => {
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
  it('lists who can open it and why; a revoked grant ends at once', async () => {
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
    const told = await t.app.db.select().from(notifications).where(eq(notifications.userId, lars.id))
    expect(told.map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Some kari shares q3.txt with you', 'Some kari shares a file with you no more']),
    )
    await ask(kari, 'PATCH', `files/${file.id}`, { isPrivate: false })
    expect(await why()).toEqual(['public: Everybody who has the address, without signing in'])
  })
  it('is not granted to somebody who may not use files', async () => {
    const file = await one(kari, { isPrivate: 'true' })
    const nobody = await t.somebody([], 'Nora')
    const [{ id: empty }] = (await t.app.db
      .insert(departments)
      .values({ name: 'Without people' })
      .returning({ id: departments.id })) as [{ id: number }]
    for (const [accessType, grantAccessTo, who] of [
      ['user', nobody.id, 'Some Nora'],
      ['department', empty, 'Without people'],
    ] as const) {
      const { status, body } = await ask(kari, 'POST', 'access', { fileId: file.id, accessType, grantAccessTo })
      expect([status, body.fields.grantAccessTo]).toEqual([422, expect.stringContaining(who)])
    }
    expect(named({ status: 0, body: { items: (await ask(kari, 'GET', 'grantees?search=nora')).body } })).toEqual([])
  })
  it('is granted to existing people only, and only until a future time', async () => {
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
  it('logs its readers, once per download from the start', async () => {
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
  it('hides and shows its content with all subfolders; so does moving', async () => {
    const top = await folder(kari, 'Top')
    const inner = await folder(kari, 'Inner', { parentId: top.id })
    const file = await one(kari, { isPrivate: 'false', folderId: String(inner.id) })
    expect([await reads(lars, file), await reads(undefined, file)]).toEqual([200, 200])
    await ask(kari, 'PATCH', `folders/${top.id}`, { private: true })
    expect([await reads(lars, file), await reads(undefined, file), await reads(kari, file)]).toEqual([404, 404, 200])
    expect((await ask(lars, 'GET', `folders/${inner.id}`)).status).toBe(404)
    const moved = await ask(kari, 'PATCH', `folders/${inner.id}`, { parentId: null, publishes: 1 })
    expect(moved.body).toMatchObject({ hidden: false, parentId: null })
    expect(await reads(undefined, file)).toBe(200)
    await ask(kari, 'PATCH', `folders/${inner.id}`, { parentId: top.id })
    expect(await reads(undefined, file)).toBe(404)
  })
  it('publishes files only if whoever moves or shows it names their number, and their owners hear of it', async () => {
    const secret = await folder(kari, 'Secret', { private: true })
    const inner = await folder(kari, 'Contracts', { parentId: secret.id })
    const [mine, own, trashed] = [
      await one(kari, { isPrivate: 'false', folderId: String(inner.id) }, 'a.txt'),
      await one(kari, { isPrivate: 'true', folderId: String(inner.id) }, 'b.txt'),
      await one(kari, { isPrivate: 'false', folderId: String(inner.id) }, 'c.txt'),
    ]
    const theirs = await one(admin, { isPrivate: 'false', folderId: String(inner.id) }, 'd.txt')
    await ask(kari, 'DELETE', `delete-files?ids=${trashed.id}`)
    const begun = await ask(kari, 'POST', 'uploads', {
      name: 'late.txt',
      size: 4,
      isPrivate: false,
      folderId: inner.id,
    })
    for (const [moved, change] of [
      [inner, { parentId: null }],
      [secret, { private: false }],
    ] as const)
      for (const publishes of [undefined, 1, 3])
        expect(await ask(kari, 'PATCH', `folders/${moved.id}`, { ...change, publishes })).toMatchObject({
          status: 409,
          body: { current: { publishes: 2 }, message: expect.stringContaining('2 files become readable') },
        })
    expect(await ask(kari, 'PATCH', `files/${mine.id}`, { folderId: null })).toMatchObject({ status: 409 })
    expect([await reads(undefined, mine), await reads(undefined, theirs)], 'nothing is public yet').toEqual([404, 404])
    expect((await ask(kari, 'PATCH', `folders/${secret.id}`, { private: false, publishes: 2 })).status).toBe(200)
    expect([await reads(undefined, mine), await reads(undefined, own), await reads(undefined, theirs)]).toEqual([
      ...[200, 404, 200],
    ])
    await ask(kari, 'POST', 'files/restore', { ids: [trashed.id] })
    expect(await reads(undefined, trashed)).toBe(404)
    const [late] = await t.app.db.select().from(fileUploads).where(eq(fileUploads.id, begun.body.id))
    expect(late?.isPrivate).toBe(true)
    const [told] = await t.app.db.select().from(notifications).where(eq(notifications.userId, admin.id))
    expect(told).toMatchObject({ title: 'Some kari made a file of yours public', reason: 'files' })
  })
  it('is never inside itself, too deep, or twice under one name', async () => {
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
  it('that is hidden stays secret: its name is free for others, its children are not found', async () => {
    await folder(kari, 'Salaries', { private: true })
    expect((await ask(lars, 'POST', 'folders', { name: 'Salaries' })).status).toBe(201)
    const { body } = await ask(lars, 'GET', 'folders/root')
    expect(body.folders.filter(({ name }: { name: string }) => name === 'Salaries')).toHaveLength(1)
  })
  it('is hidden or shown by its owner only', async () => {
    const mine = await folder(kari, 'Guides')
    expect((await ask(lars, 'PATCH', `folders/${mine.id}`, { private: true })).status).toBe(422)
    const file = await one(kari, { isPrivate: 'false' })
    expect((await ask(lars, 'PATCH', `files/${file.id}`, { isPrivate: true })).status).toBe(422)
  })
  it('goes into the trash with its content, and is restored with exactly this content', async () => {
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
  it('is not deleted while it contains other people’s private files', async () => {
    const place = await folder(kari, 'Common')
    const file = await one(lars, { isPrivate: 'true', folderId: String(place.id) })
    expect(await ask(kari, 'DELETE', `folders/${place.id}`)).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('1 of the files') },
    })
    expect(await reads(lars, file)).toBe(200)
  })
  it('with 10,000 files answers its last page and finds a file by name', async () => {
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
  it('sees public files, and no names, numbers or people of others', async () => {
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
  it('reads an avatar, and nothing else in storage', async () => {
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
  it('contains files to restore or to delete for good, with their bytes', async () => {
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

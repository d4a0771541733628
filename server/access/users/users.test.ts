import { permissions, permissionWords } from '@innkeeper/contract/permissions/services'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'

let t: TestApp
let admin: { id: number; token: string }
beforeAll(async () => {
  t = await openTestApp()
  admin = await t.somebody('admin', 'root')
})
afterAll(() => t.close())

type Method = Parameters<TestApp['call']>[0]
const as = (token: string) => (method: Method, path: string, body?: unknown) =>
  t.call(method, `/api/auth${path}`, { token, ...(body !== undefined && { body }) })
let n = 0
const person = (more: object = {}) => {
  n += 1
  return { username: `kari${n}`, email: `kari${n}@example.org`, firstName: 'Kari', lastName: `Berg${n}`, ...more }
}
const role = async (scopes: string[], more: object = {}) => {
  n += 1
  const { body } = await as(admin.token)('POST', '/roles', { name: `Role ${n}`, scopes, ...more })
  return body
}
const valid = async (token: string) => (await as(token)('GET', '/validate')).status

describe('an account', () => {
  it('is created with a link that signs in once, sets the password, and is stored only as a hash', async () => {
    const made = await as(admin.token)('POST', '/users', person())
    expect(made.status).toBe(201)
    const link = made.body.link.link.split('#link=')[1]
    const stored = JSON.stringify(await t.app.db.execute(sql`select * from sign_in_links`))
    expect(stored).not.toContain(link)
    expect((await as('')('POST', '/link', { link })).body).toMatchObject({ username: made.body.username })
    const password = 'four green bottles'
    const redeemed = await as('')('POST', '/link/token', { link, password })
    expect(redeemed.status).toBe(200)
    expect(await valid(redeemed.body.token)).toBe(200)
    expect((await as('')('POST', '/link/token', { link, password })).status).toBe(404)
    expect((await as('')('POST', '/token', { user: made.body.username, password })).status).toBe(200)
  })
  it('cannot sign in with an expired link', async () => {
    const { body } = await as(admin.token)('POST', '/users', person())
    await t.app.db.execute(sql`update sign_in_links set expires_at = now() where user_id = ${body.id}`)
    const link = body.link.link.split('#link=')[1]
    expect((await as('')('POST', '/link/token', { link, password: 'four green bottles' })).status).toBe(404)
  })
  it('accepts no password before one is set', async () => {
    const { body } = await as(admin.token)('POST', '/users', person())
    expect((await as('')('POST', '/token', { user: body.username, password: 'x' })).status).toBe(401)
  })
  it('with a first password can make no other call before it is changed', async () => {
    const first = 'given by somebody'
    const { body } = await as(admin.token)('POST', '/users', person({ password: first, isAdmin: true }))
    expect(body.link).toBeUndefined()
    const { token } = (await as('')('POST', '/token', { user: body.username, password: first })).body
    expect((await as(token)('GET', '/validate')).body.owes).toBe('password')
    expect(await as(token)('GET', '/users')).toMatchObject({ status: 403, body: { code: 'owes-password' } })
    const change = (password: string, current = first) => as(token)('PATCH', '/password', { current, password })
    expect(await change('short')).toMatchObject({ status: 400, body: { fields: { password: expect.any(String) } } })
    expect(await change(first)).toMatchObject({ status: 422 })
    expect(await change(`${body.username} 123`)).toMatchObject({ status: 400 })
    expect(await change('nine blue kettles', 'wrong')).toMatchObject({
      status: 422,
      body: { fields: { current: expect.any(String) } },
    })
    expect((await change('nine blue kettles')).status).toBe(204)
    await expect.poll(async () => (await as(token)('GET', '/users')).status).toBe(200)
  })
  it('shares neither user name nor email address with another account, ignoring case', async () => {
    const one = person()
    await as(admin.token)('POST', '/users', one)
    const twice = await as(admin.token)('POST', '/users', { ...one, username: one.username.toUpperCase() })
    expect(twice).toMatchObject({ status: 409, body: { fields: { username: expect.stringContaining('Kari') } } })
    const address = await as(admin.token)('POST', '/users', { ...person(), email: one.email.toUpperCase() })
    expect(address).toMatchObject({ status: 409, body: { fields: { email: expect.any(String) } } })
  })
  it('refuses misleading user names', async () => {
    for (const username of ['', 'a b', '../x', 'а', 'a\u202eb', 'x'.repeat(61), '-rf', "o'hara"])
      expect((await as(admin.token)('POST', '/users', person({ username }))).status).toBe(400)
  })
  it('answers 409 with the stored account if somebody else has changed it', async () => {
    const { body } = await as(admin.token)('POST', '/users', person())
    const save = (lastName: string) =>
      as(admin.token)('PATCH', `/users/${body.id}`, { lastName, version: body.version })
    expect((await save('First')).status).toBe(200)
    expect(await save('Second')).toMatchObject({ status: 409, body: { current: { lastName: 'First' } } })
  })
  it('also accepts its fields in userData', async () => {
    const { body } = await as(admin.token)('POST', '/users', person())
    const saved = await as(admin.token)('PATCH', `/users/${body.id}`, { userData: { lastName: 'Nested' } })
    expect(saved.body).toMatchObject({ lastName: 'Nested', email: body.email })
  })
  it('frees its names when it is deleted, and its sessions end', async () => {
    const { id, token } = await t.somebody([], `gone${++n}`)
    expect((await as(admin.token)('DELETE', `/users?id=${id}`)).status).toBe(204)
    expect(await valid(token)).toBe(401)
    expect((await as(admin.token)('GET', `/users/${id}`)).status).toBe(404)
    expect((await as(admin.token)('POST', '/users', person({ username: `gone${n}` }))).status).toBe(201)
  })
  it('can also be deleted by its path', async () => {
    const { id } = await t.somebody([])
    expect((await as(admin.token)('DELETE', `/users/${id}`)).status).toBe(204)
  })
  it('that has open workflows can be deleted only if somebody gets these', async () => {
    const holder = await t.somebody([])
    const heir = await t.somebody([])
    await t.app.db.execute(sql`insert into workflows (kind, subject_type, subject_id, subject_name, holder, started_by_id)
      values ('x', 'website', 1, 'x', 'Holder', ${holder.id})`)
    expect((await as(admin.token)('GET', `/users/${holder.id}/holdings`)).body.items).toEqual([
      { key: 'workflows', label: 'Open workflows', count: 1 },
    ])
    expect(await as(admin.token)('DELETE', '/users', { id: holder.id })).toMatchObject({
      status: 409,
      body: { fields: { heir: expect.any(String) } },
    })
    expect((await as(admin.token)('DELETE', '/users', { id: holder.id, heir: holder.id })).status).toBe(422)
    expect((await as(admin.token)('DELETE', '/users', { id: holder.id, heir: heir.id })).status).toBe(204)
    expect((await as(admin.token)('GET', `/users/${heir.id}/holdings`)).body.total).toBe(1)
  })
})

describe('nobody grants what they lack', () => {
  const editor = () =>
    t.somebody([
      'users:user:create',
      'users:user:update',
      'users:user:delete',
      'users:role:create',
      'users:role:update',
      'users:role:assign',
      'users:user:read',
    ])
  it('in a role that they create or change', async () => {
    const { token } = await editor()
    const make = (scopes: string[]) => as(token)('POST', '/roles', { name: `Made ${++n}`, scopes })
    expect(await make(['dns:zone:delete'])).toMatchObject({
      status: 422,
      body: { fields: { scopes: expect.any(String) } },
    })
    expect((await make(['users:user:read'])).status).toBe(201)
    const theirs = await role(['dns:zone:delete', 'users:user:read'])
    const change = (scopes: string[]) => as(token)('PATCH', `/roles/${theirs.id}`, { scopes })
    expect((await change(['dns:zone:delete'])).status).toBe(403) // also removes rights from people who may have more
    const lesser = await role(['users:user:read'])
    const widened = await as(token)('PATCH', `/roles/${lesser.id}`, { scopes: ['users:user:read', 'dns:zone:create'] })
    expect(widened.status).toBe(422)
  })
  it('by moving somebody to a role, in any call', async () => {
    const { token, id } = await editor()
    const strong = await role(['dns:zone:delete'])
    expect((await as(token)('PATCH', '/roles/users', { users: [id], role: strong.id })).status).toBe(422)
    expect((await as(token)('PATCH', `/users/${id}`, { roleId: strong.id })).status).toBe(422)
    expect((await as(token)('POST', '/users', person({ roleId: strong.id }))).status).toBe(422)
  })
  it('without the right to move people', async () => {
    const { token, id } = await t.somebody(['users:user:update', 'users:user:create'])
    const weak = await role([])
    const denied = { status: 403, body: { message: 'Needs “Assign people to roles”' } }
    expect(await as(token)('PATCH', `/users/${id}`, { roleId: weak.id })).toMatchObject(denied)
    expect(await as(token)('POST', '/users', person({ roleId: weak.id }))).toMatchObject(denied)
  })
  it('by appointing administrators or changing the accounts of these', async () => {
    const { token, id } = await editor()
    expect((await as(token)('PATCH', `/users/${id}`, { isAdmin: true })).status).toBe(422)
    expect((await as(token)('POST', '/users', person({ isAdmin: true }))).status).toBe(422)
    const boss = await t.somebody('admin')
    for (const answer of [
      await as(token)('PATCH', `/users/${boss.id}`, { email: `mine${n}@example.org` }),
      await as(token)('POST', `/users/${boss.id}/link`),
      await as(token)('POST', `/users/${boss.id}/password`, { password: 'nine blue kettles' }),
      await as(token)('DELETE', `/users/${boss.id}/second-factor`),
      await as(token)('DELETE', '/users', { id: boss.id }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'denied' } })
  })
  it('by getting access to the account of a person with more permissions', async () => {
    const { token } = await t.somebody(['users:user:update'])
    const { id } = await t.somebody(['dns:zone:delete'])
    expect((await as(token)('POST', `/users/${id}/link`)).status).toBe(403)
    expect((await as(token)('POST', `/users/${id}/password`, { password: 'nine blue kettles' })).status).toBe(403)
    const { id: lesser } = await t.somebody([])
    expect((await as(token)('POST', `/users/${lesser}/link`)).status).toBe(201)
  })
})

describe('the last administrator', () => {
  it('stays an administrator, even if two lose the flag concurrently', async () => {
    const own = await openTestApp()
    try {
      const [one, two] = [await own.somebody('admin'), await own.somebody('admin')]
      const demote = (who: { token: string }, whom: { id: number }) =>
        own.call('PATCH', `/api/auth/users/${whom.id}`, { token: who.token, body: { isAdmin: false } })
      const answers = await Promise.all([demote(one, two), demote(two, one)])
      // The second is refused as the last administrator, or as no longer an administrator if that was read in time.
      expect(answers.map(({ status }) => status).sort()).toEqual([200, expect.toBeOneOf([403, 422])])
      const left = answers[0]?.status === 200 ? one : two
      expect((await demote(left, left)).status).toBe(422)
      expect((await own.call('DELETE', '/api/auth/users', { token: left.token, body: { id: left.id } })).status).toBe(
        422,
      )
    } finally {
      await own.close()
    }
  })
  it('is not locked out at a known address by guesses from other addresses', async () => {
    const { id } = await t.somebody('admin', `boss${++n}`)
    await t.app.db.execute(sql`update sessions set ip = '127.0.0.1' where user_id = ${id}`)
    await t.app.db.execute(sql`insert into sign_in_attempts (name, failed, since) values (${`boss${n}`}, 50, now())`)
    expect((await as('')('POST', '/token', { user: `boss${n}`, password: `password of boss${n}` })).status).toBe(200)
  })
})

describe('a locked account', () => {
  it('is shown as locked in the list, and an administrator can unlock it', async () => {
    const { id } = await t.somebody([], `locked${++n}`)
    const signIn = (password: string) => as('')('POST', '/token', { user: `locked${n}`, password })
    for (let i = 0; i < 6; i++) await signIn('wrong')
    const found = await as(admin.token)('GET', '/users?state=locked')
    expect(found.body.items.map((user: { id: number }) => user.id)).toEqual([id])
    expect((await signIn(`password of locked${n}`)).status).toBe(429)
    expect((await as(admin.token)('POST', `/users/${id}/unlock`)).status).toBe(204)
    expect((await signIn(`password of locked${n}`)).status).toBe(200)
  })
})

describe('staff are found', () => {
  const ids = (answer: { body: { items: { id: number }[] } }) => answer.body.items.map(({ id }) => id)
  it('by part of name, user name and email address, ignoring case', async () => {
    const { body } = await as(admin.token)('POST', '/users', person({ lastName: 'Zwölfender' }))
    for (const search of ['zwölf', body.username.toUpperCase(), body.email])
      expect(ids(await as(admin.token)('GET', `/users?search=${encodeURIComponent(search)}`))).toEqual([body.id])
    expect(ids(await as(admin.token)('GET', '/users?search=%25'))).toEqual([])
  })
  it('by ids and email addresses; unknown ones are left out, and an empty list finds nobody', async () => {
    const { body } = await as(admin.token)('POST', '/users', person())
    expect(ids(await as(admin.token)('POST', '/users/ids', { ids: [body.id, 999_999] }))).toEqual([body.id])
    const emails = [body.email.toUpperCase(), 'nobody@example.org']
    expect(ids(await as(admin.token)('POST', '/users/emails', { emails }))).toEqual([body.id])
    expect((await as(admin.token)('POST', '/users/ids', { ids: [] })).body).toEqual({ items: [], total: 0 })
  })
  it('by permission: through their role, or as administrators', async () => {
    const { id } = await t.somebody(['qa:ticket:review'])
    const other = await t.somebody(['qa:ticket:read'])
    for (const path of ['/users/qa', '/users/scopes/qa%3Aticket%3Areview', '/users?scope=qa:ticket:review,x:y:z']) {
      const found = ids(await as(admin.token)('GET', `${path}${path.includes('?') ? '&' : '?'}itemsPerPage=200`))
      expect(found).toContain(id)
      expect(found).toContain(admin.id)
      expect(found).not.toContain(other.id)
    }
    expect(ids(await as(admin.token)('GET', '/users/qa-managers?itemsPerPage=200'))).not.toContain(id)
    expect(ids(await as(admin.token)('GET', '/users/shift-managers?itemsPerPage=200'))).not.toContain(id)
  })
  it('by department; 404 for a missing department', async () => {
    const department = (await as(admin.token)('POST', '/departments', { name: `Dept ${++n}` })).body
    const { body } = await as(admin.token)('POST', '/users', person({ departmentId: department.id }))
    expect(ids(await as(admin.token)('GET', `/users/department/${department.id}`))).toEqual([body.id])
    expect((await as(admin.token)('GET', `/users-departments?ids=${body.id},${admin.id}`)).body.items).toEqual([
      { id: admin.id, name: 'Some root', departmentId: null, departmentName: null },
      { id: body.id, name: body.name, departmentId: department.id, departmentName: department.name },
    ])
    expect((await as(admin.token)('GET', '/users/department/999999')).status).toBe(404)
  })
})

describe('who can give something', () => {
  it('is answered to everybody with names only: administrators, and role editors who have it', async () => {
    const { token } = await t.somebody([])
    await t.somebody(['dns:zone:delete', 'users:role:update'], `editor${++n}`)
    await t.somebody(['dns:zone:read', 'users:role:update'], `reader${n}`)
    await t.app.db.execute(sql`update users set is_admin = false where is_admin and user_id <> ${admin.id}`)
    const { body } = await as(token)('GET', '/scopes/grantors?scopes=dns:zone:delete,no:such:scope')
    expect(body.items).toEqual([
      { scope: 'dns:zone:delete', label: 'Delete DNS zones', names: ['Some root', `Some editor${n}`], more: false },
    ])
  })
})

describe('asking for permissions', () => {
  it('notifies people who can grant all of them, once a day, and nobody for permissions that the caller has', async () => {
    const asker = await t.somebody(['dns:zone:read'], `asker${++n}`)
    const editor = await t.somebody(['dns:zone:update', 'users:role:update'], `grants${n}`)
    const reader = await t.somebody(['dns:zone:read', 'users:role:update'], `cannot${n}`)
    const ask = (scopes: string[], path = '/dns') => as(asker.token)('POST', '/scopes/ask', { scopes, path })
    expect((await ask(['dns:zone:update', 'dns:zone:read'])).status).toBe(200)
    const heard = async (id: number) =>
      (
        await rows<{ title: string; link: string }>(
          t.app.db,
          sql`select title, link from notifications where user_id = ${id} and title like '%asks for%'`,
        )
      ).map(({ title, link }) => [title, link])
    const said = [`Some asker${n} asks for “${permissionWords('dns:zone:update')}”`, `/users/${asker.id}`]
    expect(await Promise.all([admin, editor, reader, asker].map(({ id }) => heard(id)))).toEqual([
      [said],
      [said],
      [],
      [],
    ])
    expect((await ask(['dns:zone:update'])).status).toBe(409)
    expect((await ask(['dns:zone:read'])).body).toEqual({ asked: 0 })
    expect((await ask(['dns:zone:delete'], 'https://evil.example/')).status).toBe(400)
  })
})

describe('scope sync', () => {
  it('makes the stored permissions equal to the catalogue and answers the changes', async () => {
    const first = await as(admin.token)('POST', '/scopes/sync')
    expect(first.status).toBe(200)
    expect((await as(admin.token)('POST', '/scopes/sync')).body).toMatchObject({ added: [], removed: [], roles: [] })
    const { body: holder } = await as(admin.token)('POST', '/roles', { name: `Old ${++n}`, scopes: ['dns:zone:read'] })
    await t.app.db.execute(sql`delete from scopes where scope = 'dns:zone:read'`)
    await t.app.db.execute(sql`insert into scopes (scope, description) values ('old:thing:read', 'x')`)
    await t.app.db.execute(sql`update roles set scopes = scopes || '{old:thing:read}' where role_id = ${holder.id}`)
    expect((await as(admin.token)('POST', '/scopes/sync')).body).toMatchObject({
      added: ['dns:zone:read'],
      removed: ['old:thing:read'],
      roles: [{ id: holder.id, lost: ['old:thing:read'] }],
      total: Object.keys(permissions).length,
    })
    const listed = await as(admin.token)('GET', '/scopes')
    expect(listed.body.items.map(({ scope }: { scope: string }) => scope).sort()).toEqual(
      Object.keys(permissions).sort(),
    )
  })
})

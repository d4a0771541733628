import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { resetAdministrator } from '../users/administrator.ts'
import { base32, codeAt, fromBase32, stepAt, stepOf } from './totp.ts'

describe('one-use passwords', () => {
  // RFC 6238, appendix B: SHA-1, eight digits
  const secret = base32(Buffer.from('12345678901234567890'))
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('at %i equal those of RFC 6238', (seconds, code) => {
    expect(codeAt(secret, stepAt(new Date(seconds * 1000)), 8)).toBe(code)
  })
  it('encode secrets as in RFC 4648', () => {
    expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
    expect(fromBase32('MZXW6YTBOI').toString()).toBe('foobar')
  })
  it('are accepted one time step before and after their own', () => {
    const now = new Date(1_700_000_000_000)
    const at = stepAt(now)
    const found = [-2, -1, 0, 1, 2].map((n) => stepOf(secret, codeAt(secret, at + n), now))
    expect(found).toEqual([undefined, at - 1, at, at + 1, undefined])
  })
})

describe('a second factor', () => {
  let t: TestApp
  let n = 0
  beforeAll(async () => {
    t = await openTestApp()
    await t.somebody('admin', 'root')
  })
  afterAll(() => t.close())

  const call = (token: string, method: Parameters<TestApp['call']>[0], path: string, body?: unknown) =>
    t.call(method, `/api/auth${path}`, { ...(token && { token }), ...(body !== undefined && { body }) })
  /** The code of a time step counted from now; tests use each step only once. */
  const code = (secret: string, later = 0) => codeAt(secret, stepAt(new Date()) + later)
  const enrolled = async () => {
    const name = `factor${++n}`
    const { id, token } = await t.somebody([], name)
    const { secret, uri } = (await call(token, 'POST', '/second-factor', { password: `password of ${name}` })).body
    const confirm = () => call(token, 'PATCH', '/second-factor', { code: code(secret, -1) })
    let confirmed = await confirm()
    // the time step changed meanwhile, so that the code was too old
    if (confirmed.status === 400) confirmed = await confirm()
    expect(confirmed.status).toBe(200)
    const signIn = (more: object = {}) =>
      call('', 'POST', '/token', { user: name, password: `password of ${name}`, ...more })
    return { id, name, token, secret, uri, codes: confirmed.body.backupCodes as string[], signIn }
  }

  it('is required once it is confirmed; the password alone no longer signs in', async () => {
    const { signIn, secret, uri } = await enrolled()
    expect(uri).toContain(`secret=${secret}`)
    expect(await signIn()).toMatchObject({ status: 401, body: { code: 'second-factor' } })
    expect(await signIn({ code: '000000' })).toMatchObject({ status: 401, body: { code: 'second-factor' } })
    expect((await signIn({ code: code(secret) })).status).toBe(200)
  })
  it('accepts each code once', async () => {
    const { signIn, secret } = await enrolled()
    const now = code(secret)
    const both = await Promise.all([signIn({ code: now }), signIn({ code: now })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await signIn({ code: code(secret, -1) })).status).toBe(401)
  })
  it('accepts each backup code once, and stores none in plain text', async () => {
    const { signIn, codes, id } = await enrolled()
    expect(new Set(codes).size).toBe(10)
    const [first = ''] = codes
    expect((await signIn({ code: first.toLowerCase() })).status).toBe(200)
    expect((await signIn({ code: first })).status).toBe(401)
    const stored = JSON.stringify(await t.app.db.execute(sql`select * from backup_codes where user_id = ${id}`))
    for (const kept of codes) {
      expect(stored).not.toContain(kept)
      expect(stored).not.toContain(kept.replaceAll('-', ''))
    }
  })
  it('counts wrong codes like wrong passwords; requesting a code does not count', async () => {
    const { signIn, secret } = await enrolled()
    for (let i = 0; i < 10; i++) expect((await signIn()).status).toBe(401)
    for (let i = 0; i < 5; i++) expect((await signIn({ code: '000000' })).status).toBe(401)
    expect((await signIn({ code: code(secret) })).status).toBe(429)
  })
  it('that a role requires blocks all other calls until it is set up, even in an open session', async () => {
    const admin = await t.somebody('admin')
    const { token } = await t.somebody(['website:website:read'], `required${++n}`)
    const roles = await call(admin.token, 'GET', `/roles?search=required${n}`)
    await call(admin.token, 'PATCH', `/roles/${roles.body.items[0].id}`, { requiresSecondFactor: true })
    const ask = async () => (await t.call('GET', '/api/websites', { token })).body.code
    await expect.poll(ask).toBe('owes-second-factor')
    const password = `password of required${n}`
    const { secret } = (await call(token, 'POST', '/second-factor', { password })).body
    expect((await call(token, 'PATCH', '/second-factor', { code: code(secret) })).status).toBe(200)
    await expect.poll(ask).toBeUndefined()
    const off = await call(token, 'DELETE', '/second-factor', { password, code: code(secret, 1) })
    expect(off).toMatchObject({ status: 422, body: { message: expect.stringContaining('requires') } })
  })
  it('requires the password for its setup, and password and code for new backup codes', async () => {
    const name = `factor${++n}`
    const { token } = await t.somebody([], name)
    expect((await call(token, 'POST', '/second-factor', {})).status).toBe(400)
    const wrong = await call(token, 'POST', '/second-factor', { password: 'wrong' })
    expect(wrong).toMatchObject({ status: 422, body: { fields: { password: 'Not your password' } } })
    const one = await enrolled()
    const password = `password of ${one.name}`
    const codes = (more: object) => call(one.token, 'POST', '/second-factor/backup-codes', { password, ...more })
    expect((await codes({ code: '000000' })).status).toBe(422)
    expect((await codes({ code: one.codes[1] })).body.backupCodes).toHaveLength(10)
    for (let i = 0; i < 5; i++) await codes({ code: '000000' })
    expect((await codes({ code: one.codes[2] })).status).toBe(429)
  })
  it('is removed with its owner’s password and a code, or by an administrator', async () => {
    const one = await enrolled()
    const password = `password of ${one.name}`
    const remove = (body: object) => call(one.token, 'DELETE', '/second-factor', body)
    expect(await remove({ password })).toMatchObject({ status: 400, body: { fields: { code: expect.any(String) } } })
    expect(await remove({ password, code: '000000' })).toMatchObject({
      status: 422,
      body: { fields: { code: expect.stringMatching(/Wrong/) } },
    })
    expect((await remove({ password: 'wrong', code: one.codes[0] })).status).toBe(422)
    const inAddress = `?password=${encodeURIComponent(password)}&code=${one.codes[0]}`
    expect(await call(one.token, 'DELETE', `/second-factor${inAddress}`)).toMatchObject({
      status: 400,
      body: { fields: { password: expect.stringMatching(/in the body/) } },
    })
    expect((await remove({ password, code: one.codes[0] })).status).toBe(204)
    expect((await one.signIn()).status).toBe(200)
    const two = await enrolled()
    const admin = await t.somebody('admin')
    expect((await call(admin.token, 'DELETE', `/users/${two.id}/second-factor`)).status).toBe(204)
    expect((await two.signIn()).status).toBe(200)
  })
  it('does not lock out administrators permanently: a reset removes it', async () => {
    const { password } = await resetAdministrator(t.app.db, t.app)
    const { token } = (await call('', 'POST', '/token', { user: 'admin', password })).body
    const { secret } = (await call(token, 'POST', '/second-factor', { password })).body
    await call(token, 'PATCH', '/second-factor', { code: code(secret) })
    expect((await call('', 'POST', '/token', { user: 'admin', password })).status).toBe(401)
    const again = await resetAdministrator(t.app.db, t.app)
    expect((await call('', 'POST', '/token', { user: 'admin', password: again.password })).status).toBe(200)
  })
})

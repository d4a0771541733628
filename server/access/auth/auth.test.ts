import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { ensureAdministrator, resetAdministrator } from '../users/administrator.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const signIn = (user: string, password: string) => t.call('POST', '/api/auth/token', { body: { user, password } })

describe('sign-in', () => {
  it('gives a token for the right password, even if the case of the name differs', async () => {
    await t.somebody([], 'anna')
    const { status, body } = await signIn('Anna', 'password of anna')
    expect(status).toBe(200)
    expect(body.token.split('.')).toHaveLength(3)
  })
  it('gives the same answer for a wrong password and an unknown name', async () => {
    await t.somebody([], 'bert')
    const [wrong, nobody] = [await signIn('bert', 'x'), await signIn('nobody-at-all', 'x')]
    expect(wrong.status).toBe(401)
    expect(nobody).toMatchObject({ status: 401, body: { message: wrong.body.message } })
  })
  it('tests only five of fifty simultaneous guesses, and then locks out the right password too', async () => {
    await t.somebody([], 'carla')
    const answers = await Promise.all(Array.from({ length: 50 }, () => signIn('carla', 'guess')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
    expect((await signIn('carla', 'password of carla')).status).toBe(429)
  })
  it('locks an unknown name in the same way', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => signIn('ghost', 'guess')))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
  })
  it('names the missing field', async () => {
    expect(await t.call('POST', '/api/auth/token', { body: { user: '' } })).toMatchObject({
      status: 400,
      body: { fields: { user: 'Required', password: expect.any(String) } },
    })
  })
})

describe('a session', () => {
  it('answers the thirteen fields of its person', async () => {
    const { id, token } = await t.somebody(['dns:zone:read'], 'dora')
    const { body } = await t.call('GET', '/api/auth/validate', { token })
    expect(body.valid).toBe(true)
    expect(Object.keys(body.user).sort()).toEqual(
      [
        'id',
        'profileId',
        'username',
        'email',
        'name',
        'jwt',
        'wsKey',
        'isAdmin',
        'scopes',
        'departmentId',
        'darkTheme',
        'showReviewedEscalations',
        'profileImage',
      ].sort(),
    )
    expect(body.user).toMatchObject({
      id,
      username: 'dora',
      name: 'Some dora',
      jwt: token,
      isAdmin: false,
      scopes: ['dns:zone:read'],
    })
  })
  it('ends on every node immediately', async () => {
    const { token } = await t.somebody([], 'emil')
    expect((await t.call('GET', '/api/auth/validate', { token })).status).toBe(200)
    expect((await t.call('GET', '/api/auth/logout', { token })).status).toBe(204)
    expect(await t.call('GET', '/api/auth/validate', { token })).toMatchObject({
      status: 401,
      body: { message: "No credentials found for given 'iss'" },
    })
  })
  it('reads rights from the database, so that a change applies to issued tokens', async () => {
    const { id, token } = await t.somebody([], 'fred')
    expect((await t.call('GET', '/api/websites', { token })).status).toBe(403)
    await t.app.db.execute(
      `update roles set scopes = '{website:website:read}' where role_id = (select role_id from users where user_id = ${id})`,
    )
    await t.app.sessions.touch(t.app.db, id)
    await expect.poll(async () => (await t.call('GET', '/api/websites', { token })).status).toBe(200)
  })
  it('distinguishes an expired token from one with another key or algorithm', async () => {
    const claims = (key: string, when: string) =>
      new SignJWT({})
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer('x')
        .setSubject('1')
        .setExpirationTime(when)
        .sign(new TextEncoder().encode(key))
    const ours = 'a secret for tests only, long enough for HS256'
    expect((await t.call('GET', '/api/auth/validate', { token: await claims(ours, '1s ago') })).body.message).toBe(
      'token expired',
    )
    const unknown = "No credentials found for given 'iss'"
    expect((await t.call('GET', '/api/auth/validate', { token: await claims(ours, '1h') })).body.message).toBe(unknown)
    expect(
      (
        await t.call('GET', '/api/auth/validate', {
          token: await claims('another secret, long enough for HS256 too', '1h'),
        })
      ).body.message,
    ).toBe(unknown)
    const none = `${btoa('{"alg":"none"}')}.${btoa('{"iss":"x","sub":"1","exp":9999999999}')}.`.replaceAll('=', '')
    expect((await t.call('GET', '/api/auth/validate', { token: none })).body.message).toBe(unknown)
  })
})

describe('the first administrator', () => {
  it('is created once, with a password that is shown once', async () => {
    const { password } = await ensureAdministrator(t.app.db, undefined)
    expect(password).toMatch(/^[\w-]{16}$/)
    expect(await ensureAdministrator(t.app.db, undefined)).toEqual({})
    expect((await signIn('admin', password ?? '')).status).toBe(200)
  })
  it('gets a new password by reset, which ends the old password and all sessions', async () => {
    const { password } = await resetAdministrator(t.app.db, t.app)
    const { body } = await signIn('admin', password)
    const again = await resetAdministrator(t.app.db, t.app)
    expect((await signIn('admin', password)).status).toBe(401)
    await expect.poll(async () => (await t.call('GET', '/api/auth/validate', { token: body.token })).status).toBe(401)
    expect((await signIn('admin', again.password)).status).toBe(200)
  })
})

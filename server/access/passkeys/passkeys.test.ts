import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { Authenticator } from './test/authenticator.ts'

let t: TestApp
let n = 0
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const origin = 'http://localhost'
const call = (token: string, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api/auth${path}`, { ...(token && { token }), ...(body !== undefined && { body }) })
const challenge = async () => (await call('', 'POST', '/passkeys/challenge', {})).body.options
const signIn = async (key: Authenticator, lie = {}) =>
  call('', 'POST', '/passkeys/token', { passkey: key.get(await challenge(), origin, lie) })

/** A person with a passkey. */
async function enrolled(scopes: string[] | 'admin' = []) {
  const name = `keys${++n}`
  const { id, token } = await t.somebody(scopes, name)
  const key = new Authenticator()
  const { options } = (await call(token, 'POST', '/passkeys/options', { password: `password of ${name}` })).body
  const added = await call(token, 'POST', '/passkeys', { name: 'Blue key', passkey: key.create(options, origin) })
  expect(added).toMatchObject({ status: 201, body: { name: 'Blue key', lastUsedAt: null } })
  return { id, name, token, key, options, added: added.body, password: `password of ${name}` }
}

describe('a passkey', () => {
  it('signs in alone, and tells when it was used', async () => {
    const { key, token } = await enrolled()
    const { status, body } = await signIn(key)
    expect(status).toBe(200)
    expect((await call(body.token, 'GET', '/validate')).status).toBe(200)
    expect((await call(token, 'GET', '/passkeys')).body.items).toMatchObject([{ lastUsedAt: expect.any(String) }])
  })
  it('replaces the code beside a password, which alone no longer signs in', async () => {
    const { name, password, key, added } = await enrolled()
    const by = (more: object = {}) => call('', 'POST', '/token', { user: name, password, ...more })
    expect(await by()).toMatchObject({ status: 401, body: { code: 'second-factor' } })
    expect((await by({ passkey: key.get(await challenge(), origin) })).status).toBe(200)
    const other = await enrolled()
    expect((await by({ passkey: other.key.get(await challenge(), origin) })).status).toBe(401)
    expect(added.backupCodes).toHaveLength(10)
    expect((await by({ code: added.backupCodes[0] })).status).toBe(200)
    expect((await by({ code: added.backupCodes[0] })).status).toBe(401)
  })
  it.each([
    ['of another origin', { origin: 'http://evil.example' }, 'another page'],
    ['of another port', { origin: 'http://localhost:9999' }, 'another page'],
    ['for another name', { rpID: 'evil.example' }, 'another address'],
    ['without finger, face or PIN', { isVerified: false }, 'did not ask'],
    ['with a counter that went back', { counter: 1 }, 'copied'],
  ])('answer %s is refused', async (_, lie, words) => {
    const { key } = await enrolled()
    expect((await signIn(key)).status).toBe(200)
    const answer = await signIn(key, lie)
    expect(answer).toMatchObject({ status: 401, body: { message: expect.stringContaining(words) } })
  })
  it('answers each challenge once, and none that was not sent', async () => {
    const { key } = await enrolled()
    const options = await challenge()
    const passkey = key.get(options, origin)
    const both = await Promise.all([1, 2].map(() => call('', 'POST', '/passkeys/token', { passkey })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await call('', 'POST', '/passkeys/token', { passkey: key.get(options, origin) })).status).toBe(401)
    const guessed = key.get({ ...options, challenge: 'guess' }, origin)
    expect((await call('', 'POST', '/passkeys/token', { passkey: guessed })).status).toBe(401)
    const old = await challenge()
    await t.app.db.execute(sql`update passkey_challenges set expires_at = now() - interval '1 second'`)
    expect((await call('', 'POST', '/passkeys/token', { passkey: key.get(old, origin) })).status).toBe(401)
    expect((await signIn(new Authenticator())).status).toBe(401)
  })
  it('is added by its person only, with the password, for a challenge of their own', async () => {
    const one = await enrolled()
    const two = await enrolled()
    expect((await call(one.token, 'POST', '/passkeys/options', { password: 'wrong' })).status).toBe(422)
    const { options } = (await call(one.token, 'POST', '/passkeys/options', { password: one.password })).body
    const add = (token: string, key: Authenticator, lie = {}) =>
      call(token, 'POST', '/passkeys', { name: 'Key', passkey: key.create(options, origin, lie) })
    expect((await add(two.token, new Authenticator())).status).toBe(422)
    expect((await add(one.token, new Authenticator(), { origin: 'http://evil.example' })).status).toBe(422)
    expect((await add(one.token, new Authenticator(), { isVerified: false })).status).toBe(422)
    expect((await add(one.token, two.key)).status).toBe(422) // belongs to somebody else
    expect((await add(one.token, new Authenticator())).status).toBe(201)
    expect((await add(one.token, new Authenticator())).status).toBe(422) // the challenge is used
  })
  it('is renamed and removed by its person only, and then signs in nobody', async () => {
    const { token, key, added, password, name } = await enrolled()
    const other = await t.somebody([])
    expect((await call(other.token, 'PATCH', `/passkeys/${added.id}`, { name: 'Mine' })).status).toBe(404)
    expect((await call(token, 'PATCH', `/passkeys/${added.id}`, { name: 'Old key' })).body.name).toBe('Old key')
    expect((await call(token, 'DELETE', `/passkeys/${added.id}`, { password: 'wrong' })).status).toBe(422)
    expect((await call(token, 'DELETE', `/passkeys/${added.id}`, { password })).status).toBe(204)
    expect((await signIn(key)).status).toBe(401)
    expect((await call('', 'POST', '/token', { user: name, password })).status).toBe(200)
  })
  it('meets the demand of a role for a second factor, and the last one stays while the role demands it', async () => {
    const { id, token, added, password } = await enrolled()
    await t.app.db.execute(
      sql`update roles set requires_second_factor = true where role_id = (select role_id from users where user_id = ${id})`,
    )
    await t.app.sessions.touch(t.app.db, id)
    expect((await call(token, 'GET', '/sessions')).status).toBe(200)
    const refused = await call(token, 'DELETE', `/passkeys/${added.id}`, { password })
    expect(refused).toMatchObject({ status: 422, body: { message: expect.stringContaining('requires') } })
  })
})

describe('the recovery of an account', () => {
  it('needs two people, and gives one link that removes the lost factors', async () => {
    const lost = await enrolled()
    const [one, two] = [await t.somebody('admin'), await t.somebody('admin')]
    await call(one.token, 'PATCH', '/sign-in-settings', { twoForRecovery: true })
    expect((await call(one.token, 'DELETE', `/users/${lost.id}/second-factor`)).status).toBe(422)
    const asked = await call(one.token, 'POST', '/recoveries', {
      userId: lost.id,
      reason: 'The phone fell into the sea',
    })
    expect(asked).toMatchObject({ status: 201, body: { ending: null } })
    const { id } = asked.body
    expect((await call(two.token, 'POST', '/recoveries', { userId: lost.id, reason: 'Again' })).status).toBe(409)
    expect((await call(one.token, 'POST', `/recoveries/${id}/confirmation`)).status).toBe(403)
    const weak = await t.somebody(['users:user:update'])
    await t.app.db.execute(sql`update users set is_admin = true where user_id = ${lost.id}`)
    expect((await call(weak.token, 'POST', `/recoveries/${id}/confirmation`)).status).toBe(403)
    await t.app.db.execute(sql`update users set is_admin = false where user_id = ${lost.id}`)
    await t.app.db.execute(sql`update users set suspended_at = now() where user_id = ${one.id}`)
    expect((await call(two.token, 'POST', `/recoveries/${id}/confirmation`)).status, 'the one who asked left').toBe(403)
    await t.app.db.execute(sql`update users set suspended_at = null where user_id = ${one.id}`)
    const confirmed = await call(two.token, 'POST', `/recoveries/${id}/confirmation`)
    expect(confirmed.status).toBe(200)
    expect((await call(two.token, 'POST', `/recoveries/${id}/confirmation`)).status).toBe(409)
    const link = confirmed.body.link.split('=')[1]
    expect((await call('', 'POST', '/link', { link })).body).toMatchObject({ secondFactor: false })
    expect((await signIn(lost.key)).status).toBe(200) // until the link is used, nothing is lost
    const redeem = () => call('', 'POST', '/link/token', { link, password: 'a fresh password of one’s own' })
    expect((await redeem()).status).toBe(200)
    expect((await redeem()).status).toBe(404)
    expect((await signIn(lost.key)).status).toBe(401)
    await call(one.token, 'PATCH', '/sign-in-settings', { twoForRecovery: false })
  })
  it('is refused or withdrawn, and expires', async () => {
    const lost = await enrolled()
    const [one, two] = [await t.somebody('admin'), await t.somebody('admin')]
    const ask = async () => (await call(one.token, 'POST', '/recoveries', { userId: lost.id, reason: 'Lost' })).body.id
    const first = await ask()
    expect((await call(two.token, 'DELETE', `/recoveries/${first}`)).status).toBe(204)
    const second = await ask()
    await t.app.db.execute(
      sql`update recoveries set expires_at = now() - interval '1 hour' where recovery_id = ${second}`,
    )
    expect((await call(two.token, 'POST', `/recoveries/${second}/confirmation`)).status).toBe(409)
    const third = await ask()
    const { items } = (await call(two.token, 'GET', '/recoveries')).body
    const endings = items.map(({ id, ending }: { id: number; ending: string | null }) => [id, ending])
    expect(endings.slice(0, 3)).toEqual([
      [third, null],
      [second, 'expired'],
      [first, 'refused'],
    ])
  })
})

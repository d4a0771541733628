import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { networkOf } from '../../../kit/http/address.ts'
import { retain } from '../../../kit/work/retention.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { OF_ADDRESS } from './attempts.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const signIn = async (user: string, password: string, remoteAddress: string) => {
  const payload = { user, password }
  return (await t.http.inject({ method: 'POST', url: '/api/auth/token', remoteAddress, payload })).statusCode
}
const logged = async (ip: string) => {
  const [row] = await rows<{ n: number }>(t.app.db, sql`select count(*)::int as n from action_logs where ip = ${ip}`)
  return row?.n
}

describe('sign-ins', () => {
  it('with the right password all succeed, even if many are concurrent', async () => {
    await t.somebody([], 'parallel')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => signIn('parallel', 'password of parallel', '192.0.2.1')),
    )
    expect(new Set(answers)).toEqual(new Set([200]))
  })

  it('of one address are limited for any names, and only these and one more are logged', async () => {
    const ip = '192.0.2.2'
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => signIn(`sprayed${n}`, 'guess', ip)))
    const wrong = answers.filter((status) => status === 401).length
    expect(wrong).toBeGreaterThanOrEqual(OF_ADDRESS)
    expect(wrong).toBeLessThan(OF_ADDRESS + 4) // plus concurrent ones
    expect(answers.filter((status) => status === 429)).toHaveLength(200 - wrong)
    expect(await logged(ip)).toBeLessThanOrEqual(wrong + 1)
    expect(await signIn('sprayed-elsewhere', 'guess', '192.0.2.3')).toBe(401)
  })
  it('of one IPv6 network count as one', async () => {
    for (let n = 0; n < OF_ADDRESS; n++) await signIn(`six${n}`, 'guess', `2001:db8:0:7::${n + 1}`)
    expect(await signIn('six', 'guess', '2001:db8:0:7:ffff::1')).toBe(429)
    expect(await signIn('six', 'guess', '2001:db8:0:8::1')).toBe(401)
    expect(['2001:DB8::1', '2001:db8:0:0:9::', '::ffff:192.0.2.1', '::1'].map(networkOf)).toEqual([
      ...['2001:db8:0:0::/64', '2001:db8:0:0::/64', '192.0.2.1', '0:0:0:0::/64'],
    ])
    // the connection has ended meanwhile
    expect(networkOf(undefined)).toBe('')
  })
  it('of a recently signed-in person are still accepted from an address where others are refused', async () => {
    const ip = '192.0.2.4'
    await t.somebody([], 'resident')
    expect(await signIn('resident', 'password of resident', ip)).toBe(200)
    for (let n = 0; n <= OF_ADDRESS; n++) await signIn(`neighbour${n}`, 'guess', ip)
    expect(await signIn('stranger', 'guess', ip)).toBe(429)
    expect(await signIn('resident', 'password of resident', ip)).toBe(200)
  })
  it('of a locked name are logged once more, and wrong links count too', async () => {
    const ip = '192.0.2.5'
    for (let n = 0; n < 12; n++) await signIn('locked', 'guess', ip)
    expect(await logged(ip)).toBe(6)
    const redeem = async () => {
      const payload = { link: crypto.randomUUID(), password: 'four green bottles' }
      const url = '/api/auth/link/token'
      return (await t.http.inject({ method: 'POST', url, remoteAddress: '192.0.2.6', payload })).statusCode
    }
    for (let n = 0; n < OF_ADDRESS; n++) expect(await redeem()).toBe(404)
    expect(await redeem()).toBe(429)
  })
  it('that were refused are deleted after a day', async () => {
    await t.app.db.execute(sql`insert into sign_in_attempts (name, failed, since)
      values ('old', 3, now() - interval '25 hours'), ('young', 3, now())`)
    await retain(t.app)
    const left = await rows<{ name: string }>(
      t.app.db,
      sql`select name from sign_in_attempts where name in ('old', 'young')`,
    )
    expect(left).toEqual([{ name: 'young' }])
  })
  it('are logged up to a total limit, for any number of addresses', async () => {
    await t.app.db.execute(sql`update sign_in_attempts set failed = 1000, since = now() where name = '' and place = ''`)
    expect(await signIn('many', 'guess', '192.0.2.9')).toBe(401)
    expect(await logged('192.0.2.9')).toBe(0)
  })
})

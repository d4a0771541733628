import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { readSettings } from '../app/settings.ts'
import { rows } from '../db/db.ts'

const PROXY = '10.1.0.5'
let t: TestApp
const before = process.env.INNKEEPER_TRUST_PROXY
beforeAll(async () => {
  process.env.INNKEEPER_TRUST_PROXY = `${PROXY}, 192.168.7.0/24, ::1`
  t = await openTestApp()
})
afterAll(async () => {
  if (before === undefined) delete process.env.INNKEEPER_TRUST_PROXY
  else process.env.INNKEEPER_TRUST_PROXY = before
  await t.close()
})

/** The logged address of a sign-in from `remoteAddress`. */
async function loggedAddress(remoteAddress: string, forwarded?: string): Promise<string | undefined> {
  const name = `stranger ${crypto.randomUUID()}`
  await t.http.inject({
    method: 'POST',
    url: '/api/auth/token',
    remoteAddress,
    headers: { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) },
    payload: { user: name, password: 'wrong' },
  })
  const [row] = await rows<{ ip: string }>(t.app.db, sql`select ip from action_logs where staff_name = ${name}`)
  return row?.ip
}

describe('the address of a client', () => {
  it.each([
    ['of nobody in between', '203.0.113.9', undefined, '203.0.113.9'],
    ['that a stranger claims', '203.0.113.9', '127.0.0.1', '203.0.113.9'],
    ['that the proxy saw', PROXY, '198.51.100.3', '198.51.100.3'],
    ['that the proxy saw, whatever was claimed to it', PROXY, '127.0.0.1, 198.51.100.3', '198.51.100.3'],
    ['behind two proxies', PROXY, '127.0.0.1, 198.51.100.3, 192.168.7.20', '198.51.100.3'],
    ['behind a proxy that nobody trusts', PROXY, '198.51.100.3, 192.168.8.20', '192.168.8.20'],
    ['as IPv4 where the node listens on IPv6', '::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['that the proxy saw where the node listens on IPv6', `::ffff:${PROXY}`, '198.51.100.3', '198.51.100.3'],
    ['as IPv6', '::1', '2001:db8::1, 2001:db8::2', '2001:db8::2'],
  ])('is the one %s', async (_, remote, forwarded, address) => {
    expect(await loggedAddress(remote, forwarded)).toBe(address)
  })

  it('must be this machine, without a proxy, to read the metrics', async () => {
    const status = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (await t.http.inject({ url: '/metrics', remoteAddress, headers })).statusCode
    expect(await status('127.0.0.1')).toBe(200)
    expect(await status('203.0.113.9')).toBe(404)
    expect(await status(PROXY, { 'x-forwarded-for': '127.0.0.1' })).toBe(404)
    expect(await status('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe(404)
    expect(await status('127.0.0.1', { 'x-real-ip': '203.0.113.9' })).toBe(404)
  })

  it.each([
    'true',
    '1',
    'loopback',
    '10.0.0.0/33',
    '10.0.0',
    '10.0.0.1/8/8',
  ])('ignores the invalid setting “%s”', (list) => {
    const env = { INNKEEPER_KEY: 'a key for tests only', INNKEEPER_TRUST_PROXY: list }
    expect(() => readSettings(env, [])).toThrow(/INNKEEPER_TRUST_PROXY: addresses or networks/)
  })
  it('is the address of the connection if the setting is missing', () => {
    expect(readSettings({ INNKEEPER_KEY: 'a key for tests only' }, []).trustProxy).toEqual([])
  })
})

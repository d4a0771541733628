import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countedAs } from '../../machines/ipsets/guessers/count.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerReads, carryOutAll, enrolled } from '../../test/work.ts'
import { readGuesses } from './guessers.ts'
import { mailboxes } from './tables.ts'

let t: TestApp
let admin: string
let mail: number
let old: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  mail = await enrolled(t.app.db, 'mail-1', { type: 'mail' })
  old = await enrolled(t.app.db, 'mail-old', { type: 'mail' })
  await t.app.db.insert(mailboxes).values([
    { domain: 'one.example', serverId: mail, state: 'applied' },
    { domain: 'two.example', serverId: old, state: 'applied' },
  ])
  await t.app.db.execute(sql`update server_states set last_seen_at = now() + interval '1 hour',
    operations = case when server_id = ${old} then array_remove(operations, 'mail-guesses.read') else operations end`)
})
afterAll(() => t.close())

const call = (method: 'GET' | 'DELETE' | 'PATCH', path: string, token = admin) =>
  t.call(method, `/api${path}`, { token })
/** Lets the mail server answer these fingerprints of an address. */
async function tell(address: string, pairs: readonly string[]) {
  await t.app.db.execute(sql`update mail_servers set read_at = now() - interval '1 minute' where server_id = ${mail}`)
  const asked: unknown[] = []
  const answer = ({ input }: { input: unknown }) => {
    asked.push(input)
    return { until: 1_700_000_000, guesses: [{ address, pairs }] }
  }
  expect(await answerReads(t.app.db, mail, answer, readGuesses(t.app))).toBe(1) // not the server with the old agent
  return asked[0]
}
const pairs = (n: number, from = 0) => Array.from({ length: n }, (_, i) => `pair ${from + i}`)
const look = async () => (await call('GET', `/mailbox/servers/${mail}`)).body
const bannedOf = async (address: string) =>
  (await look()).banned.find((one: { address: string }) => one.address === address)
const SET = '/ipset/sets/mail-guessers'

it('An IPv6 address counts as its /64 network, an IPv4 address in any notation as itself', () => {
  expect(
    ['192.0.2.7', '::ffff:192.0.2.7', '2001:db8:1:2:3::4', '2001:DB8:1:2::1', 'x', '127.0.0.1', '::1'].map(countedAs),
  ).toEqual([...['192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', '2001:db8:1:2::/64', undefined, undefined, undefined]])
})

describe('Guessers of mail passwords', () => {
  it('count each pair of user and password once, by the clock of the mail server', async () => {
    expect((await look()).readAt).toBeNull()
    expect(await tell('198.51.100.1', pairs(6))).toEqual({ since: 0 })
    expect(await tell('198.51.100.1', pairs(6))).toEqual({ since: 1_700_000_000 })
    await tell('198.51.100.1', pairs(5, 3))
    expect(await look()).toMatchObject({ guessers: [{ address: '198.51.100.1', tries: 8 }], banned: [] })
    expect((await look()).readAt).not.toBeNull()
    // a day after the first one, they begin anew
    await t.app.db.execute(sql`update guessers set first_at = now() - interval '25 hours'`)
    await tell('198.51.100.1', pairs(3, 20))
    expect((await look()).guessers).toMatchObject([{ tries: 3 }])
  })

  it('are banned on the ports of mail without 25, where the agent knows ports; a lift ends that, once', async () => {
    await tell('198.51.100.2', pairs(12))
    expect(await bannedOf('198.51.100.2')).toMatchObject({ reason: '12 failed mail sign-ins on mail-1' })
    const sent: { server: number; input: Record<string, unknown> }[] = []
    for (const server of [mail, old])
      await carryOutAll(t.app.db, server, ({ name, input }) => {
        if (name === 'ip-set.ensure') sent.push({ server, input })
        return {}
      })
    expect(sent).toMatchObject([{ server: mail, input: { ports: [110, 143, 465, 587, 993, 995, 4190] } }])
    expect(JSON.stringify(sent)).toContain('198.51.100.2')
    // somebody who may only read cannot lift
    const reader = (await t.somebody(['mailbox:mailbox:read'])).token
    expect((await call('GET', `/mailbox/servers/${mail}`, reader)).status).toBe(200)
    expect((await call('DELETE', `${SET}/ips/198.51.100.2`, reader)).status).toBe(403)
    expect((await call('DELETE', `${SET}/ips/198.51.100.2`)).status).toBe(204)
    expect((await call('DELETE', `${SET}/ips/198.51.100.2`)).status).toBe(404)
    expect(await bannedOf('198.51.100.2')).toBeUndefined()
    // a new agent of the other server receives the set with the next ban
    await t.app.db.execute(
      sql`update server_states set operations = operations || '{mail-guesses.read}' where server_id = ${old}`,
    )
    await t.app.db.execute(
      sql`insert into mail_servers (server_id, read_until, read_at) values (${old}, now(), now() + interval '1 hour')`,
    )
    await tell('198.51.100.3', pairs(10))
    await carryOutAll(t.app.db, old, ({ name, input }) => {
      if (name === 'ip-set.ensure') sent.push({ server: old, input })
      return {}
    })
    expect(sent.slice(0, 2)).toMatchObject([{ server: mail }, { server: old, input: { whole: true } }])
  })

  it('are banned as /64 network, beside a ban for FTP, and never together with a server', async () => {
    await t.app.db.execute(sql`insert into ip_sets (name, everywhere) values ('ftp-guessers', false)`)
    const guess = async (address: string) => tell(address, pairs(10))
    await tell('2001:db8:1:2::1', pairs(5))
    await tell('2001:db8:1:2::ffff', pairs(5, 5))
    expect(await bannedOf('2001:db8:1:2::/64')).toBeDefined()
    await t.app.db.execute(sql`update servers set address = '2001:db8:9:9::1' where server_id = ${mail}`)
    await guess('2001:db8:9:9::77')
    expect(await bannedOf('2001:db8:9:9::/64')).toBeUndefined()
    expect((await look()).guessers.map((one: { address: string }) => one.address)).not.toContain('2001:db8:9:9::/64')
  })
})

import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ban, bans, call, settled, soon, t, unban, view, work } from '../../test/ipsets.ts'
import { endExpired } from '../expiry.ts'

describe('a ban', () => {
  it('is sent as its one affected segment, and counts as applied once the server has it', async () => {
    const set = await settled()
    const { status, body } = await ban(set, '198.51.100.7', { reason: 'guesses passwords' })
    expect([status, body.ip, body.missingOn]).toEqual([201, '198.51.100.7', ['web-1', 'web-2']])
    expect(await work()).toEqual(['198.51.100.7-198.51.100.7: 198.51.100.7'])
    expect(await bans(set)).toMatchObject([{ reason: 'guesses passwords', appliedOn: ['web-1'], missingOn: ['web-2'] }])
    expect(await unban(set, '198.51.100.7')).toMatchObject({ status: 204 })
    expect(await work()).toEqual(['198.51.100.7-198.51.100.7:'])
    expect(await bans(set)).toEqual([])
    expect(await bans(set, '&state=ended')).toMatchObject([{ ip: '198.51.100.7', endedBy: expect.any(String) }])
  })

  it('is stored in canonical form, and found by every notation', async () => {
    const set = await settled()
    const { body } = await ban(set, '::ffff:203.0.113.77/120')
    expect([body.ip, body.notes]).toEqual(['203.0.113.0/24', ['Kept as 203.0.113.0/24']])
    expect((await ban(set, '2001:DB8:0::5/32')).body.ip).toBe('2001:db8::/32')
    expect((await bans(set, '&search=203.0.113.9')).map(({ ip }: { ip: string }) => ip)).toEqual(['203.0.113.0/24'])
    expect((await unban(set, '203.0.113.200/24')).status).toBe(204)
  })

  it('reports bans that cover it and bans that it covers', async () => {
    const set = await settled()
    await ban(set, '198.51.100.0/24')
    expect((await ban(set, '198.51.100.7')).body.fields.ip).toMatch(
      /^198\.51\.100\.0\/24 covers it already, banned by .*, for good$/,
    )
    expect((await ban(set, '198.51.100.0/24')).body.fields.ip).toMatch(/^Banned already by/)
    await ban(set, '203.0.113.0/24', { expiresAt: soon(10) })
    const inner = (await ban(set, '203.0.113.9')).body
    expect(inner.notes[0]).toMatch(/^203\.0\.113\.0\/24 covers it until .*; this ban applies afterwards$/)
    expect((await ban(set, '203.0.112.0/22')).body.notes).toEqual([
      'Covers 203.0.113.0/24, 203.0.113.9, which keep their own reasons and ends',
    ])
    const checked = await call('POST', `/${set}/check`, { ip: '198.51.100.0/23' })
    expect(checked.body).toEqual({
      ip: '198.51.100.0/23',
      problem: null,
      notes: ['Covers 198.51.100.0/24, which keep their own reasons and ends'],
    })
  })

  it('inside a network with an earlier end is cut out of the network', async () => {
    const set = await settled()
    await ban(set, '198.51.100.0/29', { expiresAt: soon(10) })
    await ban(set, '198.51.100.3')
    await work()
    await unban(set, '198.51.100.0/29')
    expect(await work()).toEqual(['198.51.100.0-198.51.100.7: 198.51.100.3'])
  })

  it.each([
    ['127.0.0.1', 'the machine itself'],
    ['::1', 'the machine itself'],
    ['0.0.0.0/0', 'Too wide'],
    ['::/0', 'Too wide'],
    ['10.0.0.0/8', 'Too wide'],
    ['10.77.1.11', 'the server web-1'],
    ['10.77.1.0/28', '10.77.1.0/28 overlaps 10.77.1.11'],
    ['fe80::/16', 'Too wide'],
    ['fe80::1', 'link-local'],
    ['ff02::1', 'multicast'],
    ['224.0.0.1', 'multicast'],
    ['198.51.100.20', 'is signed in from'],
    ['198.51.100.53', 'the name server ns1.guarded.example'],
    ['not an address', 'An address or a network'],
  ])('of %s is refused beside its field: %s', async (ip, why) => {
    const set = await settled()
    await t.app.db.execute(
      sql`update sessions set ip = '198.51.100.20' where session_id = (select min(session_id) from sessions)`,
    )
    await t.app.db.execute(
      sql`insert into dns_settings (id, name_servers, hostmaster) values (1, '{ns1.guarded.example}', 'h.example') on conflict do nothing`,
    )
    await t.app.db.execute(
      sql`insert into zones (domain, serial, digest) values ('guarded.example', 1, '') on conflict do nothing`,
    )
    await t.app.db.execute(sql`insert into records (zone_id, name, type, ttl, content)
      select zone_id, 'ns1', 'A', 300, '198.51.100.53' from zones where domain = 'guarded.example' on conflict do nothing`)
    const { status, body } = await ban(set, ip)
    expect([status, body.fields.ip]).toEqual([422, expect.stringContaining(why)])
    expect((await call('POST', `/${set}/check`, { ip })).body.problem).toContain(why)
    expect(await bans(set)).toEqual([])
  })

  it('of an address of Innkeeper’s own name is refused', async () => {
    const set = await settled()
    const { settings } = t.app
    settings.publicHost = '0xcb00714d' // not a literal address for Innkeeper, but every resolver reads 203.0.113.77
    try {
      for (const ip of ['203.0.113.77', '203.0.113.0/24'])
        expect((await ban(set, ip)).body.fields).toEqual({
          ip: expect.stringMatching(/203\.0\.113\.77.* the address of Innkeeper itself$/),
        })
    } finally {
      settings.publicHost = undefined
    }
    expect((await ban(set, '203.0.113.77')).status).toBe(201)
  })

  it('ends in the database when it expires, without a publication', async () => {
    const set = await settled()
    expect(
      (await ban(set, '198.51.100.8', { expiresAt: new Date(Date.now() - 1000).toISOString() })).body.fields,
    ).toEqual({
      expiresAt: 'This time has passed',
    })
    await ban(set, '198.51.100.8', { expiresAt: soon(5) })
    await work()
    await t.app.db.execute(
      sql`update bans set expires_at = now() - interval '1 second' where ip = '198.51.100.8' and ended_at is null`,
    )
    await endExpired(t.app)
    expect(await bans(set, '&state=ended')).toMatchObject([{ endedBy: 'its end' }])
    expect(await view(set)).toMatchObject({ bans: 0 })
    expect(await work()).toEqual([])
    expect((await ban(set, '198.51.100.8')).status).toBe(201)
  })

  it('can be changed; only a new end is sent to servers, and a stale change is refused', async () => {
    const set = await settled()
    await ban(set, '198.51.100.9', { expiresAt: soon(5) })
    await work()
    const change = (body: object) => call('PATCH', `/${set}/ips/198.51.100.9`, body)
    expect((await change({ reason: 'floods', version: 1 })).body).toMatchObject({ reason: 'floods', version: 2 })
    expect(await work()).toEqual([])
    expect((await change({ expiresAt: null, version: 1 })).status).toBe(409)
    expect((await change({ expiresAt: null, version: 2 })).body).toMatchObject({ expiresAt: null, reason: 'floods' })
    expect(await work()).toEqual(['198.51.100.9-198.51.100.9: 198.51.100.9'])
  })

  it('is refused when the set is full', async () => {
    const set = await settled({ maxElements: 1 })
    await ban(set, '198.51.100.1')
    expect((await ban(set, '198.51.100.2')).body.fields).toEqual({ ip: 'The set is full' })
    expect((await call('POST', `/${set}/import`, { text: '198.51.100.3\n' })).body.fields).toEqual({
      text: 'Room for 0 more',
    })
  })
})

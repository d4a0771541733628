import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { rows } from '../kit/db/db.ts'
import { claim, finish } from '../kit/work/claim.ts'
import { openTestApp, type TestApp } from '../testing/testApp.ts'
import { answerRead, carryOutAll, enrolled, setAside } from '../testing/work.ts'
import { compareOverdue } from './compare.ts'
import { endExpired } from './expiry.ts'

let t: TestApp
let admin: string
let web1: number
let web2: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  web1 = await enrolled(t.app.db, 'web-1', { address: '10.77.1.11' })
  web2 = await enrolled(t.app.db, 'web-2', { address: '10.77.1.12' })
})
afterAll(() => t.close())
beforeEach(async () => {
  await setAside(t.app.db)
  await t.app.db.execute(sql`update ip_sets set deleted_at = now() where deleted_at is null`)
  await t.app.db.execute(sql`delete from ip_set_servers`)
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/ipset/sets${path}`, { token, ...(body !== undefined && { body }) })

let n = 0
async function made(more: object = {}): Promise<string> {
  const { status, body } = await call('POST', '', { name: `set-${++n}`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.name
}
const view = async (set: string) => (await call('GET', `/${set}`)).body
const bans = async (set: string, query = '') => (await call('GET', `/${set}/ips?itemsPerPage=200${query}`)).body.items
const ban = (set: string, ip: string, more: object = {}) => call('POST', `/${set}/ips`, { ip, ...more })
const unban = (set: string, ip: string) => call('DELETE', `/${set}/ips/${encodeURIComponent(ip)}`)
const soon = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

interface Told {
  whole: boolean
  change: number
  parts: { first: string; last: string; elements: { first: string; last: string; until: number }[] }[]
}
/** What a server is told until nothing is left to tell; each line is `part: entries`. */
async function work(server = web1): Promise<string[]> {
  const told: string[] = []
  await carryOutAll(t.app.db, server, ({ name, input }) => {
    if (name === 'ip-set.remove') told.push(`removes ${input.set}`)
    if (name !== 'ip-set.ensure') return {}
    const { whole, parts } = input as unknown as Told
    for (const { first, last, elements } of parts)
      told.push(
        `${whole ? 'whole ' : ''}${first}-${last}: ${elements.map((one) => (one.first === one.last ? one.first : `${one.first}-${one.last}`)).join(' ')}`.trim(),
      )
    return { output: { elements: parts.flatMap(({ elements }) => elements).length } }
  })
  return told
}
const settled = async (more: object = {}) => {
  const set = await made(more)
  await work()
  await work(web2)
  return set
}
const openOn = async (server: number) =>
  (
    await rows<{ n: number }>(
      t.app.db,
      sql`select count(distinct w.workflow_id)::int as n from workflows w join actions a on a.workflow_id = w.workflow_id
        where w.ended_at is null and a.server_id = ${server} and a.status in ('ready', 'running', 'pending')`,
    )
  )[0]?.n

describe('a set', () => {
  it('is on every server by default, each told it whole and by a workflow of its own', async () => {
    const set = await made()
    expect(await view(set)).toMatchObject({ everywhere: true, bans: 0, servers: 2, applied: 0 })
    expect(await work()).toEqual([
      'whole 0.0.0.0-255.255.255.255:',
      'whole ::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:',
    ])
    expect(
      (await view(set)).onServers.map(({ name, standing }: Record<string, string>) => `${name} ${standing}`),
    ).toEqual(['web-1 same', 'web-2 telling'])
    await work(web2)
    expect(await view(set)).toMatchObject({ servers: 2, applied: 2 })
  })

  it('is on chosen servers only, and leaves one that is chosen no more', async () => {
    const set = await made({ serverIds: [web1] })
    expect(await view(set)).toMatchObject({ everywhere: false, servers: 1 })
    await work()
    const { body } = await call('PATCH', `/${set}`, { serverIds: [web2], version: 1 })
    expect(body.onServers.map(({ standing }: { standing: string }) => standing)).toEqual(['leaving', 'telling'])
    expect(await work()).toEqual([`removes ${set}`])
    await work(web2)
    expect((await view(set)).onServers).toMatchObject([{ name: 'web-2', standing: 'same' }])
  })

  it('waits for no server that has not come in yet, unless it was chosen', async () => {
    const [{ id = 0 } = {}] = await rows<{ id: number }>(
      t.app.db,
      sql`insert into servers (name, type) values ('late-1', 'web') returning server_id as id`,
    )
    expect(await view(await made())).toMatchObject({ servers: 2 })
    expect((await view(await made({ serverIds: [id] }))).onServers).toMatchObject([
      { name: 'late-1', standing: 'waiting', reason: 'Its agent has not enrolled yet' },
    ])
    await t.app.db.execute(sql`update servers set deleted_at = now() where server_id = ${id}`)
  })

  it('is told to a server that is provisioned', async () => {
    const set = await settled()
    const fresh = await enrolled(t.app.db, 'web-3', { type: 'web' })
    const { body } = await t.call('POST', `/api/cloud-management/servers/${fresh}/provision`, { token: admin })
    await work(fresh)
    expect((await view(set)).onServers).toContainEqual(expect.objectContaining({ name: 'web-3', standing: 'same' }))
    expect(body.workflowId).toBeGreaterThan(0)
    await t.app.db.execute(sql`update servers set deleted_at = now() where server_id = ${fresh}`)
  })

  it('has a name of its own, which is no address of a screen, and is on some server', async () => {
    const set = await made()
    expect((await call('POST', '', { name: set })).body).toMatchObject({
      code: 'conflict',
      fields: { name: 'There is one already' },
    })
    for (const name of ['create', 'Office', 'a', 'x_y', 'drop;', 'a'.repeat(32)])
      expect([name, (await call('POST', '', { name })).status]).toEqual([name, 400])
    expect((await call('POST', '', { name: 'none', everywhere: false })).body.fields).toHaveProperty('serverIds')
    expect((await call('POST', '', { name: 'none', serverIds: [99_999] })).body.fields).toEqual({
      serverIds: 'No server 99999',
    })
  })

  it('that is deleted is taken away everywhere, and its name is free afterwards', async () => {
    const set = await settled()
    expect((await call('DELETE', `/${set}`, { version: 9 })).status).toBe(409)
    expect((await call('DELETE', `/${set}`)).status).toBe(202)
    expect((await call('GET', `/${set}`)).status).toBe(404)
    expect((await call('POST', '', { name: set })).body.fields.name).toContain('still leaving web-1')
    expect([...(await work()), ...(await work(web2))]).toEqual([`removes ${set}`, `removes ${set}`])
    expect((await call('POST', '', { name: set })).status).toBe(201)
  })
})

describe('a ban', () => {
  it('is told as the one part that it touches, and is in force where that was done', async () => {
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

  it('is kept in its canonical form, and found by any other', async () => {
    const set = await settled()
    const { body } = await ban(set, '::ffff:203.0.113.77/120')
    expect([body.ip, body.notes]).toEqual(['203.0.113.0/24', ['Kept as 203.0.113.0/24']])
    expect((await ban(set, '2001:DB8:0::5/32')).body.ip).toBe('2001:db8::/32')
    expect((await bans(set, '&search=203.0.113.9')).map(({ ip }: { ip: string }) => ip)).toEqual(['203.0.113.0/24'])
    expect((await unban(set, '203.0.113.200/24')).status).toBe(204)
  })

  it('that another one covers says which, and one that covers others says them', async () => {
    const set = await settled()
    await ban(set, '198.51.100.0/24')
    expect((await ban(set, '198.51.100.7')).body.fields.ip).toMatch(
      /^198\.51\.100\.0\/24 covers it already, banned by .*, for good$/,
    )
    expect((await ban(set, '198.51.100.0/24')).body.fields.ip).toMatch(/^Banned already by/)
    await ban(set, '203.0.113.0/24', { expiresAt: soon(10) })
    const inner = (await ban(set, '203.0.113.9')).body
    expect(inner.notes[0]).toMatch(/^203\.0\.113\.0\/24 covers it until .* it stays banned by itself afterwards$/)
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

  it('in a network that ends sooner is cut out of it, and what covered it goes without it', async () => {
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
    ['10.77.1.0/28', '10.77.1.0/28 meets 10.77.1.11'],
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

  it('of any address that Innkeeper’s own name leads to is refused, beside this machine or not', async () => {
    const set = await settled()
    const { settings } = t.app
    settings.publicHost = '0xcb00714d' // a name to us; every resolver knows it without asking: 203.0.113.77
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

  it('ends in the database when its time has come, and needs no telling', async () => {
    const set = await settled()
    expect(
      (await ban(set, '198.51.100.8', { expiresAt: new Date(Date.now() - 1000).toISOString() })).body.fields,
    ).toEqual({
      expiresAt: 'Is over already',
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

  it('gets another end or reason; servers hear of the end alone, a stale change of nothing', async () => {
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

  it('that the set has no room for is refused', async () => {
    const set = await settled({ maxElements: 1 })
    await ban(set, '198.51.100.1')
    expect((await ban(set, '198.51.100.2')).body.fields).toEqual({ ip: 'The set is full' })
    expect((await call('POST', `/${set}/import`, { text: '198.51.100.3\n' })).body.fields).toEqual({
      text: 'Room for 0 more',
    })
  })
})

describe('a server that is away', () => {
  it('has one workflow waiting for it however much is banned, and then hears of all of it', async () => {
    const set = await settled()
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id = ${web2}`,
    )
    for (const ip of ['198.51.100.1', '198.51.100.2', '198.51.100.3']) await ban(set, ip)
    expect(await openOn(web2)).toBe(1)
    expect((await view(set)).onServers).toContainEqual(
      expect.objectContaining({
        name: 'web-2',
        standing: 'waiting',
        reason: 'It is offline: told as soon as it is back',
      }),
    )
    await t.app.db.execute(sql`update server_states set last_seen_at = now() where server_id = ${web2}`)
    const told = await work(web2)
    expect(told.join()).toContain('198.51.100.1')
    expect(told.join()).toContain('198.51.100.3')
    expect((await view(set)).onServers).toContainEqual(expect.objectContaining({ name: 'web-2', standing: 'same' }))
  })

  it('that could not be told says why, and is told all of it with the next change', async () => {
    const set = await settled()
    await ban(set, '198.51.100.1')
    await carryOutAll(t.app.db, web1, () => ({ status: 'failed', reason: 'nft: the kernel refuses it' }))
    expect((await view(set)).onServers[0]).toMatchObject({ standing: 'failed', reason: 'nft: the kernel refuses it' })
    await ban(set, '198.51.100.2')
    expect(await work()).toEqual(['198.51.100.1-198.51.100.1: 198.51.100.1', '198.51.100.2-198.51.100.2: 198.51.100.2'])
    expect((await view(set)).onServers[0]).toMatchObject({ standing: 'same' })
    const { items } = (await t.call('GET', '/api/workflows?subjectType=ip-set&status=failed', { token: admin })).body
    expect(items).toEqual([])
  })
})

describe('desired and applied', () => {
  const compared = async (server: number, seen: string) => {
    await carryOutAll(t.app.db, server, ({ name, input }) => {
      if (name !== 'ip-sets.compare') return { output: { elements: 1 } }
      const sets = (input.sets as { set: string }[]).map(({ set }) => ({ set, seen, elements: 1, packets: 12 }))
      return { output: { sets } }
    })
  }
  it('are compared on every server, and what differs is told whole again', async () => {
    const set = await settled()
    expect((await call('POST', `/${set}/sync`)).body).toMatchObject({ servers: 2 })
    await compared(web1, 'same')
    expect((await view(set)).onServers[0]).toMatchObject({ standing: 'same', packets: 12 })
    const [op] = await claim(t.app.db, web2, 'long', 1)
    const sets = [{ set, seen: 'missing', elements: 0, packets: 0 }]
    await finish(t.app.db, web2, [{ id: op!.id, attempt: op!.attempt, status: 'done', output: { sets } }])
    expect(await work(web2)).toEqual([
      'whole 0.0.0.0-255.255.255.255:',
      'whole ::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff:',
    ])
    expect((await view(set)).onServers[1]).toMatchObject({ standing: 'same' })
  })

  it('are compared by themselves some hours after they were last', async () => {
    const set = await settled()
    await compareOverdue(t.app)
    expect(await openOn(web1)).toBe(0)
    await t.app.db.execute(sql`update ip_set_servers set at = now() - interval '7 hours'`)
    await compareOverdue(t.app)
    expect(await openOn(web1)).toBe(1)
    await compared(web1, 'same')
    expect((await view(set)).onServers[0]).toMatchObject({ standing: 'same' })
  })

  it('a fresh search asks the servers, and says who did not answer', async () => {
    const set = await settled()
    await ban(set, '198.51.100.1')
    await ban(set, '198.51.100.2')
    await work()
    await work(web2)
    await t.app.db.execute(
      sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id = ${web2}`,
    )
    const asked = call('GET', `/${set}/ips?cache=false&sort=ip`)
    await expect.poll(() => answerRead(t.app.db, web1, { dropped: ['198.51.100.2'] })).toBe(true)
    const { body } = await asked
    await t.app.db.execute(sql`update server_states set last_seen_at = now() where server_id = ${web2}`)
    expect(body.items).toMatchObject([
      { ip: '198.51.100.1', appliedOn: ['web-2'], missingOn: ['web-1'] },
      { ip: '198.51.100.2', appliedOn: ['web-1', 'web-2'], missingOn: [] },
    ])
    expect(body.asked).toMatchObject([
      { name: 'web-1', answered: true, problem: null },
      { name: 'web-2', answered: false, problem: expect.stringContaining('has not been heard from') },
    ])
  })
})

describe('an import', () => {
  it('bans what is right, says what is wrong line by line, and is told in few operations', async () => {
    const set = await settled()
    await ban(set, '198.51.100.1')
    const text =
      '# a list\n198.51.100.1\n198.51.100.9 # twice\n198.51.100.9\n127.0.0.1\nnonsense\n2001:db8::1\n\n203.0.113.0/24 ; flood'
    const { status, body } = await call('POST', `/${set}/import`, { text, reason: 'a feed' })
    expect([status, body.banned]).toEqual([200, 3])
    expect(body.skipped.map(({ line, why }: { line: number; why: string }) => `${line} ${why}`)).toEqual([
      '2 Banned already',
      '4 Stands above already',
      '5 127.0.0.1 meets 127.0.0.0/8, the machine itself',
      '6 Not an address or a network',
    ])
    expect(await bans(set, '&search=a feed')).toHaveLength(3)
    expect((await view(set)).bans).toBe(4)
    expect(await work()).toHaveLength(4)
  })

  it('of thousands tells each slice of the set that some lie in, and no other', async () => {
    const set = await settled()
    const lines = Array.from({ length: 12_000 }, (_, i) => `100.${64 + (i >> 14)}.${(i >> 6) & 255}.${(i & 63) * 4}`)
    expect((await call('POST', `/${set}/import`, { text: lines.join('\n') })).body.banned).toBe(12_000)
    const sizes = (told: string[]) => told.map((part) => part.split(': ')[1]?.split(' ').length ?? 0)
    const told = await work()
    expect(told.filter((part) => part.startsWith('whole '))).toEqual([])
    expect(sizes(told)).toEqual([5000, 5000, 2000])
    const more = Array.from({ length: 2500 }, (_, i) => `100.127.${i >> 8}.${i & 255}`)
    expect((await call('POST', `/${set}/import`, { text: more.join('\n') })).body.banned).toBe(2500)
    expect(sizes(await work())).toEqual([4500])
    expect((await call('GET', `/${set}/ips?page=200&itemsPerPage=50`)).body.items).toHaveLength(50)
  })
})

it('who may see sets cannot change them, and each act asks for its own right', async () => {
  const set = await settled()
  const reader = (await t.somebody(['ipset:set:read'])).token
  expect((await call('GET', `/${set}/ips`, undefined, reader)).status).toBe(200)
  const acts: [Method, string, object?][] = [
    ['POST', '', { name: 'mine' }],
    ['PATCH', `/${set}`, {}],
    ['DELETE', `/${set}`],
    ['POST', `/${set}/ips`, { ip: '198.51.100.1' }],
    ['DELETE', `/${set}/ips/198.51.100.1`],
    ['POST', `/${set}/sync`],
  ]
  for (const [method, path, body] of acts) expect((await call(method, path, body, reader)).status).toBe(403)
})

import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { claim, finish } from '../../kit/work/claim.ts'
import { answerRead, carryOutAll, enrolled } from '../../test/work.ts'
import { compareOverdue } from './publications/compare.ts'
import { admin, ban, bans, call, type Method, made, openOn, settled, t, view, web1, web2, work } from './test/ipsets.ts'
import './bans/test/bans.ts'

describe('a set', () => {
  it('is on every server by default, sent completely by one workflow per server', async () => {
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

  it('is on chosen servers only, and is deleted from a server that is no longer chosen', async () => {
    const set = await made({ serverIds: [web1] })
    expect(await view(set)).toMatchObject({ everywhere: false, servers: 1 })
    await work()
    const { body } = await call('PATCH', `/${set}`, { serverIds: [web2], version: 1 })
    expect(body.onServers.map(({ standing }: { standing: string }) => standing)).toEqual(['leaving', 'telling'])
    expect(await work()).toEqual([`removes ${set}`])
    await work(web2)
    expect((await view(set)).onServers).toMatchObject([{ name: 'web-2', standing: 'same' }])
  })

  it('does not wait for servers without an agent, unless they were chosen', async () => {
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

  it('is sent to a newly provisioned server', async () => {
    const set = await settled()
    const fresh = await enrolled(t.app.db, 'web-3', { type: 'web' })
    const { body } = await t.call('POST', `/api/cloud-management/servers/${fresh}/provision`, { token: admin })
    await work(fresh)
    expect((await view(set)).onServers).toContainEqual(expect.objectContaining({ name: 'web-3', standing: 'same' }))
    expect(body.workflowId).toBeGreaterThan(0)
    await t.app.db.execute(sql`update servers set deleted_at = now() where server_id = ${fresh}`)
  })

  it('needs at least one server and a unique name, which is not the path of a screen', async () => {
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

  it('is found by its id too, as by its name', async () => {
    const set = await made()
    const { id } = (await call('GET', `/${set}`)).body
    expect((await call('POST', `/${id}/ips`, { ip: '203.0.113.80' })).status).toBe(201)
    expect((await call('GET', `/${id}/ips`)).body.items).toMatchObject([{ ip: '203.0.113.80' }])
    expect((await call('GET', `/${id}`)).body).toMatchObject({ name: set, bans: 1 })
    expect((await call('DELETE', `/${id}/ips/203.0.113.80`)).status).toBe(204)
    expect((await call('DELETE', `/${id}`)).status).toBe(204) // no server has it yet
    expect((await call('GET', `/${id}`)).status).toBe(404)
    expect((await call('GET', '/999999')).status).toBe(404)
    expect((await call('GET', '/0')).status).toBe(400)
  })

  it('is removed from all servers when deleted, and then frees its name', async () => {
    const set = await settled()
    expect((await call('DELETE', `/${set}`, { version: 9 })).status).toBe(409)
    expect((await call('DELETE', `/${set}`)).status).toBe(202)
    expect((await call('GET', `/${set}`)).status).toBe(404)
    expect((await call('POST', '', { name: set })).body.fields.name).toContain('still being removed from web-1')
    expect([...(await work()), ...(await work(web2))]).toEqual([`removes ${set}`, `removes ${set}`])
    expect((await call('POST', '', { name: set })).status).toBe(201)
  })
})

describe('an offline or failed server', () => {
  it('has one waiting workflow for any number of bans, and then receives all of them', async () => {
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
        reason: 'The server is offline: the set is sent as soon as it is online',
      }),
    )
    await t.app.db.execute(sql`update server_states set last_seen_at = now() where server_id = ${web2}`)
    const received = await work(web2)
    expect(received.join()).toContain('198.51.100.1')
    expect(received.join()).toContain('198.51.100.3')
    expect((await view(set)).onServers).toContainEqual(expect.objectContaining({ name: 'web-2', standing: 'same' }))
  })

  it('shows the reason of its failure, and gets all bans with the next change', async () => {
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

describe('desired and applied bans', () => {
  const compared = async (server: number, seen: string) => {
    await carryOutAll(t.app.db, server, ({ name, input }) => {
      if (name !== 'ip-sets.compare') return { output: { elements: 1 } }
      const sets = (input.sets as { set: string }[]).map(({ set }) => ({ set, seen, elements: 1, packets: 12 }))
      return { output: { sets } }
    })
  }
  it('are compared on every server, and differences are sent again', async () => {
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

  it('are compared automatically after some hours', async () => {
    const set = await settled()
    await compareOverdue(t.app)
    expect(await openOn(web1)).toBe(0)
    await t.app.db.execute(sql`update ip_set_servers set at = now() - interval '7 hours'`)
    await compareOverdue(t.app)
    expect(await openOn(web1)).toBe(1)
    await compared(web1, 'same')
    expect((await view(set)).onServers[0]).toMatchObject({ standing: 'same' })
  })

  it('a fresh search queries the servers, and lists those that did not answer', async () => {
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
  it('bans valid lines, reports invalid ones, and is sent in few operations', async () => {
    const set = await settled()
    await ban(set, '198.51.100.1')
    const text =
      '# a list\n198.51.100.1\n198.51.100.9 # twice\n198.51.100.9\n127.0.0.1\nnonsense\n2001:db8::1\n\n203.0.113.0/24 ; flood'
    const { status, body } = await call('POST', `/${set}/import`, { text, reason: 'a feed' })
    expect([status, body.banned]).toEqual([200, 3])
    expect(body.skipped.map(({ line, why }: { line: number; why: string }) => `${line} ${why}`)).toEqual([
      '2 Banned already',
      '4 Repeats a line above',
      '5 127.0.0.1 overlaps 127.0.0.0/8, the machine itself',
      '6 Not an address or a network',
    ])
    expect(await bans(set, '&search=a feed')).toHaveLength(3)
    expect((await view(set)).bans).toBe(4)
    expect(await work()).toHaveLength(4)
  })

  it('of thousands of bans sends only the affected segments', async () => {
    const set = await settled()
    const lines = Array.from({ length: 12_000 }, (_, i) => `100.${64 + (i >> 14)}.${(i >> 6) & 255}.${(i & 63) * 4}`)
    expect((await call('POST', `/${set}/import`, { text: lines.join('\n') })).body.banned).toBe(12_000)
    const sizes = (received: string[]) => received.map((part) => part.split(': ')[1]?.split(' ').length ?? 0)
    const received = await work()
    expect(received.filter((part) => part.startsWith('whole '))).toEqual([])
    expect(sizes(received)).toEqual([5000, 5000, 2000])
    const more = Array.from({ length: 2500 }, (_, i) => `100.127.${i >> 8}.${i & 255}`)
    expect((await call('POST', `/${set}/import`, { text: more.join('\n') })).body.banned).toBe(2500)
    expect(sizes(await work())).toEqual([4500])
    expect((await call('GET', `/${set}/ips?page=200&itemsPerPage=50`)).body.items).toHaveLength(50)
  })
})

it('reading sets does not permit changes: each action needs its own permission', async () => {
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

import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { claim, finish } from '../../../../kit/work/claim.ts'
import { actionsOf, workflowOf } from '../../../../test/work.ts'
import { entriesOf } from '../../publications/sets.ts'
import { ensureRecords } from '../../sites/ensure.ts'
import { zones } from '../../tables.ts'
import { a, call, change, made, ns1, one, recordsOf, t, work } from '../../test/dns.ts'
import { nextVersion } from '../apply.ts'
import { digestOf } from '../digest.ts'

describe('records', () => {
  it('are created and deleted in one delta: 202 if one is created, else 204', async () => {
    const zone = await made()
    await work()
    const { status, body } = await change(zone.id, {
      create: [a('www'), { name: '@', type: 'TXT', content: 'hello "you"' }],
    })
    expect(status).toBe(202)
    expect(body.zone).toMatchObject({ records: 4, version: zone.version + 1, serial: nextVersion(zone.serial) })
    const [first] = await actionsOf(t.app.db, body.workflowId)
    expect(first?.input).toMatchObject({
      whole: false,
      sets: expect.arrayContaining([
        { owner: `www.${zone.domain}`, recordType: 'A', ttl: 300, contents: ['192.0.2.1'] },
        { owner: zone.domain, recordType: 'TXT', ttl: 3600, contents: ['"hello \\"you\\""'] },
      ]),
    })
    const [www] = await recordsOf(zone.id, '&search=www')
    expect((await change(zone.id, { delete: [www!.id] })).status).toBe(204)
    expect(await recordsOf(zone.id, '&search=www')).toEqual([])
    expect((await change(zone.id, {})).status).toBe(204)
  })
  it('that not all servers have yet are sent again with the next change', async () => {
    const zone = await made()
    await work()
    await change(zone.id, { create: [a('one')] })
    const { body } = await change(zone.id, { create: [a('two')] })
    const [both] = await actionsOf(t.app.db, body.workflowId)
    expect((both?.input.sets as { owner: string }[]).map(({ owner }) => owner).sort()).toEqual([
      `one.${zone.domain}`,
      `two.${zone.domain}`,
    ])
    await work()
    const later = (await change(zone.id, { create: [a('three')] })).body
    const [last] = await actionsOf(t.app.db, later.workflowId)
    expect(last?.input.sets).toMatchObject([{ owner: `three.${zone.domain}` }])
  })
  it('of a failed publication are sent with the next publication, which cancels the failed one', async () => {
    const zone = await made()
    await work()
    const { body } = await change(zone.id, { create: [a('stops')] })
    const [op] = await claim(t.app.db, ns1, 'short', 1)
    await finish(t.app.db, ns1, [{ id: op!.id, attempt: op!.attempt, status: 'failed', reason: 'the disk is full' }])
    await change(zone.id, { create: [a('goes')] })
    await work()
    expect((await workflowOf(t.app.db, body.workflowId)).status).toBe('cancelled')
  })
  it('with errors are refused beside their fields, and the whole delta is discarded', async () => {
    const zone = await made()
    const sent = { create: [a('good'), a('bad', '999.1.1.1', { ttl: -5 }), { name: '@', type: 'SOA', content: 'x' }] }
    expect(await change(zone.id, sent)).toMatchObject({
      status: 422,
      body: {
        fields: {
          'create.1.content': expect.any(String),
          'create.1.ttl': expect.any(String),
          'create.2.type': expect.stringContaining('SOA'),
        },
      },
    })
    expect(await recordsOf(zone.id, '&search=good')).toEqual([])
    for (const [type, content, field] of [
      ['CNAME', 'x.org', 'type'],
      ['LUA', 'A "x"', 'type'],
      ['TXT', 'x'.repeat(70_000), 'content'],
      ['A', '192.0.2.1', 'name'],
    ] as const) {
      const name = field === 'name' ? 'www.other.org.' : '@'
      expect(await change(zone.id, { create: [{ name, type, ttl: 300, content }] })).toMatchObject({
        status: 422,
        body: { fields: { [`create.0.${field}`]: expect.any(String) } },
      })
    }
    const all = (await recordsOf(zone.id)).map(({ id }) => id)
    expect(await change(zone.id, { delete: all })).toMatchObject({
      status: 422,
      body: { fields: { delete: expect.stringContaining('name server') } },
    })
  })
  it('are checked before saving: errors and warnings', async () => {
    const zone = await made()
    const create = [a('www', '192.0.2.1', { ttl: 5 }), a('www', 'nonsense')]
    const { body } = await call('POST', '/records/check', { zoneId: zone.id, create })
    expect(body.problems).toMatchObject([{ index: 1, field: 'content' }])
    expect(body.warnings).toMatchObject([{ index: 0, message: expect.stringContaining('TTL') }])
    expect(await recordsOf(zone.id, '&search=www')).toEqual([])
  })
  it('that are normalised are reported in their stored form', async () => {
    const zone = await made()
    const create = [a('pаypal'), { name: 'w', type: 'CNAME', ttl: 300, content: 'хосе.com' }, a('blåbær')]
    const { body } = await call('POST', '/records/check', { zoneId: zone.id, create })
    expect(body).toMatchObject({ problems: [], warnings: [{ index: 0 }, { index: 1 }] })
    const [name, target] = body.warnings.map(({ message }: { message: string }) => message)
    expect(name).toMatch(/^pаypal mixes Latin and Cyrillic letters.* It is kept as xn--pypal-4ve$/)
    expect(target).toMatch(/^хосе is written in Cyrillic letters.* It is kept as xn--/)
  })
  it('of a stale version are refused, and the answer contains the present records', async () => {
    const zone = await made()
    const { version } = await one(zone.id)
    expect((await change(zone.id, { create: [a('first')], version })).status).toBe(202)
    const second = await change(zone.id, { create: [a('second')], version })
    expect(second).toMatchObject({ status: 409, body: { current: { version: version + 1 } } })
    const [first] = await recordsOf(zone.id, '&search=first')
    await change(zone.id, { delete: [first!.id] })
    expect((await change(zone.id, { delete: [first!.id] })).status).toBe(409)
  })
  it('are logged by change and record, and a change is reverted once', async () => {
    const zone = await made()
    await change(zone.id, { create: [a('www', '192.0.2.1')] })
    const [www] = await recordsOf(zone.id, '&search=www')
    await change(zone.id, { delete: [www!.id], create: [a('www', '192.0.2.9')] })
    const path = `/zones/${zone.id}/changes`
    const { items } = (await call('GET', `${path}?name=www&type=A`)).body
    expect(items).toMatchObject([
      {
        kind: 'edit',
        lines: [
          { sign: '-', content: '192.0.2.1' },
          { sign: '+', content: '192.0.2.9' },
        ],
      },
      { kind: 'edit', lines: [{ sign: '+', content: '192.0.2.1' }] },
    ])
    expect((await one(zone.id)).fading).toMatchObject([{ name: 'www', type: 'A' }])
    expect((await call('POST', `${path}/${items[1].id}/revert`)).status).toBe(409)
    expect((await call('POST', `${path}/${items[0].id}/revert`)).status).toBe(202)
    expect(await recordsOf(zone.id, '&search=www')).toMatchObject([{ content: '192.0.2.1' }])
    expect((await call('POST', `${path}/${items[0].id}/revert`)).status).toBe(409)
  })
  it('keep the digest of their zone up to date', async () => {
    const zone = await made()
    await change(zone.id, { create: [a('a'), a('b'), { name: '@', type: 'MX', priority: 10, content: 'mail' }] })
    const [first] = await recordsOf(zone.id, '&search=192')
    await change(zone.id, { delete: [first!.id], create: [a('c')] })
    const [row] = await t.app.db.select().from(zones).where(eq(zones.id, zone.id))
    expect(row?.digest).toBe(digestOf(zone.domain, await entriesOf(t.app.db, zone.id)))
  })
  it('of a zone file are previewed as a change: merged or replacing all', async () => {
    const zone = await made()
    await change(zone.id, { create: [a('www'), a('old', '192.0.2.8')] })
    const text = 'www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\n@ 60 IN SOA a. b. 1 2 3 4 5\n'
    const merged = (await call('POST', `/zones/${zone.id}/file`, { text })).body
    expect(merged).toMatchObject({ create: [{ content: '192.0.2.2' }], delete: [], skipped: [{ line: 3 }] })
    const replaced = (await call('POST', `/zones/${zone.id}/file`, { text, replace: true })).body
    expect(replaced.delete).toHaveLength(3)
  })
})

describe('a website', () => {
  it('points its names to its server, and leaves correct records unchanged', async () => {
    const zone = await made()
    await change(zone.id, {
      create: [{ name: 'www', type: 'CNAME', ttl: 60, content: 'old.example.net' }, a('@', '192.0.2.1', { ttl: 60 })],
    })
    const by = { id: null, name: 'Innkeeper' }
    const wanted = [zone.domain, `www.${zone.domain}`, 'www.elsewhere.example'].map((name) => ({
      name,
      records: [{ type: 'A' as const, content: '192.0.2.1', ttl: 60 }],
    }))
    const ensure = () => t.app.db.transaction((tx) => ensureRecords(tx, t.app, wanted, by))
    expect(await ensure()).toEqual({ workflowIds: [expect.any(Number)], foreign: ['www.elsewhere.example'] })
    expect(await recordsOf(zone.id, '&search=www')).toMatchObject([{ type: 'A', content: '192.0.2.1' }])
    expect(await ensure()).toMatchObject({ workflowIds: [] })
  })
})

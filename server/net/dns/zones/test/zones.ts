import { dsOf, makeKey } from '@innkeeper/contract/net/dns/dnskey'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { users } from '../../../../access/users/tables.ts'
import { ownWork } from '../../../../kit/work/action.ts'
import { claim, finish } from '../../../../kit/work/claim.ts'
import { sealFor } from '../../../../test/sealFor.ts'
import { actionsOf, hearAlways } from '../../../../test/work.ts'
import { zones } from '../../tables.ts'
import { a, admin, call, change, made, ns1, ns2, one, recordsOf, t, work } from '../../test/dns.ts'

describe('a zone', () => {
  it('is created with NS records, sent to the primary, transferred to the secondary and queried', async () => {
    const zone = await made()
    expect(zone).toMatchObject({ active: true, adminOnly: false, records: 2, liveSerial: null })
    const steps = await actionsOf(t.app.db, zone.workflowId)
    expect(steps.map(({ name, serverId }) => [name, serverId])).toEqual([
      ['dns-zone.ensure', ns1],
      ['dns-zone.fetch', ns2],
      ['zone.probe', null],
    ])
    expect(steps[0]?.input).toMatchObject({
      whole: true,
      secondaries: ['10.77.1.12'],
      zoneKey: { $secret: 'dns-transfer-key' },
    })
    await work()
    expect(await one(zone.id)).toMatchObject({
      liveSerial: zone.serial,
      servers: [
        { name: 'ns-1', primary: true, seen: 'same', serial: zone.serial },
        { name: 'ns-2', primary: false, seen: 'same' },
      ],
    })
  })
  it('has a valid and free name', async () => {
    const { domain } = await made()
    expect(await call('POST', '/zones', { domain })).toMatchObject({
      status: 409,
      body: { fields: { domain: expect.any(String) } },
    })
    expect(await call('POST', '/zones', { domain: 'a b' })).toMatchObject({ status: 400 })
    // a letter of another script makes a different name
    const alike = await made({ domain: 'аpple-zone.example' })
    expect(alike).toMatchObject({ domain: 'xn--pple-zone-zyh.example', unicode: 'аpple-zone.example' })
  })
  it('is found by part of its name, by a search with a step, and by page', async () => {
    const first = await made({ domain: 'findme-one.example' })
    await made({ domain: 'findme-two.example', active: false })
    expect((await call('GET', '/zones?search=findme')).body.items).toHaveLength(2)
    expect((await call('GET', '/zones?search=findme&active=true')).body.items).toMatchObject([{ id: first.id }])
    const page = (await call('POST', '/zones/search', { domain: 'FINDME', step: 1 })).body
    expect(page).toMatchObject({ items: [{ id: first.id }], total: 2, next: expect.any(String) })
    const next = await call('POST', '/zones/search', { domain: 'findme', step: 1, page: 2, after: page.next })
    expect(next.body.items).toMatchObject([{ domain: 'findme-two.example' }])
  })
  it('is deactivated and activated; an inactive zone is on no server', async () => {
    const zone = await made()
    await work()
    const off = await call('PATCH', `/zones/${zone.id}/activate`, { active: false })
    expect(off).toMatchObject({ status: 200, body: { active: false } })
    expect(await work()).toEqual(['dns-zone.remove', 'dns-zone.remove'])
    const { status, body } = await change(zone.id, { create: [a('www')] })
    expect([status, body.workflowId]).toEqual([202, null])
    await call('PATCH', `/zones/${zone.id}/activate`)
    expect(await work()).toEqual(['dns-zone.ensure', 'dns-zone.fetch', 'zone.probe'])
    expect(await one(zone.id)).toMatchObject({ active: true, liveSerial: body.zone.serial })
  })
  it('is deleted by an id in body or path; its name is free once no server has it', async () => {
    const zone = await made()
    await work()
    expect((await call('DELETE', '/zones', { zoneId: zone.id, version: 99 })).status).toBe(409)
    expect((await call('DELETE', '/zones', { zoneId: zone.id })).status).toBe(202)
    expect((await call('GET', `/zones/${zone.id}`)).status).toBe(404)
    expect((await call('POST', '/zones', { domain: zone.domain })).status).toBe(409)
    await work()
    expect((await call('POST', '/zones', { domain: zone.domain })).status).toBe(201)
    const off = await made({ active: false })
    expect((await t.call('DELETE', `/api/dns/zones?zoneId=${off.id}`, { token: admin })).status).toBe(204)
    expect((await call('DELETE', '/zones', { zoneId: 99_999 })).status).toBe(404)
  })
  it('is removed from the name servers if it is deleted or deactivated during its publication', async () => {
    const zone = await made()
    const { status, body } = await call('DELETE', '/zones', { zoneId: zone.id })
    expect([status, body.workflowId]).toEqual([202, zone.workflowId])
    expect((await call('GET', `/zones/${zone.id}`)).status).toBe(404)
    expect((await call('POST', '/zones', { domain: zone.domain })).body.fields).toEqual({ domain: 'Still leaving' })
    const told = ['dns-zone.ensure', 'dns-zone.fetch', 'zone.probe']
    expect(await work()).toEqual([...told, 'dns-zone.remove', 'dns-zone.remove'])
    expect((await call('POST', '/zones', { domain: zone.domain })).status).toBe(201)

    const off = await made()
    await work()
    await change(off.id, { create: [a('www')] })
    expect((await call('PATCH', `/zones/${off.id}/activate`, { active: false })).body.active).toBe(false)
    const failing = (name: string) => (name === 'dns-zone.fetch' ? new Error('away') : undefined)
    expect(await work(failing)).toEqual([...told.slice(0, 2), 'dns-zone.remove', 'dns-zone.remove'])
  })
  it('is signed on request, and then shows its DS records', async () => {
    const zone = await made()
    await work()
    const { body } = await call('PATCH', `/zones/${zone.id}`, { dnssec: true })
    expect(body.serial).toBeGreaterThan(zone.serial)
    await work()
    expect(await one(zone.id)).toMatchObject({ dnssec: true, version: body.version, ds: ['1 13 2 ab'] })
    expect(body.version).toBe(zone.version + 1)
  })
  it('has keys that Innkeeper stores encrypted, sends unchanged at each publication, and deletes with the zone', async () => {
    const zone = await made()
    await work()
    const key = async () => t.app.secrets.read(t.app.db, `dnssec-keys:${zone.id}`)
    const { body } = await call('PATCH', `/zones/${zone.id}`, { dnssec: true })
    const first = await key()
    const [{ dnskey, privateKey }] = JSON.parse(first ?? '[]')
    expect(privateKey).toContain('Private-key-format')
    const told = await actionsOf(t.app.db, body.workflowId)
    expect(told.map(({ name }) => name)).toEqual(['dns-zone.ensure', 'dns-zone.fetch', 'zone.probe'])
    expect(told.map(({ input }) => input)).toMatchObject([
      { signed: true, keys: { $secret: `dnssec-keys:${zone.id}` } },
      { signed: true },
      { dnskeys: [dnskey] },
    ])
    expect(JSON.stringify(told)).not.toContain(privateKey.split('\n').at(-2))
    await work()
    await call('PATCH', `/zones/${zone.id}`, { dnssec: false })
    await work()
    await call('PATCH', `/zones/${zone.id}`, { dnssec: true })
    expect(await key()).toBe(first)
    await work()
    await call('DELETE', '/zones', { zoneId: zone.id })
    await work()
    expect(await key()).toBeUndefined()
  })
  it('gets its keys from the server that made them if it was signed before Innkeeper stored keys', async () => {
    const zone = await made()
    await work()
    const { dnskey, privateKey } = await makeKey()
    const ds = await dsOf(zone.domain, dnskey)
    await t.app.db
      .update(zones)
      .set({ dnssec: true, ds: [ds] })
      .where(eq(zones.id, zone.id))
    const { body } = await change(zone.id, { create: [a('www')] })
    const plan = await actionsOf(t.app.db, body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual(['zone.keys-take', 'dns-zone.ensure', 'dns-zone.fetch', 'zone.probe'])
    await hearAlways(t.app.db)
    const other = await makeKey()
    const given = { [ns1]: other, [ns2]: { dnskey, privateKey } }
    const signal = new AbortController().signal
    const asked: object[] = []
    const taking = ownWork('zone.keys-take')!.run(plan[0]!.input, {
      ...{ app: t.app, task: 'run', say: () => {}, signal, fence: () => {} },
    })
    for (const server of [ns1, ns2])
      await expect
        .poll(async () => {
          const [op] = await claim(t.app.db, server, 'read', 1)
          if (!op) return false
          asked.push(op.input)
          const keys = JSON.stringify([{ ...given[server], active: true }])
          const output = { sealed: sealFor(op.input.reader as string, keys) }
          await finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done', output }])
          return true
        })
        .toBe(true)
    expect(await taking).toEqual({ keys: 1 })
    const [kept] = await t.app.db.select().from(zones).where(eq(zones.id, zone.id))
    expect(kept?.keys).toMatchObject([{ dnskey, ds, active: true }])
    expect(await t.app.secrets.read(t.app.db, `dnssec-keys:${zone.id}`)).toContain(privateKey.split(' ').at(-1)!.trim())
  })
  it('refuses a file with too many records beside the field', async () => {
    const zoneFile = `$TTL 300\n@ NS ns1.example.\n$GENERATE 1-50000 h$ A 192.0.2.1\n`
    const { status, body } = await call('POST', '/zones', { domain: 'large.example', zoneFile })
    expect([status, body.fields.zoneFile]).toEqual([422, expect.stringContaining('at most 50000')])
  })
  it('starts from a template with its address, or from a zone file', async () => {
    const records = [
      { name: '@', type: 'A', ttl: 300, priority: null, content: '{address}' },
      { name: '@', type: 'MX', ttl: 300, priority: 10, content: 'mail.{domain}.' },
    ]
    const template = await call('POST', '/templates', { name: 'Shop', records })
    expect(template.status).toBe(201)
    const zone = await made({ templateId: template.body.id, address: '192.0.2.77' })
    expect((await recordsOf(zone.id)).map(({ content }) => content)).toEqual(
      expect.arrayContaining(['192.0.2.77', `mail.${zone.domain}.`, 'ns1.innkeeper.example.']),
    )
    const wrong = await call('POST', '/templates', {
      name: 'Wrong',
      records: [{ ...records[0], content: '999.1.1.1' }],
    })
    expect(wrong).toMatchObject({ status: 422, body: { fields: { 'records.0.content': expect.any(String) } } })
    const brought = await made({ zoneFile: '@ 600 NS ns.other.net.\nwww 600 A 192.0.2.5\n' })
    expect((await recordsOf(brought.id)).map(({ content }) => content).sort()).toEqual(['192.0.2.5', 'ns.other.net.'])
    expect((await call('GET', `/zones/${brought.id}/file`)).body.text).toContain(
      `www.${brought.domain}.\t600\tIN\tA 192.0.2.5`,
    )
  })
})

describe('a zone from a file', () => {
  it('is created only when every line that cannot be kept was confirmed', async () => {
    const domain = 'from-file.example'
    const zoneFile = `@ SOA a. b. 1 2 3 4 5\n@ NS ns.other.net.\nx LUA A "run"\ny WKS 10.0.0.1 6 smtp\n${domain} 0 A 192.0.2.1\n`
    const refused = await call('POST', '/zones', { domain, zoneFile })
    expect(refused).toMatchObject({ status: 422, body: { fields: { zoneFile: expect.stringContaining('Line 4: ') } } })
    expect((await call('POST', '/zones', { domain, zoneFile, leaveOut: 1 })).status).toBe(422)
    expect((await call('GET', `/zones?search=${domain}`)).body.total).toBe(0)
    const zone = await made({ domain, zoneFile, leaveOut: 2 })
    // without the final dot, the name is below the zone, and stays there when it is parsed again
    const [www, ns] = await recordsOf(zone.id)
    expect([www, ns]).toMatchObject([
      { name: '@', content: 'ns.other.net.' },
      { name: domain, ttl: 0 },
    ])
  })
  it('keeps a name that looks like the zone when the record is edited, reverted, exported and imported', async () => {
    const domain = 'twice.example'
    const zone = await made({ domain, zoneFile: `@ NS ns.other.net.\n${domain} 60 A 192.0.2.1\n` })
    const [first] = await recordsOf(zone.id, '&type=A')
    const edited = { create: [{ name: first!.name, type: 'A', ttl: 60, content: '192.0.2.2' }], delete: [first!.id] }
    expect((await change(zone.id, edited)).status).toBe(202)
    expect(await recordsOf(zone.id, '&type=A')).toMatchObject([{ name: domain, content: '192.0.2.2' }])
    const [last] = (await call('GET', `/zones/${zone.id}/changes`)).body.items
    expect((await call('POST', `/zones/${zone.id}/changes/${last.id}/revert`)).status).toBe(202)
    expect(await recordsOf(zone.id, '&type=A')).toMatchObject([{ name: domain, content: '192.0.2.1' }])
    const { text } = (await call('GET', `/zones/${zone.id}/file`)).body
    expect((await call('POST', `/zones/${zone.id}/file`, { text, replace: true })).body).toMatchObject({
      create: [],
      delete: [],
    })
  })
})

describe('who sees a zone', () => {
  const scopes = ['dns:zone:read', 'dns:record:update', 'dns:zone:update']
  it('are only administrators for a hidden zone, and promoted departments for an assigned zone', async () => {
    const [{ id: sales }, { id: support }] = await Promise.all(
      ['Sales', 'Support'].map(
        async (name) => (await t.call('POST', '/api/auth/departments', { token: admin, body: { name } })).body,
      ),
    )
    const person = await t.somebody(scopes)
    await t.app.db.update(users).set({ departmentId: sales }).where(eq(users.id, person.id))
    const token = await t.app.sessions.open(t.app.db, person.id, { ip: null, userAgent: null })
    const sees = async (id: number) => (await call('GET', `/zones/${id}`, undefined, token)).status === 200

    const zone = await made()
    expect(await sees(zone.id)).toBe(true)
    await call('PATCH', `/zones/${zone.id}`, { adminOnly: true })
    expect(await sees(zone.id)).toBe(false)
    expect((await call('GET', `/zones?search=${zone.domain}`, undefined, token)).body.total).toBe(0)
    expect((await call('GET', `/records?zoneId=${zone.id}`, undefined, token)).status).toBe(404)
    expect((await change(zone.id, { create: [a('x')] }, token)).status).toBe(404)
    expect((await t.call('GET', `/api/workflows/${zone.workflowId}`, { token })).status).toBe(404)
    await call('PATCH', `/zones/${zone.id}`, { adminOnly: false })

    expect((await call('PATCH', `/zones/${zone.id}`, { departmentIds: [support] })).status).toBe(422)
    expect((await call('POST', '/departments', { ids: [sales, support] })).body).toEqual({ promoted: 2 })
    await call('PATCH', `/zones/${zone.id}`, { departmentIds: [support] })
    expect(await sees(zone.id)).toBe(false)
    await call('PATCH', `/zones/${zone.id}`, { departmentIds: [support, sales] })
    expect(await sees(zone.id)).toBe(true)
    expect((await call('GET', '/departments?promoted=true')).body.items).toMatchObject([
      { name: 'Sales', zones: 1 },
      { name: 'Support' },
    ])
    expect((await call('DELETE', '/departments', { ids: [sales] })).status).toBe(204)
    expect(await sees(zone.id)).toBe(false)
    expect((await call('PATCH', `/zones/${zone.id}`, { adminOnly: true }, token)).status).toBe(404)
    const open = await made()
    expect((await call('PATCH', `/zones/${open.id}`, { adminOnly: true }, token)).status).toBe(422)
  })
})

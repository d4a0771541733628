import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claim, finish } from '../kit/claim.ts'
import { rows } from '../kit/db.ts'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { actionsOf, enrolled, setAside, workflowOf } from '../kit/testWork.ts'
import { users } from '../users/tables.ts'
import { risen } from './change.ts'
import { digestOf } from './digest.ts'
import { ensureRecords } from './ensure.ts'
import { entriesOf } from './publish.ts'
import { syncOverdue } from './sync.ts'
import { zones } from './tables.ts'

let t: TestApp
let admin: string
let ns1: number
let ns2: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  ns1 = await enrolled(t.app.db, 'ns-1', { type: 'dns', address: '10.77.1.11' })
  ns2 = await enrolled(t.app.db, 'ns-2', { type: 'dns', address: '10.77.1.12' })
})
afterAll(() => t.close())
beforeEach(() => setAside(t.app.db))

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, token = admin) =>
  t.call(method, `/api/dns${path}`, { token, ...(body !== undefined && { body }) })
const a = (name: string, content = '192.0.2.1', more = {}) => ({ name, type: 'A', ttl: 300, content, ...more })

let n = 0
async function made(more: object = {}) {
  const { status, body } = await call('POST', '/zones', { domain: `zone${++n}.example`, ...more })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const one = async (id: number) => (await call('GET', `/zones/${id}`)).body
const recordsOf = async (id: number, search = '') =>
  (await call('GET', `/records?zoneId=${id}&itemsPerPage=200${search}`)).body.items as {
    id: number
    name: string
    content: string
  }[]
const change = async (zoneId: number, body: object, token = admin) =>
  call('PATCH', '/records', { zoneId, ...body }, token)

/** Carries out what is ready as name servers would that do as they are told; `say` may answer otherwise. */
async function work(say: (name: string, server: number | null) => unknown = () => undefined): Promise<string[]> {
  const names: string[] = []
  for (let idle = 0; idle < 2; ) {
    idle += 1
    for (const server of [ns1, ns2, null])
      for (const lane of ['short', 'long'] as const)
        for (const op of await claim(t.app.db, server, lane, 8)) {
          idle = 0
          names.push(op.name)
          const output = say(op.name, server) ?? usual(op.name, op.input)
          const { id, attempt } = op
          const end =
            output instanceof Error
              ? { status: 'failed' as const, reason: output.message }
              : { status: 'done' as const, output }
          await finish(t.app.db, server, [{ id, attempt, ...end }])
        }
  }
  return names
}
function usual(name: string, input: Record<string, unknown>): unknown {
  if (name === 'zone.probe') return { servers: [ns1, ns2].map((id) => ({ id, serial: input.serial })) }
  return name === 'dns-zone.ensure' ? { serial: input.serial, changed: 1, ds: input.signed ? ['1 13 2 ab'] : [] } : {}
}

describe('a zone', () => {
  it('is made with name servers, told whole to the primary, fetched by the secondary and asked for', async () => {
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
  it('has a name that is free and is one', async () => {
    const { domain } = await made()
    expect(await call('POST', '/zones', { domain })).toMatchObject({
      status: 409,
      body: { fields: { domain: expect.any(String) } },
    })
    expect(await call('POST', '/zones', { domain: 'a b' })).toMatchObject({ status: 400 })
    // as people write it as well: one letter of another script is another name
    const alike = await made({ domain: 'аpple-zone.example' })
    expect(alike).toMatchObject({ domain: 'xn--pple-zone-zyh.example', unicode: 'аpple-zone.example' })
  })
  it('is found by part of its name, by search with a step, and page by page', async () => {
    const first = await made({ domain: 'findme-one.example' })
    await made({ domain: 'findme-two.example', active: false })
    expect((await call('GET', '/zones?search=findme')).body.items).toHaveLength(2)
    expect((await call('GET', '/zones?search=findme&active=true')).body.items).toMatchObject([{ id: first.id }])
    const page = (await call('POST', '/zones/search', { domain: 'FINDME', step: 1 })).body
    expect(page).toMatchObject({ items: [{ id: first.id }], total: 2, next: expect.any(String) })
    const next = await call('POST', '/zones/search', { domain: 'findme', step: 1, page: 2, after: page.next })
    expect(next.body.items).toMatchObject([{ domain: 'findme-two.example' }])
  })
  it('is switched off and on; what is off is told to nobody', async () => {
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
  it('is deleted with its id in the body or in the address, and its name is free again once no server has it', async () => {
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
  it('is signed by choice, and then shows what the registry has to be told', async () => {
    const zone = await made()
    await work()
    const { body } = await call('PATCH', `/zones/${zone.id}`, { dnssec: true })
    expect(body.serial).toBeGreaterThan(zone.serial)
    await work()
    expect(await one(zone.id)).toMatchObject({ dnssec: true, ds: ['1 13 2 ab'] })
  })
  it('begins from a template with its address, or from a zone file', async () => {
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

describe('records', () => {
  it('are created and deleted in one delta: 202 where something is created, else 204', async () => {
    const zone = await made()
    await work()
    const { status, body } = await change(zone.id, {
      create: [a('www'), { name: '@', type: 'TXT', content: 'hello "you"' }],
    })
    expect(status).toBe(202)
    expect(body.zone).toMatchObject({ records: 4, version: zone.version + 1, serial: risen(zone.serial) })
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
  it('that were changed before all servers had them are told again with what comes later', async () => {
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
  it('of a publication that stopped come with the next one, which ends the one before', async () => {
    const zone = await made()
    await work()
    const { body } = await change(zone.id, { create: [a('stops')] })
    const [op] = await claim(t.app.db, ns1, 'short', 1)
    await finish(t.app.db, ns1, [{ id: op!.id, attempt: op!.attempt, status: 'failed', reason: 'the disk is full' }])
    await change(zone.id, { create: [a('goes')] })
    await work()
    expect((await workflowOf(t.app.db, body.workflowId)).status).toBe('cancelled')
  })
  it('that are wrong are refused beside their fields, and nothing of the delta happens', async () => {
    const zone = await made()
    const sent = { create: [a('good'), a('bad', '999.1.1.1', { ttl: -5 }), { name: '@', type: 'SOA', content: 'x' }] }
    expect(await change(zone.id, sent)).toMatchObject({
      status: 422,
      body: {
        fields: {
          'create.1.content': expect.any(String),
          'create.1.ttl': expect.any(String),
          'create.2.type': expect.stringContaining('serial'),
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
  it('are looked at before saving: what is wrong and what is unusual', async () => {
    const zone = await made()
    const create = [a('www', '192.0.2.1', { ttl: 5 }), a('www', 'nonsense')]
    const { body } = await call('POST', '/records/check', { zoneId: zone.id, create })
    expect(body.problems).toMatchObject([{ index: 1, field: 'content' }])
    expect(body.warnings).toMatchObject([{ index: 0, message: expect.stringContaining('TTL') }])
    expect(await recordsOf(zone.id, '&search=www')).toEqual([])
  })
  it('of two operators: the second with a stale version is shown what is there now', async () => {
    const zone = await made()
    const { version } = await one(zone.id)
    expect((await change(zone.id, { create: [a('first')], version })).status).toBe(202)
    const second = await change(zone.id, { create: [a('second')], version })
    expect(second).toMatchObject({ status: 409, body: { current: { version: version + 1 } } })
    const [first] = await recordsOf(zone.id, '&search=first')
    await change(zone.id, { delete: [first!.id] })
    expect((await change(zone.id, { delete: [first!.id] })).status).toBe(409)
  })
  it('are in a log by change and record, and a change is taken back once', async () => {
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
  it('keep the digest of their zone, whatever is changed', async () => {
    const zone = await made()
    await change(zone.id, { create: [a('a'), a('b'), { name: '@', type: 'MX', priority: 10, content: 'mail' }] })
    const [first] = await recordsOf(zone.id, '&search=192')
    await change(zone.id, { delete: [first!.id], create: [a('c')] })
    const [row] = await t.app.db.select().from(zones).where(eq(zones.id, zone.id))
    expect(row?.digest).toBe(digestOf(zone.domain, await entriesOf(t.app.db, zone.id)))
  })
  it('of a zone file are shown as a change first: merged, or in the place of all', async () => {
    const zone = await made()
    await change(zone.id, { create: [a('www'), a('old', '192.0.2.8')] })
    const text = 'www 300 A 192.0.2.1\nwww 300 A 192.0.2.2\n@ 60 IN SOA a. b. 1 2 3 4 5\n'
    const merged = (await call('POST', `/zones/${zone.id}/file`, { text })).body
    expect(merged).toMatchObject({ create: [{ content: '192.0.2.2' }], delete: [], skipped: [{ line: 3 }] })
    const replaced = (await call('POST', `/zones/${zone.id}/file`, { text, replace: true })).body
    expect(replaced.delete).toHaveLength(3)
  })
})

describe('who sees a zone', () => {
  const scopes = ['dns:zone:read', 'dns:record:update', 'dns:zone:update']
  it('is administrators alone where it is theirs, and promoted departments where it is given to them', async () => {
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

describe('a sync', () => {
  it('reads every name server, notes what differs and tells that anew, above every serial that was seen', async () => {
    const zone = await made()
    await work()
    const { serial } = await one(zone.id)
    const started = await call('PATCH', '/zones/worker/sync', { zoneId: zone.id })
    expect(started).toMatchObject({ status: 202, body: { zones: 1, servers: 2 } })
    const drift = [{ domain: zone.domain, serial: serial + 7, digest: 'f'.repeat(32) }]
    await work((name, server) =>
      name === 'dns-zones.compare' ? { differing: server === ns2 ? drift : [], present: [] } : undefined,
    )
    await repairOf(started.body.workflowId)
    expect(await one(zone.id)).toMatchObject({ serial: serial + 8 })
    // whoever changes a record meanwhile does not wait behind what is told anew
    const lanes = async () => (await actionsOf(t.app.db, (await one(zone.id)).workflowId)).map(({ lane }) => lane)
    expect(await lanes()).toEqual(['long', 'long', 'short'])
    expect(await work()).toEqual(['dns-zone.ensure', 'dns-zone.fetch', 'zone.probe'])
    expect(await one(zone.id)).toMatchObject({ liveSerial: serial + 8, servers: [{ seen: 'same' }, { seen: 'same' }] })
    await change(zone.id, { create: [a('while')] })
    expect(await lanes()).toEqual(['short', 'short', 'short'])
  })
  it('changes nothing where everything is as it should be, and only notes where it is not asked to repair', async () => {
    const zone = await made()
    await work()
    const { serial } = await one(zone.id)
    const same = { differing: [], present: [] }
    const drift = { differing: [{ domain: zone.domain, serial: null, digest: null }], present: [] }
    for (const [repair, output, seen] of [
      [true, same, 'same'],
      [false, drift, 'missing'],
    ] as const) {
      const { body } = await call('PATCH', '/zones/worker/sync', { zoneId: zone.id, repair })
      await work((name) => (name === 'dns-zones.compare' ? output : undefined))
      await repairOf(body.workflowId)
      expect(await one(zone.id)).toMatchObject({ serial, servers: [{ seen }, { seen }] })
      expect(await work()).toEqual([])
    }
  })
  it('finds zones that should be nowhere', async () => {
    const zone = await made()
    await work()
    await t.app.db.execute(sql`update zones set active = false where zone_id = ${zone.id}`)
    const { body } = await call('PATCH', '/zones/worker/sync', {})
    await work((name) => (name === 'dns-zones.compare' ? { differing: [], present: [zone.domain] } : undefined))
    await repairOf(body.workflowId)
    expect(await work()).toEqual(['dns-zone.remove', 'dns-zone.remove'])
  })

  it('that stopped does not keep the next hour from being compared', async () => {
    const held = () =>
      rows<{ id: number; status: string }>(
        t.app.db,
        sql`select w.workflow_id as id, w.status from workflows w join resource_locks l using (workflow_id) where l.resource = 'zones:sync'`,
      )
    expect((await call('PATCH', '/zones/worker/sync', {})).status).toBe(202)
    const [first] = await held()
    await work((name) => (name === 'dns-zones.compare' ? new Error('PowerDNS does not answer') : undefined))
    expect(await held()).toEqual([{ id: first?.id, status: 'failed' }])
    await syncOverdue(t.app)
    expect(await held()).toEqual([{ id: expect.any(Number), status: 'running' }])
    expect((await held())[0]?.id).not.toBe(first?.id)
    await work((name) => (name === 'dns-zones.compare' ? { differing: [], present: [] } : undefined))
  })
  /** The last step is the worker's own: done here as it would do it. */
  async function repairOf(workflowId: number) {
    const { ownWork } = await import('../kit/action.ts')
    const step = (await actionsOf(t.app.db, workflowId)).at(-1)!
    const signal = new AbortController().signal
    await ownWork('zones.repair')!.run(step.input, { app: t.app, task: 'run', say: () => {}, signal, fence: () => {} })
  }
})

describe('a website', () => {
  it('has its names answer its server, and touches nothing that is right already', async () => {
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

describe('settings', () => {
  it('choose the primary and what new zones name', async () => {
    const before = (await call('GET', '/settings')).body
    const { status, body } = await call('PATCH', '/settings', {
      primaryServerId: ns2,
      nameServers: ['a.ns.example', 'b.ns.example'],
      version: before.version,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect((await call('PATCH', '/settings', { hostmaster: 'x.example', version: before.version })).status).toBe(409)
    const zone = await made()
    expect((await one(zone.id)).servers).toMatchObject([{ name: 'ns-2', primary: true }, { name: 'ns-1' }])
    expect((await recordsOf(zone.id)).map(({ content }) => content).sort()).toEqual(['a.ns.example.', 'b.ns.example.'])
    await call('PATCH', '/settings', { primaryServerId: null })
    const web = await enrolled(t.app.db, 'web-9')
    expect((await call('PATCH', '/settings', { primaryServerId: web })).status).toBe(422)
  })
})

import { ZoneKeys } from '@innkeeper/contract/agent/dns'
import type { ZoneView } from '@innkeeper/contract/net/dns/calls'
import { makeKey } from '@innkeeper/contract/net/dns/dnskey'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { actionsOf } from '../../../../test/work.ts'
import { zones } from '../../tables.ts'
import { call, made, one, t, work } from '../../test/dns.ts'
import { keepKeys, keysSecret, outsideSecret } from '../keys.ts'

type ShownKey = ZoneView['keys'][number]
const kept = async (id: number) => (await t.app.db.select().from(zones).where(eq(zones.id, id)))[0]!
/** The input of the primary's step in the newest publication of a zone. */
async function told(id: number): Promise<Record<string, unknown>> {
  const { workflowId } = await kept(id)
  return (await actionsOf(t.app.db, workflowId ?? 0)).find(({ name }) => name === 'dns-zone.ensure')!.input
}
const update = (id: number, body: object) => call('PATCH', `/zones/${id}`, body)

describe('options of a zone', () => {
  it('reach the primary with a later serial, and leave other options unchanged', async () => {
    const { id } = await made()
    await work()
    const before = await one(id)
    const soa = { refresh: 7200, retry: 600, expire: 1_209_600, minimum: 60 }
    expect((await update(id, { options: { soa } })).status).toBe(200)
    expect(await told(id)).toMatchObject({ soa, nsec3: false, cds: false, outside: [] })
    await work()
    const { serial, options, soa: text } = await one(id)
    expect([serial > before.serial, options.soa, text.split(' ').slice(3).join(' ')]).toEqual([
      true,
      soa,
      '7200 600 1209600 60',
    ])
    // saving the same options again publishes nothing
    await update(id, { options: { soa } })
    expect((await one(id)).serial).toBe(serial)
    for (const [change, field] of [
      [{ soa: { ...soa, retry: 9000 } }, 'options.soa.retry'],
      [{ soa: { ...soa, expire: 5 } }, 'options.soa.expire'],
      [{ outside: ['ns.example'] }, 'options.outside.0'],
      [{ outside: ['10.77.1.11'] }, 'options.outside'],
      [{ cds: true }, 'options.cds'],
    ] as const)
      expect([change, Object.keys((await update(id, { options: change })).body.fields ?? {})]).toEqual([
        change,
        [field],
      ])
  })

  it('let outside name servers transfer the zone with its own key, which is shown only on request', async () => {
    const { id, domain } = await made()
    await work()
    await update(id, { options: { outside: ['198.51.100.53'] } })
    expect(await told(id)).toMatchObject({ outside: ['198.51.100.53'], outsideKey: { $secret: outsideSecret(id) } })
    await work()
    expect(JSON.stringify(await one(id))).not.toContain((await t.app.secrets.read(t.app.db, outsideSecret(id)))!)
    const { status, body } = await call('POST', `/zones/${id}/keys/export`, {})
    const key = await t.app.secrets.read(t.app.db, outsideSecret(id))
    expect([status, body.keys, body.transfer]).toEqual([
      200,
      [],
      { name: `transfer.${domain}`, algorithm: 'hmac-sha256', key, primary: expect.any(String) },
    ])
  })

  it('prove absence by hashed names and publish the DS record of a signed zone', async () => {
    const { id } = await made()
    await update(id, { dnssec: true, options: { nsec3: true, cds: true } })
    expect(await told(id)).toMatchObject({ signed: true, nsec3: true, cds: true })
    await work()
  })
})

describe('a signed zone', () => {
  it('is signed until the resolver of the settings knows no DS record at the parent', async () => {
    const { id } = await made()
    await update(id, { dnssec: true })
    const { settings } = t.app
    Object.assign(settings, { resolver: '127.0.0.1:1' })
    const { status, body } = await update(id, { dnssec: false })
    Object.assign(settings, { resolver: undefined })
    expect([status, body.fields.dnssec]).toEqual([422, expect.stringContaining('127.0.0.1:1')])
  })
  it('has no ALIAS, because secondaries could not sign its addresses', async () => {
    const { id } = await made()
    const alias = { create: [{ name: 'edge', type: 'ALIAS', content: 'edge.other.net.' }] }
    await call('PATCH', '/records', { zoneId: id, ...alias })
    const refused = await update(id, { dnssec: true })
    expect([refused.status, Object.keys(refused.body.fields)]).toEqual([422, ['dnssec']])
    const other = await made()
    await update(other.id, { dnssec: true })
    const added = await call('PATCH', '/records', { zoneId: other.id, ...alias })
    expect([added.status, Object.keys(added.body.fields)]).toEqual([422, ['create.0.type']])
  })
})

describe('another key for a signed zone', () => {
  it('signs beside the former key, which is removed only after the parent zone was asked', async () => {
    const { id, domain } = await made()
    const roll = (step: string, more: object = {}) => call('POST', `/zones/${id}/keys/roll`, { step, ...more })
    expect((await roll('begin')).status).toBe(422)
    await update(id, { dnssec: true })
    await work()
    const [first] = (await kept(id)).keys
    expect((await roll('finish', { despiteDs: true })).status).toBe(422)
    expect((await roll('begin')).status).toBe(200)
    const [former, next] = (await kept(id)).keys
    expect([former?.dnskey, next?.active, (await one(id)).keys.length]).toEqual([first?.dnskey, true, 2])
    const secret = ZoneKeys.parse(JSON.parse((await t.app.secrets.read(t.app.db, keysSecret(id))) ?? ''))
    expect(secret.map(({ dnskey }) => dnskey)).toEqual([former?.dnskey, next?.dnskey])
    await work()
    expect((await roll('begin')).status).toBe(422)
    // cancels the new key; then adds another one, which stays
    expect((await roll('cancel', { despiteDs: true })).status).toBe(200)
    expect((await kept(id)).keys.map(({ dnskey }) => dnskey)).toEqual([former?.dnskey])
    await roll('begin')
    const [, last] = (await kept(id)).keys
    const early = await roll('finish')
    expect([early.status, early.body.fields?.despiteDs]).toEqual([422, expect.stringContaining('new keys yet')])
    expect((await roll('finish', { despiteDs: true })).status).toBe(200)
    expect((await kept(id)).keys.map(({ dnskey }) => dnskey)).toEqual([last?.dnskey])
    await work()
    const { body } = await call('POST', `/zones/${id}/keys/export`, {})
    expect(body.keys).toMatchObject([
      { tag: last?.tag, active: true, dnskey: last?.dnskey, privateKey: expect.stringContaining('PrivateKey: ') },
    ])
    expect(body.keys[0].file).toMatch(new RegExp(`^K${domain}\\.\\+013\\+\\d{5}$`))
  })

  it('replaces a KSK and a ZSK together, as other software signs, and never one alone', async () => {
    const { id, domain } = await made()
    await update(id, { dnssec: true })
    await work()
    const pair = [
      { ...(await makeKey(257)), active: true },
      { ...(await makeKey(256)), active: true },
    ]
    await keepKeys(t.app.db, t.app, { id, domain }, pair)
    const shown = async () => (await one(id)).keys.map(({ kind, next }: ShownKey) => `${kind}${next ? ' next' : ''}`)
    expect(await shown()).toEqual(['KSK', 'ZSK'])
    const [ksk] = (await kept(id)).keys
    expect((await one(id)).ds).toEqual([ksk?.ds])
    const roll = (step: string) => call('POST', `/zones/${id}/keys/roll`, { step, despiteDs: true })
    expect([(await roll('finish')).status, (await roll('cancel')).status]).toEqual([422, 422])
    expect((await roll('begin')).status).toBe(200)
    expect(await shown()).toEqual(['KSK', 'ZSK', 'KSK next', 'ZSK next'])
    expect((await roll('cancel')).status).toBe(200)
    expect((await kept(id)).keys.map(({ dnskey }) => dnskey)).toEqual(pair.map(({ dnskey }) => dnskey))
    await roll('begin')
    const next = (await kept(id)).keys.slice(2).map(({ dnskey }) => dnskey)
    expect((await roll('finish')).status).toBe(200)
    expect([await shown(), (await kept(id)).keys.map(({ dnskey }) => dnskey)]).toEqual([['KSK', 'ZSK'], next])
    await work()
    const { body } = await call('POST', `/zones/${id}/keys/export`, {})
    expect(body.keys.map(({ kind }: ShownKey) => kind)).toEqual(['KSK', 'ZSK'])
  })
})

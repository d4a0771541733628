import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { rows } from '../../../../kit/db/db.ts'
import { claim } from '../../../../kit/work/claim.ts'
import { provision } from '../../../../machines/servers/enrolment/provision.ts'
import { servers } from '../../../../machines/servers/tables.ts'
import { actionsOf } from '../../../../test/work.ts'
import { samplesOf } from '../../signing/samples.ts'
import { a, admin, call, change, made, ns1, ns2, one, t, work } from '../../test/dns.ts'
import { syncOverdue } from '../overdue.ts'
import { noteReached } from '../reached.ts'

describe('a sync', () => {
  it('reads every name server, records differences and sends them again with a higher serial than any seen', async () => {
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
    // a repair must not delay the publication of a new change
    const lanes = async () => (await actionsOf(t.app.db, (await one(zone.id)).workflowId)).map(({ lane }) => lane)
    expect(await lanes()).toEqual(['long', 'long', 'short'])
    expect(await work()).toEqual(['dns-zone.ensure', 'dns-zone.fetch', 'zone.probe'])
    expect(await one(zone.id)).toMatchObject({ liveSerial: serial + 8, servers: [{ seen: 'same' }, { seen: 'same' }] })
    await change(zone.id, { create: [a('while')] })
    expect(await lanes()).toEqual(['short', 'short', 'short'])
  })
  it('changes nothing on equal servers, and only records differences without repair', async () => {
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
  it('shows only the name server as behind that is behind while a publication waits for that server', async () => {
    const zone = await made()
    await work()
    await change(zone.id, { create: [a('newer')] })
    const { serial } = await one(zone.id)
    await t.app.db.execute(
      sql`update workflows set started_at = now() - interval '1 minute' where subject_id = ${zone.id}`,
    )
    await noteReached(t.app, async ({ domain }, address) =>
      domain === zone.domain && address === '10.77.1.11' ? serial : serial - 1,
    )
    expect((await one(zone.id)).servers).toMatchObject([
      { serial, seen: 'same' },
      { serial: serial - 1, seen: 'behind' },
    ])
    await work()
    expect((await one(zone.id)).servers).toMatchObject([{ seen: 'same' }, { seen: 'same' }])
  })
  it('validates a random record of each type whose data has no name', async () => {
    const [zone, other] = [await made(), await made()]
    const names = ['one', 'two', 'three', 'four']
    await change(zone.id, { create: [...names.map((name) => a(name)), a('text', 'hi', { type: 'TXT' })] })
    await change(other.id, { create: [a('elsewhere')] })
    const drawn = (await Promise.all(Array.from({ length: 60 }, () => samplesOf(t.app.db, zone.domain)))).flat()
    expect(new Set(drawn.map(({ name, type }) => `${name.replace(`.${zone.domain}`, '')} ${type}`))).toEqual(
      new Set([...names.map((name) => `${name} 1`), 'text 16']),
    )
    expect(drawn.length).toBe(120)
  })
  it('finds zones that should be on no server', async () => {
    const zone = await made()
    await work()
    await t.app.db.execute(sql`update zones set active = false where zone_id = ${zone.id}`)
    const { body } = await call('PATCH', '/zones/worker/sync', {})
    await work((name) => (name === 'dns-zones.compare' ? { differing: [], present: [zone.domain] } : undefined))
    await repairOf(body.workflowId)
    expect(await work()).toEqual(['dns-zone.remove', 'dns-zone.remove'])
  })

  it('does not prevent the next hourly comparison if it failed', async () => {
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
  /** Runs the last step, which belongs to the worker. */
  async function repairOf(workflowId: number) {
    const { ownWork } = await import('../../../../kit/work/action.ts')
    const step = (await actionsOf(t.app.db, workflowId)).at(-1)!
    const signal = new AbortController().signal
    await ownWork('zones.repair')!.run(step.input, { app: t.app, task: 'run', say: () => {}, signal, fence: () => {} })
  }
})

describe('a publication', () => {
  it('waits for the set-up of a new name server, and says so', async () => {
    const primary = await t.app.db.select().from(servers).where(eq(servers.id, ns1))
    const setUp = await t.app.db.transaction((tx) => provision(tx, primary[0]!, { id: null, name: 'Innkeeper' }))
    const zone = await made()
    const names = async () => (await claim(t.app.db, ns1, 'short', 8)).map(({ name }) => name)
    expect(await names()).not.toContain('dns-zone.ensure')
    const { waitsFor } = (await t.call('GET', `/api/workflows/${zone.workflowId}`, { token: admin })).body
    expect(waitsFor).toBe('ns-1 is being set up')
    await t.app.db.execute(sql`update actions set status = 'skipped', reason = 'x', lease_until = null
      where workflow_id = ${setUp}`)
    await t.app.db.execute(sql`update workflows set ended_at = now(), status = 'done' where workflow_id = ${setUp}`)
    await t.app.db.execute(sql`delete from resource_locks where workflow_id = ${setUp}`)
    expect(await names()).toContain('dns-zone.ensure')
  })
})

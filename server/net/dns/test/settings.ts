import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { letPass } from '../../../../bin/pass.ts'
import { rows } from '../../../kit/db/db.ts'
import { ownWork } from '../../../kit/work/action.ts'
import { actionsOf, enrolled } from '../../../test/work.ts'
import { call, made, ns1, ns2, one, recordsOf, t, work } from './dns.ts'

describe('settings', () => {
  it('choose the primary and the name servers in new zones', async () => {
    const there = await made()
    const before = (await call('GET', '/settings')).body
    const { status, body } = await call('PATCH', '/settings', {
      primaryServerId: ns2,
      nameServers: ['a.ns.example', 'b.ns.example'],
      version: before.version,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect((await call('PATCH', '/settings', { hostmaster: 'x.example', version: before.version })).status).toBe(409)
    // every zone moves to the new primary with its keys, even if the former primary no longer answers
    const [turn] = await rows<{ id: number }>(
      t.app.db,
      sql`select workflow_id as id from workflows where kind = 'zones.turn' order by workflow_id desc limit 1`,
    )
    const [step] = await actionsOf(t.app.db, turn!.id)
    const signal = new AbortController().signal
    const input = step!.input
    const turning = ownWork('zones.turn')!.run(input, {
      app: t.app,
      task: 'run',
      say: () => {},
      signal,
      fence: () => {},
    })
    let isOpen = true
    const close = () => {
      isOpen = false
    }
    turning.then(close, close)
    // it publishes a few zones at a time; the pause lets its timer fire
    while (isOpen) {
      await work()
      await letPass(20, 'its timer fires')
    }
    await turning
    const told = await actionsOf(t.app.db, (await one(there.id)).workflowId)
    expect(told.map(({ name, serverId }) => [name, serverId])).toEqual([
      ['dns-zone.ensure', ns2],
      ['dns-zone.fetch', ns1],
      ['zone.probe', null],
    ])
    expect(told[0]?.input).toMatchObject({ whole: true })
    const zone = await made()
    expect((await one(zone.id)).servers).toMatchObject([{ name: 'ns-2', primary: true }, { name: 'ns-1' }])
    expect((await recordsOf(zone.id)).map(({ content }) => content).sort()).toEqual(['a.ns.example.', 'b.ns.example.'])
    await call('PATCH', '/settings', { primaryServerId: null })
    const web = await enrolled(t.app.db, 'web-9')
    expect((await call('PATCH', '/settings', { primaryServerId: web })).status).toBe(422)
  })
})

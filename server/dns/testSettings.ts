import { describe, expect, it } from 'vitest'
import { enrolled } from '../testing/work.ts'
import { call, made, ns2, one, recordsOf, t } from './testDns.ts'

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

import { NO_RULES } from '@innkeeper/contract/net/edgeRules/rules'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownWork } from '../../../kit/work/action.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerRead, answerReads, enrolled } from '../../../test/work.ts'
import { sitesOf } from '../test/sites.ts'
import { collectTraffic } from './traffic.ts'

let t: TestApp
let web: number
let cdn: number
let xdn: number
let s: ReturnType<typeof sitesOf>
beforeAll(async () => {
  t = await openTestApp()
  const admin = await t.somebody('admin')
  const provisionedAt = new Date().toISOString()
  web = await enrolled(t.app.db, 'web-1', { provisionedAt, address: '10.77.1.11' })
  cdn = await enrolled(t.app.db, 'cdn-1', { provisionedAt, address: '10.77.1.21', type: 'cdn' })
  xdn = await enrolled(t.app.db, 'xdn-1', { provisionedAt, address: '10.77.1.31', type: 'xdn' })
  s = sitesOf(t, admin.token, () => [web, cdn, xdn])
})
afterAll(() => t.close())

const path = '/vhost-management/vhost'
const one = async (id: number) => (await s.call('GET', `${path}/${id}`)).body
async function behind(domain: string, more: object = {}): Promise<{ id: number; websiteId: number }> {
  const websiteId = await s.site(domain, web)
  const { body } = await s.call('POST', path, { websiteId, ...more })
  await s.carryOut()
  return { id: body.data.id, websiteId }
}

describe('A website behind an edge', () => {
  it('is active once the edge has it and answers for it', async () => {
    const websiteId = await s.site('shop.example', web)
    const { status, body } = await s.call('POST', path, { domain: 'SHOP.example', minutes: 30 })
    expect([status, await s.stepsOf(body.workflowId)]).toEqual([
      201,
      ['web-proxies.ensure', 'packages.ensure', 'nginx-cache.ensure', 'edge-site.ensure', 'vhost.edge-probe'],
    ])
    const { users: _, ...others } = NO_RULES
    expect(await s.inputOf(body.workflowId, 'edge-site.ensure')).toEqual({
      ...{ vhostId: body.data.id, names: ['shop.example', 'www.shop.example'], origin: '10.77.1.11' },
      ...{ cache: true, keepMinutes: 30, stale: true, rules: { ...others, cookies: [] } },
    })
    expect(body.data.status).toBe('creating')
    await s.carryOut()
    expect(await one(body.data.id)).toMatchObject({
      ...{ status: 'active', cdn: true, xdn: false, websiteId, serverName: 'cdn-1', originAddress: '10.77.1.11' },
      edges: [{ network: 'cdn', state: 'live', seen: 'same' }],
    })
    expect((await s.call('GET', `/websites/${websiteId}/toggles`)).body.cdn).toBe(true)
    expect((await s.call('POST', path, { websiteId })).status).toBe(409)
  })

  it('needs a website that is active, and an edge of the network', async () => {
    const websiteId = await s.site('needs.example', web)
    expect((await s.call('POST', path, {})).body.fields).toEqual({ websiteId: 'Required' })
    expect((await s.call('POST', path, { domain: 'nobody.example' })).body.fields.domain).toBe(
      'No website has this name',
    )
    expect((await s.call('POST', path, { websiteId, serverId: web })).body.fields.serverId).toMatch(/is a web server/)
    expect((await s.call('POST', path, { websiteId, minutes: 0 })).status).toBe(400)
    expect((await s.call('POST', path, { websiteId, serverId: 999_999 })).status).toBe(404)
  })

  it('is found by a part of its domain, by page and in batches, and is counted; a blank search term is ignored', async () => {
    for (const n of [1, 2, 3]) await behind(`found-${n}.example`)
    const all = (await s.call('GET', `${path}/count`)).body.count
    const names = ({ body }: { body: { items: { domain: string }[] } }) => body.items.map(({ domain }) => domain)
    expect(names(await s.call('GET', `${path}?search=found-`))).toEqual([
      'found-1.example',
      'found-2.example',
      'found-3.example',
    ])
    expect(names(await s.call('POST', `${path}/search`, { search: 'found-2' }))).toEqual(['found-2.example'])
    expect(names(await s.call('GET', `${path}/batch?offset=1&limit=1&search=found-`))).toEqual(['found-2.example'])
    const blank = await s.call('GET', `${path}/batch?offset=0&limit=200&search=%20%20`)
    expect([blank.body.items.length, blank.body.total]).toEqual([all, all])
    expect((await s.call('GET', `${path}/count?search=found-`)).body.count).toBe(3)
    expect((await s.call('GET', `${path}/batch?offset=-1`)).status).toBe(400)
  })

  it('is cached or passed on, and a change clears the caches of its edges', async () => {
    const { id, websiteId } = await behind('switch.example')
    const off = await s.call('DELETE', `${path}/${id}/cdn`, {})
    expect(await s.stepsOf(off.body.workflowId)).toEqual(['edge-site.ensure', 'edge-cache.clear', 'vhost.edge-probe'])
    expect((await one(id)).cdn).toBe(true)
    await s.carryOut()
    expect((await one(id)).cdn).toBe(false)
    expect((await s.call('GET', `/websites/${websiteId}/toggles`)).body.cdn).toBe(false)
    expect((await s.call('DELETE', `${path}/${id}/cdn`, {})).status).toBe(422)
    await s.call('PATCH', `${path}/${id}/cdn`, { minutes: '60', stale: false })
    await s.carryOut()
    expect(await one(id)).toMatchObject({ cdn: true, minutes: 60, stale: false })
  })

  it('lists cookies that change no page, each from an allow-list, and keeps the list in other changes', async () => {
    const { id } = await behind('cookies.example', { rules: { cookies: ['_ga'] } })
    const named = await s.call('PATCH', `${path}/${id}/cdn`, { rules: { cookies: [' _ga_* ', 'consent.v2'] } })
    const rules = { cookies: ['_ga_*', 'consent.v2'] }
    expect(await s.inputOf(named.body.workflowId, 'edge-site.ensure')).toMatchObject({ rules })
    expect((await one(id)).rules).toEqual({ ...NO_RULES, cookies: ['_ga'] })
    await s.carryOut()
    expect((await one(id)).rules).toEqual({ ...NO_RULES, ...rules })
    for (const cookie of ['a b', 'a;b', '*', 'a*b', 'a"', 'PHPSESSID', 'connect.sid', 'sid', 'wordpress_logged_in_*'])
      expect([cookie, (await s.call('PATCH', `${path}/${id}/cdn`, { rules: { cookies: [cookie] } })).status]).toEqual([
        cookie,
        400,
      ])
    await s.call('PATCH', `${path}/${id}/cdn`, { minutes: 5 })
    await s.carryOut()
    expect(await one(id)).toMatchObject({ minutes: 5, rules })
  })

  it('can be added to the XDN and removed', async () => {
    const { id } = await behind('second.example')
    await s.call('POST', `${path}/${id}/xdn`, {})
    expect((await s.call('POST', `${path}/${id}/xdn`, {})).status).toBe(409)
    await s.carryOut()
    expect((await one(id)).edges.map((edge: { serverName: string }) => edge.serverName)).toEqual(['cdn-1', 'xdn-1'])
    const off = await s.call('DELETE', `${path}/${id}/xdn`, {})
    expect(await s.stepsOf(off.body.workflowId)).toEqual(['edge-site.remove', 'edge-cache.clear'])
    await s.carryOut()
    expect((await one(id)).xdn).toBe(false)
  })

  it('can clear only its own pages', async () => {
    const { id } = await behind('clear.example')
    const urls = ['http://clear.example/logo.png', 'https://www.clear.example/a?b=c']
    const { status, body } = await s.call('POST', `${path}/${id}/clear`, { urls })
    expect([status, await s.inputOf(body.workflowId, 'edge-cache.clear')]).toEqual([202, { vhostId: id, urls }])
    await s.carryOut()
    const strange = await s.call('POST', `${path}/${id}/clear`, { prefixes: ['http://shop.example/'] })
    expect([strange.status, Object.keys(strange.body.fields)]).toEqual([400, ['prefixes']])
    expect((await s.call('POST', `${path}/${id}/clear`, { urls: ['http://clear.example/\nKEY: x'] })).status).toBe(400)
    await s.call('POST', `${path}/${id}/clear`, {})
    await s.carryOut()
  })

  it('is removed from its edges by the workflow, and unchanged after a rollback', async () => {
    const { id, websiteId } = await behind('leaves.example')
    const { body } = await s.call('DELETE', `${path}/${id}`, {})
    await s.carryOut('edge-cache.clear')
    const { body: workflow } = await s.call('GET', `/workflows/${body.workflowId}`)
    const stopped = workflow.actions.find((action: { status: string }) => action.status === 'failed')
    await s.call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, { actionType: 'rollback' })
    await s.carryOut()
    expect(await one(id)).toMatchObject({ status: 'active', edges: [{ state: 'live' }] })
    await s.call('DELETE', `${path}/${id}`, {})
    await s.carryOut()
    expect((await s.call('GET', `${path}/${id}`)).status).toBe(404)
    expect((await s.call('POST', path, { websiteId })).status).toBe(201)
    await s.carryOut()
  })

  it('refuses changes of an outdated version, and during another workflow', async () => {
    const { id } = await behind('stale.example')
    const { version } = await one(id)
    await s.call('DELETE', `${path}/${id}/cdn`, { version })
    const stale = await s.call('PATCH', `${path}/${id}/cdn`, { version })
    expect([stale.status, stale.body.current.id]).toEqual([409, id])
    const busy = await s.call('PATCH', `${path}/${id}/cdn`, {})
    expect([busy.status, busy.body.message]).toEqual([409, expect.stringContaining('is getting another CDN by')])
    await s.carryOut()
  })
})

describe('The edges of a website', () => {
  it('follow it when it is suspended, renamed or deleted, and then clear its cached pages', async () => {
    const { id, websiteId } = await behind('old-name.example')
    const suspended = await s.call('PATCH', `/websites/${websiteId}`, { status: 'suspended' })
    expect(await s.inputOf(suspended.body.workflowId, 'edge-site.ensure')).toMatchObject({ vhostId: id, cache: false })
    expect(await s.stepsOf(suspended.body.workflowId)).toContain('edge-cache.clear')
    await s.carryOut()
    const active = await s.call('PATCH', `/websites/${websiteId}`, { status: 'active' })
    expect(await s.inputOf(active.body.workflowId, 'edge-site.ensure')).toMatchObject({ cache: true })
    await s.carryOut()
    const renamed = await s.call('PATCH', `/websites/${websiteId}/rename`, { newDomain: 'new-name.example' })
    expect((await s.inputOf(renamed.body.workflowId, 'edge-site.ensure'))?.names).toContain('new-name.example')
    await s.carryOut()
    expect(await s.inputOf(renamed.body.workflowId, 'edge-cache.clear')).toMatchObject({
      prefixes: expect.arrayContaining(['http://old-name.example/', 'https://old-name.example/']),
    })
    const deleted = await s.call('DELETE', `/websites/${websiteId}`, {})
    expect(await s.stepsOf(deleted.body.workflowId)).toEqual(
      expect.arrayContaining(['edge-site.remove', 'edge-cache.clear']),
    )
    await s.carryOut()
    expect((await s.call('GET', `${path}/${id}`)).status).toBe(404)
    const restored = await s.call('POST', `/websites/${websiteId}/restore`, {})
    expect(await s.stepsOf(restored.body.workflowId)).toContain('edge-site.ensure')
    await s.carryOut()
    expect((await one(id)).status).toBe('active')
  })

  it('are updated by the same workflow that adds, changes or removes a name', async () => {
    const { websiteId } = await behind('names.example')
    const added = (await s.call('POST', `/websites/${websiteId}/alias`, { domain: 'more.example' })).body
    expect(await s.stepsOf(added.workflowId)).toEqual(['nginx-site.ensure', 'edge-site.ensure', 'website.alias-probe'])
    expect((await s.inputOf(added.workflowId, 'edge-site.ensure'))?.names).toContain('more.example')
    await s.carryOut()
    const alias = `/websites/${added.data.id}`
    const turned = (await s.call('PATCH', `${alias}/alias`, { mode: 'redirect' })).body
    expect(await s.inputOf(turned.workflowId, 'edge-cache.clear')).toMatchObject({
      prefixes: ['more.example', 'www.more.example'].flatMap((name) => [`http://${name}/`, `https://${name}/`]),
    })
    await s.carryOut()
    const gone = (await s.call('DELETE', alias, {})).body
    expect((await s.inputOf(gone.workflowId, 'edge-site.ensure'))?.names).toEqual([
      'names.example',
      'www.names.example',
    ])
    await s.carryOut()
    const wild = (await s.call('PATCH', `/origin-vhost/vhosts/${websiteId}/wildcard`, { wildcard: true })).body
    expect((await s.inputOf(wild.workflowId, 'edge-site.ensure'))?.names).toContain('*.names.example')
    await s.carryOut()
  })

  it('preview the files of a change, even for a website that has no edge yet', async () => {
    const { id } = await behind('shown.example')
    const websiteId = await s.site('comes.example', web)
    for (const [requested, domain] of [
      [{ id, cdn: false }, 'shown.example'],
      [{ websiteId, minutes: 5 }, 'comes.example'],
    ] as const) {
      const answered = s.call('POST', `${path}/diff`, requested)
      const vhostId = domain === 'shown.example' ? id : id + 1
      const answer = {
        differing: [{ vhostId, file: '/edge.conf', is: '', wanted: 'a\n', certificate: false }],
        strangers: [],
      }
      await expect.poll(() => answerRead(t.app.db, cdn, answer)).toBe(true)
      expect((await answered).body).toEqual({
        differing: [{ vhostId, domain, network: 'cdn', serverName: 'cdn-1', file: '/edge.conf', lines: ['+a'] }],
        silent: [],
      })
    }
    expect((await s.call('POST', `${path}/diff`, {})).body.fields).toEqual({ websiteId: 'Required' })
    expect((await s.call('POST', `${path}/diff`, { id: 999_999 })).status).toBe(404)
  })

  it('are compared together, with differences by line, and only differing ones are rewritten', async () => {
    const { id } = await behind('drifts.example')
    const answer = {
      differing: [{ vhostId: id, file: '/edge.conf', is: 'a\nbad\n', wanted: 'a\ngood\n' }],
      strangers: [],
    }
    const asked = async (body: object, said: unknown = answer) => {
      const answered = s.call('POST', `${path}/resync`, body)
      await expect.poll(() => answerRead(t.app.db, cdn, said)).toBe(true)
      return answered
    }
    const nonsense = await asked({ ids: [id], dryRun: true }, { differing: 7 })
    expect(nonsense.body).toMatchObject({
      silent: [{ serverName: 'cdn-1', reason: expect.stringContaining('answered') }],
    })
    const [known] = answer.differing
    const ofOthers = { differing: [{ ...known, vhostId: 999_999 }] }
    expect((await asked({ ids: [id], dryRun: true }, ofOthers)).body).toMatchObject({ differing: [], silent: [] })
    const dry = await asked({ ids: [id], dryRun: true })
    expect(dry.body).toMatchObject({
      ...{ compared: 1, silent: [], workflowIds: [] },
      differing: [{ domain: 'drifts.example', serverName: 'cdn-1', lines: [' a', '-bad', '+good'] }],
    })
    expect((await one(id)).edges[0].seen).toBe('differs')
    const wet = await asked({ ids: [id] })
    expect(await s.stepsOf(wet.body.workflowIds[0])).toEqual(['edge-site.ensure'])
    await s.carryOut()
    expect((await one(id)).edges[0].seen).toBe('same')
  })

  it('are rewritten if a new agent writes other files, after waiting for locked websites', async () => {
    const free = await behind('renewed.example')
    const busy = await behind('renewed-later.example')
    await s.call('POST', `${path}/${busy.id}/clear`, {})
    const said: string[] = []
    const differing = [free, busy].map(({ id: vhostId }) => ({ vhostId, file: '/e.conf', is: 'old', wanted: 'new' }))
    const renewal = ownWork('edges.renew')!.run(
      { serverId: cdn, by: 'Ada' },
      {
        ...{ app: t.app, task: 'run', fence: () => {}, signal: new AbortController().signal },
        say: (text) => void said.push(text),
      },
    )
    const answered = answerReads(t.app.db, cdn, () => ({ differing, strangers: [] }), renewal)
    await expect.poll(() => said).toEqual(['renewed.example gets new files'])
    await s.carryOut()
    await answered
    expect(said.slice(1)).toEqual([
      'renewed-later.example gets new files',
      expect.stringMatching(/^2 of \d+ websites differed$/),
    ])
  })

  it('that do not answer are reported, without a delay for others', async () => {
    const { id } = await behind('silent.example')
    const seen = (at: string) =>
      t.app.db.execute(`update server_states set last_seen_at = ${at} where server_id = ${cdn}`)
    await seen("now() - interval '1 hour'")
    try {
      const { status, body } = await s.call('POST', `${path}/resync`, { ids: [id] })
      expect([status, body.silent[0].reason]).toEqual([200, expect.stringContaining('has not been heard from')])
    } finally {
      await seen('now()')
    }
  })

  it('report their traffic; a quarter of an hour that has grown replaces its former figures', async () => {
    const { id } = await behind('traffic.example')
    const at = Math.floor(Date.now() / 900_000) * 900
    const collect = async (hits: number, ...more: { at: number; hits: number }[]) => {
      const done = collectTraffic(t.app)
      const bucket = { vhostId: id, at, hits, misses: 1, passed: 2, bytes: 5_000_000_000 }
      const gone = { ...bucket, vhostId: 999_999 }
      let answered = false
      await expect
        .poll(async () => {
          const buckets = [bucket, gone, ...more.map((one) => ({ ...bucket, ...one }))]
          answered = (await answerRead(t.app.db, cdn, { buckets })) || answered
          await answerRead(t.app.db, xdn, { buckets: [] })
          return answered
        })
        .toBe(true)
      await done
    }
    await collect(3)
    await collect(9)
    expect((await s.call('GET', `${path}/${id}/traffic?hours=1`)).body.items).toEqual([
      { at: new Date(at * 1000).toISOString(), hits: 9, misses: 1, passed: 2, bytes: 5_000_000_000 },
    ])
    expect(await one(id)).toMatchObject({ hits: 9, misses: 1, bytes: 5_000_000_000 })
    // what a taken edge says breaks no list, and does not lead to a future after which the edge is not read again
    const most = 2_147_483_647
    await collect(9, { at: at - 900, hits: most }, { at: at - 1800, hits: most }, { at: at + 86_400, hits: 1 })
    expect(await one(id)).toMatchObject({ hits: 2 * most + 9 })
  })
})

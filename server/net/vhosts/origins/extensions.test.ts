import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '../../../kit/work/tables.ts'
import { recordHeartbeat } from '../../../machines/servers/agents/heartbeat.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { answerReads, carryOutAll, enrolled, hearAlways, heartbeat } from '../../../test/work.ts'
import { sitesOf } from '../test/sites.ts'

let t: TestApp
let server: number
let owner: number
let s: ReturnType<typeof sitesOf>
beforeAll(async () => {
  t = await openTestApp()
  const admin = await t.somebody('admin')
  server = await enrolled(t.app.db, 'web-1', { provisionedAt: new Date().toISOString() })
  const php = { name: 'php-fpm', version: '8.2.29', state: 'active' as const, detail: 'PHP 8.2' }
  await recordHeartbeat(t.app.db, server, { ...heartbeat, services: [php] }, '10.77.1.11')
  await hearAlways(t.app.db)
  s = sitesOf(t, admin.token, () => [server])
  const made = await s.call('POST', '/owners', { name: 'Kari', email: 'kari@example.org' })
  owner = made.body.data?.id ?? made.body.id
})
afterAll(() => t.close())

const copiedAt = '2026-11-21T10:00:00.000Z'
const choice = { extensionsOff: ['ftp'], extensionsOn: ['imagick'] }
const asked = (domain: string, more: object = {}) => ({
  ...{ originServer: server, domain, plan: 'Business', userId: owner, phpVersion: '8.2' },
  ...{ ...choice, ...more },
})
const copied = { at: copiedAt, files: 1, bytes: 1, leftOut: 0, left: [] }
const carryOut = () =>
  carryOutAll(t.app.db, server, ({ name }) => ({ output: name === 'document-root.copy' ? copied : {} }))
async function made(domain: string): Promise<number> {
  const { body } = await s.call('POST', '/websites', asked(domain))
  await carryOut()
  return body.data.id
}
const inputs = async (workflowId: number, name: string) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position))
    .filter((one) => one.name === name)
    .map(({ input }) => input)
const chosen = async (id: number) => (await s.call('GET', `/origin-vhost/vhosts/${id}`)).body.phpParameters
const own = (id: number) => expect.arrayContaining([expect.objectContaining({ website: id, parameters: choice })])
const servedOwn = (id: number) => expect.objectContaining({ own: expect.objectContaining({ pool: id }) })

describe('PHP extensions that are chosen for a new website', () => {
  it('are previewed, loaded by a pool of its own, and refused if they are on and off', async () => {
    const plan = (await s.call('POST', '/websites/plan', asked('first.example'))).body
    const pools = (actions: { name: string }[]) => actions.filter(({ name }) => name === 'php-pool.ensure')
    expect([pools(plan.actions).length, plan.problems]).toEqual([2, {}])
    const { body } = await s.call('POST', '/websites', asked('first.example'))
    expect(await inputs(body.workflowId, 'php-pool.ensure')).toEqual(own(body.data.id))
    expect(await inputs(body.workflowId, 'nginx-site.ensure')).toEqual([servedOwn(body.data.id)])
    await carryOut()
    expect(await chosen(body.data.id)).toEqual(choice)
    const both = await s.call('POST', '/websites', asked('both.example', { extensionsOff: ['imagick'] }))
    expect([both.status, both.body.fields]).toEqual([422, { extensionsOn: 'imagick cannot be on and off' }])
    const unknown = await s.call('POST', '/websites', asked('no.example', { extensionsOn: ['../../tmp/x'] }))
    expect(unknown.status).toBe(400)
  })

  it('need the permission to change PHP', async () => {
    const scopes = ['website:website:create', 'website:website:read', 'owner:owner:read', 'vhost:origin:read']
    const { token } = await t.somebody(scopes)
    const post = (body: object) => t.call('POST', '/api/websites', { token, body })
    expect((await post(asked('lacking.example'))).status).toBe(403)
    expect((await post({ ...asked('lacking.example'), extensionsOn: [], extensionsOff: [] })).status).toBe(201)
    await carryOut()
  })

  it('are read from a server for the form', async () => {
    const extensions = [{ name: 'imagick', usual: false }]
    const read = s.call('GET', `/origin-vhost/servers/${server}/extensions?phpModule=php8.2`)
    const { body } = await answerReads(t.app.db, server, () => ({ extensions }), read)
    expect(body).toMatchObject({ phpModule: 'php8.2', extensions })
    expect((await s.call('GET', `/origin-vhost/servers/${server}/extensions?phpModule=php5.6`)).status).toBe(422)
  })

  it('follow it through suspension, a rename, a staging copy, a merge, deletion and restore', async () => {
    const id = await made('joined.example')
    const run = async (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: object = {}) => {
      const begun = await s.call(method, path, body)
      expect(begun.status, JSON.stringify(begun.body)).toBeLessThan(300)
      await carryOut()
      return begun.body
    }
    for (const status of ['suspended', 'active']) {
      const { workflowId } = await run('PATCH', `/websites/${id}`, { status })
      expect(await inputs(workflowId, 'nginx-site.ensure')).toEqual([servedOwn(id)])
    }
    const renamed = await run('PATCH', `/websites/${id}/rename`, { newDomain: 'renamed.example' })
    expect(await inputs(renamed.workflowId, 'nginx-site.ensure')).toEqual([servedOwn(id)])

    const copy = await run('POST', `/websites/${id}/staging`)
    const copyId: number = copy.data.id
    expect(await inputs(copy.workflowId, 'php-pool.ensure')).toEqual(own(copyId))
    expect(await chosen(copyId)).toEqual(choice)

    const seen = { digest: 'c'.repeat(64), added: 0, changed: 0, gone: 0, items: [], unknown: [] }
    const looked = { ...seen, known: true, at: copiedAt, differences: { added: 0, changed: 0, gone: 0, files: [] } }
    const merge = s.call('POST', '/stagings', { websiteId: copyId, tables: 'none' })
    const merging = await answerReads(t.app.db, server, () => looked, merge)
    await carryOut()
    for (const input of await inputs(merging.body.workflowId, 'nginx-site.ensure')) expect(input).toEqual(servedOwn(id))
    expect(await chosen(id)).toEqual(choice)

    await run('DELETE', `/websites/${copyId}`)
    await run('DELETE', `/websites/${id}`)
    const back = await run('POST', `/websites/${id}/restore`)
    expect(await inputs(back.workflowId, 'php-pool.ensure')).toEqual(own(id))
    expect(await chosen(id)).toEqual(choice)
  })
})

import { serverTypes } from '@innkeeper/contract/machines/servers/shapes'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../../hosting/owners/tables.ts'
import { plans } from '../../hosting/plans/tables.ts'
import { systemUsers } from '../../hosting/systemUsers/tables.ts'
import { websites } from '../../hosting/websites/tables.ts'
import { openRegistry } from '../../kit/watch/registry.ts'
import { claim, finish } from '../../kit/work/claim.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { begin, credentialOf, enrolled, heartbeat, steps } from '../../test/work.ts'
import { recordHeartbeat } from './agents/heartbeat.ts'
import { serverOf } from './enrolment/enrolment.ts'
import { serverStates, servers } from './tables.ts'

let t: TestApp
let admin: string
const base = '/api/cloud-management'
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
})
afterAll(() => t.close())

const get = (path: string) => t.call('GET', `${base}${path}`, { token: admin })
const post = (path: string, body: unknown = {}) => t.call('POST', `${base}${path}`, { token: admin, body })
const patch = (path: string, body: unknown) => t.call('PATCH', `${base}${path}`, { token: admin, body })
const del = (path: string, body: unknown = {}) => t.call('DELETE', `${base}${path}`, { token: admin, body })
const seen = (id: number, ago: string) =>
  t.app.db
    .update(serverStates)
    .set({ lastSeenAt: sql`now() - ${ago}::interval` })
    .where(eq(serverStates.serverId, id))

async function website(serverId: number, domain: string) {
  const { db } = t.app
  const [owner] = await db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const [plan] = await db.select().from(plans).limit(1)
  const mine = { ownerId: owner!.id, serverId, planId: plan!.id }
  const username = domain.replace(/\W/g, '')
  const [user] = await db
    .insert(systemUsers)
    .values({ ...mine, username, homeDir: `/home/${username}`, shell: '/usr/sbin/nologin' })
    .returning()
  const site = { domain, status: 'active' as const, documentRoot: '/x', phpVersion: '8.2', systemUserId: user!.id }
  const [row] = await db
    .insert(websites)
    .values({ ...mine, ...site })
    .returning()
  return row!
}

describe('a server', () => {
  it('is created with a command that enrols it once', async () => {
    const { status, body } = await post('/servers', { name: 'web-new', type: 'web', note: 'rack 4' })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      name: 'web-new',
      status: 'up',
      observed: 'unknown',
      provisioned: false,
      websites: 0,
      version: 1,
    })
    expect(body.servicesWanted).toEqual(['nginx', 'php-fpm'])
    expect(body.enrolment.command).toMatch(
      /^curl -fsS --insecure --pinnedpubkey 'sha256\/\/[\w+/]{43}=' -H 'Authorization: Bearer \S{32}' https:\/\/localhost:\d+\/enrol \| sh$/,
    )
    const left = Date.parse(body.enrolment.expiresAt) - Date.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(30 * 60_000)
    const log = await t.app.db.execute(sql`select after::text from action_logs where resource_id = ${String(body.id)}`)
    expect(JSON.stringify(log)).not.toContain('Bearer')
  })

  it('is enrolled at the named address of the asked node, or at the first', async () => {
    const commandFor = async (addresses: string[], name: string) => {
      t.app.settings.agentAddresses = addresses
      const { body } = await post('/servers', { name, type: 'web' })
      t.app.settings.agentAddresses = []
      return body.enrolment.command
    }
    expect(await commandFor(['https://a.example:4443', 'https://localhost:5443'], 'two')).toContain(
      'https://localhost:5443/enrol',
    )
    expect(await commandFor(['https://all.example:8443'], 'balanced')).toContain('https://all.example:8443/enrol')
  })

  it('has a unique name, which is free again after removal', async () => {
    const { body } = await post('/servers', { name: 'web-name', type: 'web' })
    expect(await post('/servers', { name: 'web-name', type: 'dns' })).toMatchObject({
      status: 409,
      body: { fields: { name: expect.anything() } },
    })
    const other = await post('/servers', { name: 'web-other', type: 'web' })
    expect((await patch(`/servers/${other.body.id}`, { name: 'web-name' })).status).toBe(409)
    expect((await del(`/servers/${body.id}`)).status).toBe(204)
    expect((await patch(`/servers/${other.body.id}`, { name: 'web-name' })).status).toBe(200)
    expect((await get(`/servers/view/${body.id}`)).status).toBe(404)
  })

  it('refuses a stale write, and answers the stored server', async () => {
    const { body } = await post('/servers', { name: 'web-stale', type: 'web' })
    expect(await patch(`/servers/${body.id}`, { note: 'first', version: 1 })).toMatchObject({
      status: 200,
      body: { version: 2 },
    })
    const late = await patch(`/servers/${body.id}`, { note: 'second', version: 1 })
    expect(late).toMatchObject({ status: 409, body: { current: { note: 'first', version: 2 } } })
    expect((await del(`/servers/${body.id}`, { version: 1 })).status).toBe(409)
  })

  it('is online for 15 s after a heartbeat, stale for 90 s, then offline; unknown before its first', async () => {
    const id = await enrolled(t.app.db, 'web-seen')
    const observed = async () => (await get(`/servers/view/${id}`)).body.observed
    expect(await observed()).toBe('online')
    for (const [ago, state] of [
      ['14 s', 'online'],
      ['16 s', 'stale'],
      ['89 s', 'stale'],
      ['91 s', 'offline'],
    ] as const) {
      await seen(id, ago)
      expect(await observed(), ago).toBe(state)
      const ids = (await get(`/servers?observed=${state}`)).body.items.map((s: { id: number }) => s.id)
      expect(ids, ago).toContain(id)
    }
    expect((await post('/servers', { name: 'web-unseen', type: 'web' })).body.observed).toBe('unknown')
  })

  it('is told of, and measured, when mail stands in its queue', async () => {
    const id = await enrolled(t.app.db, 'mail-full')
    const told = async () => (await Promise.all(t.app.troubles.map(({ find }) => find(t.app)))).flat()
    const beat = (waiting: number) => {
      const postfix = { name: 'postfix', version: '3.7.11', state: 'active', detail: null, waiting } as const
      return recordHeartbeat(t.app.db, id, { ...heartbeat, services: [postfix] }, '')
    }
    await beat(1999)
    expect((await told()).map(({ key }) => key)).not.toContain(`mail queue ${id}`)
    await beat(2500)
    expect(await told()).toContainEqual(expect.objectContaining({ key: `mail queue ${id}`, link: `/server/${id}` }))
    expect(await openRegistry(t.app, {}).metrics()).toContain('innkeeper_mail_queued{server="mail-full"} 2500')
  })

  it('shows its agent’s report, and whether the agent is outdated', async () => {
    const id = await enrolled(t.app.db, 'web-view')
    await recordHeartbeat(t.app.db, id, { ...heartbeat, agentVersion: '0.0.1' }, '')
    const { body } = await get(`/servers/view/${id}`)
    expect(body).toMatchObject({
      ...{
        agentVersion: '0.0.1',
        agentSkew: true,
        os: heartbeat.os,
        services: heartbeat.services,
        credential: 'valid',
      },
      load: { load: 0.5, cores: 2, memory: { total: 2e9, used: 1e9 }, disk: { total: 2e10, used: 1e10 } },
    })
    expect(body.trend).toHaveLength(1)
    expect(JSON.stringify(body)).not.toMatch(/hash/i)
  })

  it('is listed by type, ids and words, and sorted', async () => {
    const a = await post('/servers', { name: 'list-a', type: 'mail' })
    const b = await post('/servers', { name: 'list-b', type: 'mail', address: '10.9.8.7' })
    const names = async (query: string) =>
      (await get(`/servers?${query}`)).body.items.map((s: { name: string }) => s.name)
    expect(await names('type=mail')).toEqual(['list-a', 'list-b'])
    expect(await names('type=mail&direction=DESC')).toEqual(['list-b', 'list-a'])
    for (const sort of ['type', 'lastSeenAt', 'createdAt'])
      expect((await names(`type=mail&sort=${sort}`)).sort()).toEqual(['list-a', 'list-b'])
    expect(await names(`ids[]=${a.body.id}&ids[]=${b.body.id}`)).toEqual(['list-a', 'list-b'])
    expect(await names('search=9.8.7')).toEqual(['list-b'])
    expect(await names('search=LIST-A')).toEqual(['list-a'])
    expect(await names('search=%25')).toEqual([])
    expect(await names('type=mail,database&search=list-')).toEqual(['list-a', 'list-b'])
    const first = (await get('/servers?type=mail&itemsPerPage=1')).body
    expect(first).toMatchObject({ total: 2, items: [{ name: 'list-a' }] })
    expect(await names(`type=mail&itemsPerPage=1&page=2&after=${first.next}`)).toEqual(['list-b'])
  })

  it('is offered for new websites: the online server with the most room first, closed servers last', async () => {
    const made = async (name: string, share: number) => {
      const id = await enrolled(t.app.db, `place-${name}`, { provisionedAt: new Date().toISOString() })
      const memory = { total: 1e9, used: 1e9 * share }
      await recordHeartbeat(t.app.db, id, { ...heartbeat, memory }, '')
      return id
    }
    await made('full', 0.96)
    const down = await made('down', 0.1)
    await patch(`/servers/${down}/status`, { status: 'Down' })
    await seen(await made('silent', 0.1), '1 hour')
    await made('empty', 0.6)
    await enrolled(t.app.db, 'place-bare')
    const { items } = (await get('/servers?search=place-&sort=place')).body
    const names = items.map(({ name }: { name: string }) => name.slice('place-'.length))
    expect(names.slice(0, 3)).toEqual(['empty', 'full', 'silent'])
    expect(names.slice(3).toSorted()).toEqual(['bare', 'down'])
    const { next } = (await get('/servers?search=place-&sort=place&itemsPerPage=2')).body
    const second = (await get(`/servers?search=place-&sort=place&itemsPerPage=2&page=2&after=${next}`)).body.items
    expect(second[0].name).toBe('place-silent')
  })
})

describe('Up and Down', () => {
  it('are stored with the person who set them; a server that is down gets no work', async () => {
    const id = await enrolled(t.app.db, 'web-down')
    expect(await patch(`/servers/${id}/status`, { status: 'Down' })).toMatchObject({
      status: 200,
      body: { status: 'down' },
    })
    expect((await get(`/servers/view/${id}`)).body).toMatchObject({
      statusSetBy: expect.stringContaining('Some'),
      statusSetAt: expect.any(String),
    })
    const workflow = await begin(t.app.db, { plan: steps(1, id) })
    expect(await claim(t.app.db, id, 'short', 1)).toEqual([])
    const { body } = await t.call('GET', `/api/workflows/${workflow}`, { token: admin })
    expect(body).toMatchObject({ status: 'waiting', waitsFor: 'web-down is set down' })
    await patch(`/servers/${id}/status`, { status: 'up' })
    expect(await claim(t.app.db, id, 'short', 1)).toHaveLength(1)
    expect((await patch(`/servers/${id}/status`, { status: 'sideways' })).status).toBe(400)
  })

  it('previews what Down would affect', async () => {
    const id = await enrolled(t.app.db, 'web-impact')
    await website(id, 'one.example')
    await website(id, 'two.example')
    await begin(t.app.db, { plan: steps(1, id) })
    const { body } = await get(`/servers/${id}/impact`)
    expect(body).toMatchObject({ websites: 2, active: 2, owners: 2, running: 1 })
    expect(body.examples.map((s: { domain: string }) => s.domain).sort()).toEqual(['one.example', 'two.example'])
  })
})

describe('removing a server', () => {
  it('is refused while websites, accounts or open workflows are on it, and counts them', async () => {
    const id = await enrolled(t.app.db, 'web-full')
    const site = await website(id, 'full.example')
    const workflow = await begin(t.app.db, { plan: steps(1, id) })
    const refusal = await del(`/servers/${id}`)
    expect(refusal.status).toBe(409)
    expect(refusal.body.message).toBe('web-full still holds 1 website, 1 system user, 1 open workflow')
    const [op] = await claim(t.app.db, id, 'short', 1)
    await finish(t.app.db, id, [{ id: op!.id, attempt: 1, status: 'done' }])
    expect((await del(`/servers/${id}`)).body.message).toBe('web-full still holds 1 website, 1 system user')
    const away = { deletedAt: sql`now()` }
    await t.app.db.update(websites).set(away).where(eq(websites.id, site.id))
    await t.app.db.update(systemUsers).set(away).where(eq(systemUsers.id, site.systemUserId))
    expect((await del(`/servers/${id}`)).body.message).toBe('web-full still holds 1 deleted website')
    await t.app.db.update(websites).set({ purgedAt: sql`now()` }).where(eq(websites.id, site.id))
    expect((await del(`/servers/${id}`)).status).toBe(204)
    expect(workflow).toBeGreaterThan(0)
  })
  it('also revokes its agent’s credential', async () => {
    const id = await enrolled(t.app.db, 'web-gone')
    expect(await serverOf(t.app.db, credentialOf('web-gone'))).toBe(id)
    await del(`/servers/${id}`)
    expect(await serverOf(t.app.db, credentialOf('web-gone'))).toBeUndefined()
  })
})

describe('provisioning', () => {
  it('runs the services of its type that have a driver, and marks the server as provisioned', async () => {
    const id = await enrolled(t.app.db, 'web-provision')
    const { status, body } = await post(`/servers/${id}/provision`)
    expect(status).toBe(202)
    expect(await post(`/servers/${id}/provision`)).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/^web-provision is being provisioned by Some .* since/) },
    })
    for (const lane of ['long', 'short', 'short'] as const) {
      expect((await get(`/servers/view/${id}`)).body.provisioned).toBe(false)
      const [op] = await claim(t.app.db, id, lane, 1)
      await finish(t.app.db, id, [{ id: op!.id, attempt: 1, status: 'done' }])
    }
    expect((await t.call('GET', `/api/workflows/${body.workflowId}`, { token: admin })).body).toMatchObject({
      ...{ status: 'done', title: 'Provision server', done: 3, count: 3 },
      actions: [
        { name: 'packages.ensure' },
        { name: 'nginx.ensure' },
        { name: 'php.ensure', input: { phpVersion: '8.2' } },
      ],
    })
    expect((await get(`/servers/view/${id}`)).body.provisioned).toBe(true)
  })
  it('has a plan for every server type, with the packages of each service', async () => {
    const plans = await Promise.all(
      serverTypes
        .filter((type) => type !== 'adopted')
        .map(async (type) => {
          const id = await enrolled(t.app.db, `plan-${type}`, { type })
          const { body } = await post(`/servers/${id}/provision`)
          const shown = await t.call('GET', `/api/workflows/${body.workflowId}`, { token: admin })
          return [type, shown.body.actions.map((a: { name: string }) => a.name.replace('.ensure', '')).join(' ')]
        }),
    )
    expect(Object.fromEntries(plans)).toEqual({
      web: 'packages nginx php',
      dns: 'packages powerdns',
      database: 'packages mariadb',
      mail: 'packages mail-filter packages postfix dovecot',
      cdn: 'packages nginx packages nginx-cache',
      xdn: 'packages nginx packages nginx-cache',
      backup: 'packages restic',
      'all-in-one': 'packages nginx php powerdns mariadb',
    })
  })
  it('uses nginx, or Apache if chosen, and changes only while it has no websites', async () => {
    const { body: made } = await post('/servers', { name: 'web-apache', type: 'web', webServer: 'apache' })
    expect(made).toMatchObject({ webServer: 'apache', servicesWanted: ['apache', 'php-fpm'] })
    for (const type of ['cdn', 'dns'])
      expect(await post('/servers', { name: `no-apache-${type}`, type, webServer: 'apache' })).toMatchObject({
        status: 422,
        body: { fields: { webServer: expect.any(String) } },
      })
    const id = await enrolled(t.app.db, 'web-either', { provisionedAt: new Date().toISOString() })
    const [server] = await t.app.db.select().from(servers).where(eq(servers.id, id))
    const changed = await patch(`/servers/${id}`, { webServer: 'apache', version: server!.version })
    expect(changed.body).toMatchObject({ webServer: 'apache', provisioned: false })
    const { workflowId } = (await post(`/servers/${id}/provision`)).body
    const shown = await t.call('GET', `/api/workflows/${workflowId}`, { token: admin })
    expect(shown.body.actions.map(({ name }: { name: string }) => name)).toEqual([
      'packages.ensure',
      'apache.ensure',
      'php.ensure',
    ])
    expect(shown.body.actions[0].input.packages).toContain('apache2')
    const held = await enrolled(t.app.db, 'web-held')
    await website(held, 'held.example')
    expect(await patch(`/servers/${held}`, { webServer: 'apache', version: 1 })).toMatchObject({
      status: 422,
      body: { fields: { webServer: expect.stringContaining('1 website') } },
    })
  })
  it('is refused for types without drivers', async () => {
    const { version } = (await get('/server-types/xdn/services')).body
    await patch('/server-types/xdn/services', { services: ['pure-ftpd'], version })
    const { body } = await post('/servers', { name: 'xdn-1', type: 'xdn' })
    expect((await post(`/servers/${body.id}/provision`)).status).toBe(422)
    await patch('/server-types/xdn/services', { services: ['nginx'], version: version + 1 })
  })
  it('repairs only services of the server’s type', async () => {
    const id = await enrolled(t.app.db, 'mail-repair', { type: 'mail' })
    const { status, body } = await post(`/servers/${id}/services/dovecot/repair`)
    expect(status).toBe(202)
    expect((await t.call('GET', `/api/workflows/${body.workflowId}`, { token: admin })).body).toMatchObject({
      title: 'Repair service',
      actions: [{ name: 'packages.ensure' }, { name: 'dovecot.ensure' }],
    })
    expect((await post(`/servers/${id}/services/postfix/repair`)).status).toBe(409)
    const other = await enrolled(t.app.db, 'dns-repair', { type: 'dns' })
    expect(await post(`/servers/${other}/services/dovecot/repair`)).toMatchObject({
      status: 422,
      body: { fields: { service: 'Not part of this type' } },
    })
    expect((await post(`/servers/${other}/services/sendmail/repair`)).status).toBe(400)
  })
})

describe('a credential', () => {
  it('is revoked at once, with its enrolment', async () => {
    const id = await enrolled(t.app.db, 'web-revoke')
    expect((await post(`/servers/${id}/enrolment`)).status).toBe(201)
    expect((await del(`/servers/${id}/credential`)).status).toBe(204)
    expect((await get(`/servers/view/${id}`)).body.credential).toBe('revoked')
    const [row] = await t.app.db.select().from(servers).where(eq(servers.id, id))
    expect(row?.enrolTokenHash).toBeNull()
    const workflow = await begin(t.app.db, { plan: steps(1, id) })
    const shown = await t.call('GET', `/api/workflows/${workflow}`, { token: admin })
    expect(shown.body.waitsFor).toBe('web-revoke has no agent')
  })
})

describe('server types', () => {
  it('are nine, each with its services, and are changed with a version check', async () => {
    const { body } = await get('/server-types')
    expect(body.items.map((type: { name: string }) => type.name)).toEqual([
      'web',
      'dns',
      'database',
      'mail',
      'cdn',
      'xdn',
      'backup',
      'all-in-one',
      'adopted',
    ])
    expect(
      await patch('/server-types/backup/services', { services: ['restic', 'redis', 'redis'], version: 1 }),
    ).toMatchObject({
      body: { services: ['restic', 'redis'], version: 2 },
    })
    expect((await patch('/server-types/backup/services', { services: ['restic'], version: 1 })).status).toBe(409)
    expect((await get('/server-types/backup/services')).body.services).toEqual(['restic', 'redis'])
    expect((await patch('/server-types/backup/services', { services: ['sendmail'] })).status).toBe(400)
    expect((await get('/server-types/nonsense/services')).status).toBe(400)
  })
})

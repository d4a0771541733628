import type { Resolver } from 'node:dns/promises'
import type { FoundMachine } from '@innkeeper/contract/recovery/adoptions/shapes'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { inventory, lateDomain } from '../../test/hostile/world/archives.ts'
import { openWorld, type World } from '../../test/hostile/world/world.ts'
import { carryOutAll } from '../../test/work.ts'
import { lookForNames, namesThat } from './elsewhere.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  world.call(method, `/api${path}`, { token: world.admin, ...(body !== undefined && { body }) })
const idOf = async (table: string, by: string) => {
  const [found] = await rows<{ id: number }>(
    world.app.db,
    table === 'adoptions'
      ? sql`select adoption_id as id from adoptions where staff_name = ${by}`
      : sql`select server_id as id from servers where name = ${by}`,
  )
  return found?.id ?? 0
}

it('reads the chosen websites of an account as an import, and refuses what was not found', async () => {
  const [id, serverId] = [await idOf('adoptions', 'Ready machine'), await idOf('servers', 'web-1')]
  const bring = (more: object) => call('POST', `/adoptions/${id}/bring`, { serverId, account: 'alice', ...more })
  expect(await bring({ account: 'nobody' })).toMatchObject({
    status: 422,
    body: { fields: { account: expect.any(String) } },
  })
  expect(await bring({ websites: ['other.example'] })).toMatchObject({
    status: 422,
    body: { fields: { websites: 'Has no other.example' } },
  })
  const { status, body } = await bring({ websites: ['imported.example.org'] })
  expect(status).toBe(201)
  const actions = await rows<{ name: string; server: string; input: { websites?: string[]; token?: object } }>(
    world.app.db,
    sql`select a.name, s.name as server, a.input from actions a join servers s on s.server_id = a.server_id
      where a.workflow_id = ${body.workflowId} order by a.action_id`,
  )
  expect(actions.map(({ name, server }) => `${name} ${server}`)).toEqual([
    ...['machine.open adopt-1', 'archive.pull web-1', 'transfer.close adopt-1', 'archive.look web-1'],
  ])
  expect(actions[0]?.input).toMatchObject({
    websites: ['imported.example.org'],
    token: { $secret: expect.any(String) },
  })
  expect((await call('GET', `/adoptions/${id}`)).body.imports).toMatchObject([{ id: body.importId, account: 'alice' }])
})

it('lists what leads to the machine and is not served there by Innkeeper: names, mail, name servers, applications', async () => {
  const none = Object.assign(new Error('none'), { code: 'ENODATA' })
  const here = ['old.example', 'www.old.example', 'placed.example', 'app.example', 'post.example', 'ns1.old.example']
  const resolver = {
    resolve4: async (name: string) => {
      if (name === 'silent.example') throw Object.assign(new Error('late'), { code: 'ETIMEOUT' })
      return here.includes(name) ? ['192.0.2.9'] : ['198.51.100.1']
    },
    resolve6: async () => Promise.reject(none),
    resolveMx: async (name: string) =>
      name === 'old.example' ? [{ priority: 10, exchange: 'Post.example' }] : Promise.reject(none),
    resolveNs: async (name: string) => [name === 'old.example' ? 'ns1.old.example' : 'ns.elsewhere.example'],
  } as unknown as Resolver // what the look asks of one
  const [website, zone] = [inventory.websites[0]!, inventory.zones[0]!]
  const of = (domain: string) => ({ ...website, domain, aliases: [`www.${domain}`] })
  const found: FoundMachine = {
    ...{ panel: 'none', addresses: ['192.0.2.9'] },
    accounts: [
      {
        ...inventory,
        websites: ['old.example', 'placed.example', 'gone.example', 'silent.example'].map(of),
        mail: ['old.example', 'placed.example', 'gone.example'].map((domain) => ({ ...lateDomain, domain })),
        zones: ['old.example', 'gone.example'].map((domain) => ({ ...zone, domain })),
      },
    ],
    others: [
      { kind: 'website', name: 'app.example', why: 'a program serves it' },
      { kind: 'timer', name: 'backup.timer', why: '' },
    ],
  }
  const ours = { websites: new Set(['placed.example', 'www.placed.example']), mail: new Set<string>() }
  const listed = async (more = ours) =>
    (await namesThat(resolver, found, { old: ['192.0.2.9'], ours: more })).map(
      ({ what, name, now }) => `${what} ${name}: ${now.join()}`,
    )
  expect(await listed()).toEqual([
    ...['website old.example: A 192.0.2.9', 'website www.old.example: A 192.0.2.9'],
    'website silent.example: no name server answers',
    'website app.example: A 192.0.2.9',
    'mail old.example: MX 10 post.example.',
    'mail placed.example: A 192.0.2.9', // without MX, its address gets its mail
    'zone old.example: NS ns1.old.example.',
  ])
  expect(await listed({ ...ours, mail: new Set(['placed.example']) })).not.toContain('mail placed.example: A 192.0.2.9')
})

it('retires a server only when names were looked up and none leads to it', async () => {
  const id = await idOf('adoptions', 'Empty machine')
  const { version } = (await call('GET', `/adoptions/${id}`)).body
  const set = (text: string) =>
    world.app.db.execute(sql`update adoptions set elsewhere = ${text}::jsonb where adoption_id = ${id}`)
  await set(JSON.stringify([{ name: 'old.example', what: 'website', now: ['A 192.0.2.9'], zone: null }]))
  expect(await call('POST', `/adoptions/${id}/retire`, { version })).toMatchObject({
    ...{ status: 422, body: { message: expect.stringContaining('old.example') } },
  })
  await set('[]')
  expect((await call('POST', `/adoptions/${id}/retire`, { version })).body.data.status).toBe('retired')
  const places = await idOf('adoptions', 'Place machine')
  const waiting = (await call('GET', `/adoptions/${places}`)).body
  expect(await call('POST', `/adoptions/${places}/retire`, { version: waiting.version })).toMatchObject({
    ...{ status: 422, body: { message: expect.stringMatching(/accept it or give it back/) } },
  })
})

it('sets nothing up on a server of the type adopted', async () => {
  const id = await idOf('servers', 'adopt-1')
  expect((await call('POST', `/cloud-management/servers/${id}/provision`)).status).toBe(422)
  const { version } = (await call('GET', `/cloud-management/servers/view/${id}`)).body
  expect((await call('PATCH', `/cloud-management/servers/${id}`, { type: 'mail', version })).status).toBe(422)
  expect((await call('PATCH', '/cloud-management/server-types/adopted/services', { services: ['nginx'] })).status).toBe(
    422,
  )
})

it('takes over a website where it lies, waits, and gives it back or keeps it', async () => {
  const id = await idOf('adoptions', 'Place machine')
  const body = {
    ...{
      account: 'lee',
      website: 'lying.example.org',
      userId: 1,
      plan: 1,
      seen: 'a'.repeat(64),
      root: '/home/lee/www',
    },
    ...{
      phpVersion: '8.2',
      serves: ['also.lying.example.org'],
      redirects: ['www.lying.example.org'],
      application: 'files',
    },
  }
  const take = (more: object) => call('POST', `/adoptions/${id}/places`, { ...body, ...more })
  expect(await take({ website: 'other.example' })).toMatchObject({
    status: 422,
    body: { fields: { website: expect.any(String) } },
  })
  expect(await take({ root: '/home/kari/www' })).toMatchObject({
    status: 422,
    body: { fields: { root: expect.any(String) } },
  })
  expect(await take({ redirects: ['active.example.org'] })).toMatchObject({
    status: 409,
    body: { fields: { website: expect.any(String) } },
  })
  const adopted = await call('POST', `/adoptions/${await idOf('adoptions', 'Ready machine')}/places`, {
    ...body,
    account: 'alice',
    website: 'imported.example.org',
  })
  expect(adopted).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('Make it a web server first') },
  })
  const { status, body: made } = await take({})
  expect(status).toBe(202)
  expect(made.data).toMatchObject({ domain: 'lying.example.org', status: 'taking' })
  const actions = await rows<{ name: string; input: Record<string, unknown> }>(
    world.app.db,
    sql`select name, input from actions where workflow_id = ${made.workflowId} order by action_id`,
  )
  expect(actions.map(({ name }) => name)).toEqual([
    ...['nginx.ensure', 'php.ensure', 'panel.rest', 'system-user.ensure', 'php-pool.ensure', 'place.take'],
    ...['website.probe', 'adoption.accept'],
  ])
  expect(actions[5]?.input).toMatchObject({
    ...{ domain: 'lying.example.org', root: '/home/lee/www', username: 'lee', seen: 'a'.repeat(64) },
    ...{ redirects: ['www.lying.example.org'], rules: { application: 'files', ownRules: '' } },
    aliases: ['also.lying.example.org', 'www.also.lying.example.org'],
  })
  const names = sql`select domain, kind, mode, status, document_root as root from websites where domain like '%lying.example.org' order by 1`
  expect(await rows(world.app.db, names)).toEqual([
    { domain: 'also.lying.example.org', kind: 'alias', mode: 'serve', status: 'creating', root: '/home/lee/www' },
    { domain: 'lying.example.org', kind: 'main', mode: null, status: 'creating', root: '/home/lee/www' },
    { domain: 'www.lying.example.org', kind: 'alias', mode: 'redirect', status: 'creating', root: '/home/lee/www' },
  ])
  expect((await take({})).status).toBe(409)
  const places = (await call('GET', `/adoptions/${id}`)).body.places as {
    id: number
    domain: string
    websiteId: number
  }[]
  const placed = places.find(({ domain }) => domain === 'placed.example.org')!
  expect((await call('POST', `/adoptions/places/${made.data.id}/accept`)).status).toBe(422)
  expect((await call('POST', `/adoptions/places/${placed.id}/accept`)).body).toMatchObject({
    data: { status: 'taking' },
  })
})

it('knows the certificate of a website that is taken over, and renews it once somebody has accepted', async () => {
  const { app } = world
  const id = await idOf('adoptions', 'Place machine')
  const [server] = await rows<{ id: number }>(
    app.db,
    sql`select server_id as id from adoptions where adoption_id = ${id}`,
  )
  await app.db.execute(
    sql`update adoptions set found = replace(replace(found::text, 'lying', 'secure'), '"lee"', '"lou"')::jsonb where adoption_id = ${id}`,
  )
  const { body: made } = await call('POST', `/adoptions/${id}/places`, {
    ...{ account: 'lou', website: 'secure.example.org', userId: 1, plan: 1, seen: 'a'.repeat(64) },
    ...{ root: '/home/lou/secure', phpVersion: '8.2', serves: [], redirects: [], application: 'files' },
    certificate: 'renews',
  })
  const planned = await rows<{ name: string; input: Record<string, unknown> }>(
    app.db,
    sql`select name, input from actions where workflow_id = ${made.workflowId} order by action_id`,
  )
  expect(planned.slice(-6).map(({ name }) => name)).toEqual([
    ...['adoption.certificate', 'certificate.bring', 'tls-site.ensure', 'certificate.probe', 'certificate.take'],
    'adoption.accept',
  ])
  const redirect = { $output: 'redirect', of: { name: 'place.take', resourceId: made.data.websiteId } }
  expect(planned.find(({ name }) => name === 'tls-site.ensure')?.input).toMatchObject({ redirect })
  const certificateOfSite = () =>
    rows<{ kind: string; autoRenew: boolean; state: string }>(
      app.db,
      sql`select kind, auto_renew as "autoRenew", state from certificates where website_id = ${made.data.websiteId} and deleted_at is null`,
    )
  expect(await certificateOfSite()).toEqual([{ kind: 'lets-encrypt', autoRenew: true, state: 'ordering' }])
  // the agent refuses it: nothing of the certificate stays
  await carryOutAll(app.db, server?.id ?? 0, ({ name, task }) =>
    name === 'place.take' && task === 'run' ? { status: 'failed', reason: 'would change for its visitors' } : {},
  )
  expect((await call('GET', `/adoptions/${id}`)).body.places[0]).toMatchObject({ status: 'undone' })
  expect(await certificateOfSite()).toEqual([])
})

it('counts no website that was taken over where it lies among what leads elsewhere', async () => {
  const [id, { db }] = [await idOf('adoptions', 'Place machine'), world.app]
  const at = (name: string) => sql`insert into records (zone_id, name, type, ttl, content)
    select z.zone_id, ${name}, 'A', 300, '192.0.2.9' from zones z where z.domain = 'off.example.org'`
  for (const name of ['placed', 'other']) await db.execute(at(name))
  const names = sql`update websites set domain = 'placed.off.example.org', status = 'active' where domain = 'placed.example.org'`
  await db.execute(names)
  await db.execute(
    sql`update adoptions set checked_at = null, found = found || '{"accounts": [], "others": []}' where adoption_id = ${id}`,
  )
  await lookForNames(world.app)
  expect((await call('GET', `/adoptions/${id}`)).body.elsewhere).toMatchObject([{ name: 'other.off.example.org' }])
})

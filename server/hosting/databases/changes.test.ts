import type { Op } from '@innkeeper/contract/agent/door'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions, workflows } from '../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerReads, carryOutAll, enrolled } from '../../test/work.ts'
import { type Moving, migrations } from '../moves/tables.ts'
import { owners } from '../owners/tables.ts'
import { databases } from './tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-changes', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })
const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name }) => (name === failing ? { status: 'failed', reason: 'no' } : {}))
/** A website with a database and its account. */
async function withDatabase(domain: string) {
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const wish = { originServer: server, domain, plan: 'Business', userId: kari!.id, database: true }
  const { body } = await call('POST', '/websites', wish)
  await carryOut()
  const [database] = (await call('GET', `/database/websites/${body.data.id}`)).body.items
  return { id: body.data.id as number, database, user: database.users[0], owner: kari!.id }
}
const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => ({ name, input: input as Record<string, unknown> }),
  )
async function rollBack(workflowId: number) {
  const all = await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId))
  const stopped = all.find(({ status }) => status === 'failed')!
  await call('PATCH', `/workflows/${workflowId}/actions/${stopped.id}`, { actionType: 'rollback', reason: 'no' })
  await carryOut()
}

describe('lists', () => {
  it('show the databases and accounts of all websites, filtered by search, website, server, owner and lock', async () => {
    const one = await withDatabase('list-one.example')
    const two = await withDatabase('list-two.example')
    const names = async (query: string) =>
      (await call('GET', `/database/databases?${query}`)).body.items.map((row: { name: string }) => row.name)
    expect(await names('search=list_')).toEqual(['list_one_example', 'list_two_example'])
    expect(await names(`websiteIds=${one.id},${two.id}&sort=createdAt`)).toEqual([
      'list_two_example',
      'list_one_example',
    ])
    expect(await names(`websiteIds[]=${two.id}`)).toEqual(['list_two_example'])
    expect(await names(`search=list_&server=999`)).toEqual([])
    expect(await names(`search=list_o&owner=${one.owner}&engine=mariadb&status=active`)).toEqual(['list_one_example'])
    expect(await names('search=list_&engine=postgresql')).toEqual([])
    for (const path of ['/database/databases', '/database/users', '/database/logs'])
      expect((await call('GET', `${path}?websiteIds=`)).body, path).toEqual({ items: [], total: 0 })
    const { body } = await call('GET', `/database/users?websiteIds=${two.id}&locked=false`)
    expect(body.items).toMatchObject([
      { username: 'list_two_example', host: 'localhost', ownerName: 'Kari', databases: [{ privileges: 'all' }] },
    ])
    expect(JSON.stringify(body)).not.toContain('secret')
    for (const path of ['/database', '/database/database', '/database/database-users'])
      expect((await call('GET', path)).status, path).toBe(200)
  })
})

describe('an account', () => {
  it('has separate privileges on each of several databases, and a database has several accounts', async () => {
    const { id, database } = await withDatabase('several.example')
    const second = (await call('POST', '/database/databases', { websiteId: id, name: 'several_two' })).body.data
    await carryOut()
    const wish = {
      websiteId: id,
      username: 'several_reader',
      host: '203.0.113.7',
      databases: [
        { id: database.id, privileges: 'read' },
        { id: second.id, privileges: 'custom', chosen: ['select', 'insert'] },
      ],
    }
    const { status, body } = await call('POST', '/database/users', wish)
    expect([status, body.data.status]).toEqual([201, 'creating'])
    const [ensure] = (await planOf(body.workflowId)).filter(({ name }) => name === 'database-user.ensure')
    expect(ensure?.input).toMatchObject({
      user: 'several_reader',
      host: '203.0.113.7',
      grants: [
        { database: 'several_example', privileges: 'read' },
        { database: 'several_two', privileges: 'custom', chosen: ['select', 'insert'] },
      ],
    })
    await carryOut()
    const { body: user } = await call('GET', `/database/users/${body.data.id}`)
    expect(user).toMatchObject({ status: 'active', host: '203.0.113.7', databases: [{ name: 'several_example' }, {}] })
    expect((await call('GET', `/database/databases/${database.id}`)).body.users).toHaveLength(2)
    expect(JSON.stringify((await call('GET', '/logs?service_ids=database')).body)).toContain('several_reader')
  })

  it('is refused beside the field for a taken name, a host that admits everybody, or a database of another website', async () => {
    const { id, user } = await withDatabase('refusing.example')
    const other = await withDatabase('refused-other.example')
    const create = (more: object) =>
      call('POST', '/database/users', { websiteId: id, username: 'refusing_new', ...more })
    expect((await create({ username: user.username })).body).toMatchObject({ fields: { username: 'Is taken' } })
    expect((await create({ username: user.username, host: '10.0.0.0/24' })).status).toBe(201)
    await carryOut()
    expect((await create({ username: other.user.username, host: '10.9.9.9' })).body.fields).toEqual({
      username: 'Is taken',
    })
    for (const host of ['%', 'db.example.org', '10.0.0.%', "1.2.3.4'", '10.0.0.0/33'])
      expect((await create({ host })).body.fields, host).toEqual({
        host: expect.stringContaining('localhost, or an IP'),
      })
    const theirs = await create({ databases: [{ id: other.database.id }] })
    expect(theirs.body).toMatchObject({ code: 'refused', fields: { databases: expect.any(String) } })
    const nothing = await create({ databases: [{ id: other.database.id, privileges: 'custom' }] })
    expect(nothing.status).toBe(400)
    for (const username of ['root', 'a'.repeat(65), 'x`y', 'per%cent'])
      expect((await create({ username })).body.fields, username).toHaveProperty('username')
  })

  it('changes once its server has applied the change, and keeps its values after a rollback', async () => {
    const { database, user } = await withDatabase('changing.example')
    const path = `/database/users/${user.id}`
    const change = { host: '198.51.100.4', locked: true, databases: [{ id: database.id, privileges: 'read' }] }
    expect((await call('PATCH', path, { version: 99, locked: true })).status).toBe(409)
    expect((await call('PATCH', path, { host: 'localhost', locked: false })).status).toBe(200)
    const first = await call('PATCH', path, change)
    expect(await planOf(first.body.workflowId)).toMatchObject([
      { name: 'packages.ensure', input: { packages: ['nftables'] } },
      { name: 'database-user.ensure', input: { host: '198.51.100.4', locked: true, grants: [{ privileges: 'read' }] } },
      { name: 'database-user.remove', input: { user: user.username } },
    ])
    await carryOut('database-user.remove')
    await rollBack(first.body.workflowId)
    expect((await call('GET', path)).body).toMatchObject({
      host: 'localhost',
      locked: false,
      databases: [{ privileges: 'all' }],
    })
    await call('PATCH', path, change)
    await carryOut()
    expect((await call('GET', path)).body).toMatchObject({
      host: '198.51.100.4',
      locked: true,
      databases: [{ privileges: 'read' }],
    })
    await call('PATCH', path, { databases: [] })
    await carryOut()
    expect((await call('GET', path)).body.databases).toEqual([])
  })

  it('can be changed while its website is suspended, and stays locked', async () => {
    const { id, user } = await withDatabase('asleep.example')
    await call('PATCH', `/websites/${id}`, { status: 'suspended' })
    await carryOut()
    const { body } = await call('PATCH', `/database/users/${user.id}`, { databases: [] })
    expect(await planOf(body.workflowId)).toMatchObject([{ input: { locked: true, grants: [] } }])
    await carryOut()
    expect((await call('GET', `/database/users/${user.id}`)).body.locked).toBe(false)
  })

  it('is restored from the trash with its privileges; restoring its database leaves it in the trash', async () => {
    const { id, database, user } = await withDatabase('trashed.example')
    const gone = await call('DELETE', `/database/users/${user.id}`)
    expect(gone).toMatchObject({ status: 202, body: { data: { status: 'deleting' } } })
    await carryOut()
    expect((await call('GET', `/database/users/${user.id}`)).status).toBe(404)
    await call('DELETE', `/database/databases/${database.id}`, { name: database.name })
    await carryOut()
    await call('POST', `/database/databases/${database.id}/restore`)
    await carryOut()
    const of = (await call('GET', `/database/websites/${id}`)).body
    expect(of).toMatchObject({ items: [{ users: [] }], trashedUsers: [{ id: user.id }] })
    const back = await call('POST', `/database/users/${user.id}/restore`)
    expect((await planOf(back.body.workflowId)).map(({ name }) => name)).toEqual([
      'database-user.restore',
      'database-user.ensure',
    ])
    await carryOut()
    expect((await call('GET', `/database/users/${user.id}`)).body).toMatchObject({ status: 'active', databases: [{}] })
    expect((await call('POST', `/database/users/${user.id}/restore`)).status).toBe(404)
  })

  it('with another database loses its privileges on a deleted database, and regains them when that database is restored', async () => {
    const { id, database, user } = await withDatabase('staying.example')
    const second = (await call('POST', '/database/databases', { websiteId: id, name: 'staying_two' })).body.data
    await carryOut()
    await call('PATCH', `/database/users/${user.id}`, { databases: [{ id: database.id }, { id: second.id }] })
    await carryOut()
    const grants = async (workflowId: number) =>
      (await planOf(workflowId)).flatMap(({ name, input }) =>
        name === 'database-user.ensure' ? [(input.grants as { database: string }[]).map((one) => one.database)] : [],
      )
    const gone = await call('DELETE', `/database/databases/${database.id}`, { name: database.name })
    expect(await grants(gone.body.workflowId)).toEqual([['staying_two']])
    await carryOut()
    const back = await call('POST', `/database/databases/${database.id}/restore`)
    expect(await grants(back.body.workflowId)).toEqual([['staying_example', 'staying_two']])
    await carryOut()
  })
})

describe('a database', () => {
  it('is renamed in its accounts and the configuration of its website, and keeps its name after a rollback', async () => {
    const { database } = await withDatabase('renamed.example')
    const path = `/database/databases/${database.id}`
    const first = await call('PATCH', path, { name: 'renamed_two', version: database.version })
    expect(first.body.data.name).toBe('renamed_example')
    const plan = await planOf(first.body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual([
      ...['website.probe-before', 'nginx-site.ensure', 'php-pool.renew', 'database.rename', 'database-user.ensure'],
      ...['site-config.adapt', 'php-pool.renew', 'nginx-site.ensure', 'website.probe'],
    ])
    expect(plan[4]?.input.grants).toEqual([{ database: 'renamed_two', privileges: 'all' }])
    expect(plan[5]?.input.databases).toMatchObject([{ was: 'renamed_example', name: 'renamed_two' }])
    const taken = await call('POST', '/database/databases', { websiteId: database.websiteId, name: 'renamed_two' })
    expect(taken.body.fields).toEqual({ name: 'Is taken' })
    // a website that is closed is rolled back by itself
    await carryOutAll(t.app.db, server, ({ name, task }) =>
      name === 'site-config.adapt' && task === 'run' ? { status: 'failed', reason: 'no' } : {},
    )
    expect((await call('GET', path)).body).toMatchObject({ name: 'renamed_example', status: 'active' })
    const second = await call('PATCH', path, { name: 'renamed_two' })
    const answers = (op: Op) => {
      if (op.name === 'website.probe' && op.task === 'run')
        return { status: 'failed' as const, reason: 'The website answers 500' }
      return op.name === 'website.probe-before' ? { output: { served: true } } : {}
    }
    await carryOutAll(t.app.db, server, answers)
    expect(await t.app.db.select().from(workflows).where(eq(workflows.id, second.body.workflowId))).toMatchObject([
      { undo: true, endedAt: expect.any(String) },
    ])
    expect((await call('GET', path)).body).toMatchObject({ name: 'renamed_example', status: 'active' })
    const reshaped = await call('PATCH', path, { collation: 'utf8mb4_general_ci' })
    await carryOut('database.convert')
    const removal = await call('DELETE', `/websites/${database.websiteId}`)
    expect(removal).toMatchObject({ status: 422, body: { message: expect.stringContaining('stopped half-way') } })
    await rollBack(reshaped.body.workflowId)
    await call('PATCH', path, { name: 'renamed_two' })
    await carryOut()
    expect((await call('GET', path)).body).toMatchObject({ name: 'renamed_two', status: 'active' })
  })

  it('gets another character set, its tables too on request, and refuses a collation of another character set', async () => {
    const { database } = await withDatabase('charset.example')
    const path = `/database/databases/${database.id}`
    expect((await call('PATCH', path, { charset: 'latin1', collation: 'utf8mb4_bin' })).body.fields).toHaveProperty(
      'collation',
    )
    expect((await call('PATCH', path, { charset: 'utf8mb4' })).status).toBe(200)
    const { body } = await call('PATCH', path, { collation: 'utf8mb4_general_ci', tables: true })
    expect(await planOf(body.workflowId)).toMatchObject([
      { name: 'database.convert', input: { collation: 'utf8mb4_general_ci', existing: true } },
    ])
    await carryOut()
    expect((await call('GET', path)).body.collation).toBe('utf8mb4_general_ci')
  })

  it('gets a new password, which is written into the configuration that names its account', async () => {
    const { user } = await withDatabase('rotated.example')
    const { body } = await call('POST', `/database/users/${user.id}/password`)
    const plan = await planOf(body.workflowId)
    expect(plan.map(({ name }) => name)).toEqual([
      ...['website.probe-before', 'php-pool.renew', 'database-user.ensure', 'site-config.adapt', 'php-pool.renew'],
      'website.probe',
    ])
    expect(plan[3]?.input.databases).toMatchObject([{ was: 'rotated_example', wasUser: 'rotated_example' }])
    expect((plan[3]?.input.databases as { password: object }[])[0]?.password).toHaveProperty('$secret')
    await carryOut()
  })

  it('shows its finished workflows until somebody dismisses them', async () => {
    const { id, user } = await withDatabase('panel.example')
    const panel = async () => (await call('GET', `/database/logs?websiteIds=${id}`)).body.items
    await call('PATCH', `/database/users/${user.id}`, { locked: true })
    expect(await panel()).toMatchObject([{ kind: 'database-user.change', endedAt: null }])
    expect((await call('DELETE', `/database/logs/${(await panel())[0].id}`)).status).toBe(409)
    await call('DELETE', '/database/logs')
    expect(await panel()).toHaveLength(1)
    await carryOut()
    const reader = (await t.somebody(['database:database:read'])).token
    expect((await call('DELETE', '/database/logs', undefined, reader)).status).toBe(403)
    expect((await call('DELETE', `/database/logs?websiteIds=${id}`)).status).toBe(204)
    expect(await panel()).toEqual([])
  })
})

describe('live', () => {
  const asked = async <T>(answer: (op: Op) => unknown, work: Promise<T>) => answerReads(t.app.db, server, answer, work)

  it('remote accounts are compared with the open firewall; saving the same host opens the firewall again', async () => {
    const { id } = await withDatabase('reached.example')
    const create = (more: object) =>
      call('POST', '/database/users', { websiteId: id, username: 'reached_far', ...more })
    for (const [host, why] of [
      ['10.0.0.0/8', 'At most a /'],
      ['127.0.0.1', 'Nobody connects'],
      ['0.0.0.0/0', 'At most a /'],
    ] as const)
      expect((await create({ host })).body.fields, host).toEqual({ host: expect.stringContaining(why) })
    const { body: made } = await create({ host: '198.51.100.9/24' })
    expect((await planOf(made.workflowId)).map(({ name }) => name)).toContain('packages.ensure')
    await carryOut()
    const one = { engine: 'mariadb', listens: 'network', port: 3306, fingerprint: null, guarded: true }
    const look = (doors: object[]) =>
      asked(() => ({ engines: [one], doors }), call('GET', `/database/access/${server}`)).then(({ body }) => body)
    const door = { engine: 'mariadb', user: 'reached_far', address: '198.51.100.0/24', open: true }
    const stateOf = (body: { accounts: { username: string; state: string }[] }) =>
      body.accounts.find(({ username }) => username === 'reached_far')?.state
    expect(stateOf(await look([door]))).toBe('open')
    expect(stateOf(await look([{ ...door, open: false }]))).toBe('missing')
    expect((await look([{ ...door, user: 'nobody_ours' }])).strangers).toMatchObject([{ username: 'nobody_ours' }])
    const { status, body } = await call('PATCH', `/database/users/${made.data.id}`, { host: '198.51.100.0/24' })
    expect(status).toBe(202)
    expect((await planOf(body.workflowId)).map(({ name }) => name)).toEqual(['packages.ensure', 'database-user.ensure'])
    await carryOut()
  })

  it('sizes of a whole server are stored in one pass, and unknown databases are adopted by a website', async () => {
    const { id, database } = await withDatabase('measured.example')
    const there = [
      { name: database.name, bytes: 5_242_880 },
      { name: 'stranger', bytes: 1_048_576 },
    ]
    const { body } = await asked(() => ({ databases: there }), call('GET', `/database/orphans/${server}`))
    expect(body.unknown).toEqual([{ name: 'stranger', engine: 'mariadb', sizeMb: 1 }])
    expect(body.missing.map((one: { name: string }) => one.name)).not.toContain(database.name)
    expect((await call('GET', `/database/databases/${database.id}`)).body.sizeMb).toBe(5)
    const shape = { there: true, charset: 'latin1', collation: 'latin1_swedish_ci' }
    const adopt = (name: string, answer: object) =>
      asked(() => answer, call('POST', `/database/orphans/${server}`, { name, websiteId: id }))
    expect((await adopt('nowhere', { there: false })).body.fields).toEqual({ name: 'Is not on the server' })
    expect((await adopt(database.name, shape)).status).toBe(409)
    // a move has left the database of another website here until it ends
    const other = await enrolled(t.app.db, 'web-other', { provisionedAt: new Date().toISOString() })
    const moved = await withDatabase('moved.example')
    const [move] = await t.app.db
      .insert(migrations)
      .values({
        ...{ type: 'website' as const, status: 'soaking' as const, domain: 'moved.example', soakHours: 24 },
        ...{ sourceWebsiteId: moved.id, startedBy: 'Kari' },
        ...{ sourceServerId: server, targetServerId: other, sites: [{ id: moved.id }] as Moving[] },
      })
      .returning()
    await t.app.db.update(databases).set({ serverId: other }).where(eq(databases.websiteId, moved.id))
    there.push({ name: moved.database.name, bytes: 1 })
    const again = await asked(() => ({ databases: there }), call('GET', `/database/orphans/${server}`))
    expect(again.body.unknown.map((one: { name: string }) => one.name)).toEqual(['stranger'])
    const taken = { name: 'Is taken until the end of a move' }
    expect((await adopt(moved.database.name, shape)).body.fields).toEqual(taken)
    const same = { websiteId: id, name: moved.database.name, username: 'newcomer' }
    expect((await call('POST', '/database/databases', same)).body.fields).toEqual(taken)
    await t.app.db.update(migrations).set({ status: 'done' }).where(eq(migrations.id, move!.id))
    expect(await adopt('stranger', shape)).toMatchObject({ status: 201, body: { status: 'active', charset: 'latin1' } })
    expect((await call('GET', `/database/websites/${id}`)).body.total).toBe(2)
  })

  it('a query and the end of a connection are in the action log, and need permissions of their own', async () => {
    const { database } = await withDatabase('queried.example')
    const path = `/database/databases/${database.id}`
    const reader = (await t.somebody(['database:database:read', 'database:database:update'])).token
    expect((await call('POST', `${path}/query`, { sql: 'select 1' }, reader)).status).toBe(403)
    expect((await call('DELETE', `${path}/connections/7`, undefined, reader)).status).toBe(403)
    const result = { columns: ['n'], rows: [['1']], more: false, milliseconds: 3 }
    const { body } = await asked(() => result, call('POST', `${path}/query`, { sql: 'select 1 as n' }))
    expect(body).toEqual(result)
    const connection = {
      id: 7,
      user: 'a',
      host: 'localhost',
      command: 'Query',
      seconds: 9.5,
      state: null,
      sql: 'select 1',
    }
    const open = await asked(() => ({ connections: [connection] }), call('GET', `${path}/connections`))
    expect(open.body.items).toEqual([connection])
    expect((await asked(() => ({ ended: true }), call('DELETE', `${path}/connections/7`))).status).toBe(204)
    expect((await asked(() => ({ ended: false }), call('DELETE', `${path}/connections/8`))).status).toBe(404)
    const log = JSON.stringify((await call('GET', '/logs?service_ids=database')).body)
    expect(log).toContain('select 1 as n')
    expect(log).toContain('endedConnection')
  })
})

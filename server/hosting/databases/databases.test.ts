import type { LogRow } from '@innkeeper/contract/access/log'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { finish } from '../../kit/work/claim.ts'
import { openQueue } from '../../kit/work/queue.ts'
import { actions } from '../../kit/work/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { answerRead, carryOutAll, enrolled } from '../../test/work.ts'
import { owners } from '../owners/tables.ts'
import { baseName, firstFree } from './names.ts'
import { databases, databaseUsers } from './tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-data', { provisionedAt: new Date().toISOString() })
})
afterAll(() => t.close())

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin) =>
  t.call(method, `/api${path}`, { token, body })

/** Runs all ready actions; the action named `failing` fails. */
const carryOut = (failing?: string) =>
  carryOutAll(t.app.db, server, ({ name }) => (name === failing ? { status: 'failed', reason: 'no' } : {}))
async function site(domain: string, more: Record<string, unknown> = {}): Promise<number> {
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const { body } = await call('POST', '/websites', {
    originServer: server,
    domain,
    plan: 'Business',
    userId: kari!.id,
    ...more,
  })
  await carryOut()
  return body.data.id
}
const databasesOf = async (websiteId: number) => (await call('GET', `/database/websites/${websiteId}`)).body.items
/** A website with an active database. */
async function withDatabase(domain: string) {
  const id = await site(domain, { database: true })
  return { id, database: (await databasesOf(id))[0] }
}
const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name }) => name,
  )

describe('a database of a website', () => {
  it('is created with the website on request; MariaDB is installed first if the server lacks it', async () => {
    const { id, database } = await withDatabase('with.example')
    expect(database).toMatchObject({ name: 'with_example', status: 'active', charset: 'utf8mb4', websiteId: id })
    expect(database.users).toMatchObject([{ username: 'with_example', privileges: 'all', locked: false }])
    const plan = await planOf(database.workflowId ?? (await call('GET', `/websites/${id}`)).body.workflowId)
    const wanted = { originServer: server, domain: 'plan.example', userId: 1, plan: 1, database: true }
    const { body } = await call('POST', '/websites/plan', wanted)
    expect(body.actions.map((one: { name: string }) => one.name)).toEqual(plan)
    expect(body.actions.find((one: { name: string }) => one.name === 'database.ensure').what).toContain('plan_example')
    expect(plan).toEqual([
      ...['system-user.ensure', 'document-root.ensure', 'php-pool.ensure', 'packages.ensure', 'mariadb.ensure'],
      ...['database.ensure', 'database-user.ensure', 'nginx-site.ensure', 'website.probe'],
    ])
  })

  it('is in the log of its website with its accounts, from its creation to its deletion', async () => {
    const { id, database } = await withDatabase('told.example')
    await withDatabase('untold.example')
    const made = await call('POST', '/database/users', { websiteId: id, username: 'told_two' })
    await carryOut()
    const changed = await call('PATCH', `/database/users/${made.body.data.id}`, { locked: true })
    await carryOut()
    const deleted = await call('DELETE', `/database/databases/${database.id}`, { name: database.name })
    const { token: reader } = await t.somebody(['database:database:read'])
    expect([made.status, changed.status, deleted.status]).toEqual([201, 202, 202])
    expect((await call('PATCH', `/database/databases/${database.id}`, { name: 'told_late' })).status).toBe(422)
    expect((await call('PATCH', `/database/databases/${database.id}`, { name: 'told_late' }, reader)).status).toBe(403)
    const { body } = await call('GET', `/logs?website=${id}`)
    const told = ({ result, action, resource, subject }: LogRow) => `${result} ${action} ${resource} ${subject}`
    expect(body.items.map(told)).toEqual([
      'denied update database told_example',
      'failed update database told_example',
      'success delete database told_example',
      'success update database-user told_two',
      'success create database-user told_two',
      'success create website told.example',
    ])
  })

  it('is created for an existing website, under the requested name or a free one', async () => {
    const id = await site('later.example')
    const first = await call('POST', '/database/databases', { websiteId: id, name: 'later_shop', username: 'later' })
    expect(first).toMatchObject({ status: 201, body: { data: { name: 'later_shop', status: 'creating' } } })
    await carryOut()
    await call('POST', '/database/databases', { websiteId: id })
    await carryOut()
    await call('POST', '/database/databases', { websiteId: id })
    await carryOut()
    expect((await databasesOf(id)).map((one: { name: string; status: string }) => [one.name, one.status])).toEqual([
      ['later_example', 'active'],
      ['later_example_2', 'active'],
      ['later_shop', 'active'],
    ])
    const again = await call('POST', '/database/databases', { websiteId: id, name: 'later_shop' })
    expect(again).toMatchObject({ status: 409, body: { fields: { name: 'Is taken' } } })
  })

  it('is refused beyond the plan, with a foreign collation, and with a reserved name', async () => {
    const id = await site('small.example')
    await t.app.db.execute(sql`update plans set databases = 1 where name = 'Business'`)
    expect((await call('POST', '/database/databases', { websiteId: id })).status).toBe(201)
    await carryOut()
    const full = await call('POST', '/database/databases', { websiteId: id })
    expect(full).toMatchObject({ status: 422, body: { message: expect.stringContaining('allows 1 databases') } })
    await t.app.db.execute(sql`update plans set databases = 50 where name = 'Business'`)
    const wrong = { websiteId: id, charset: 'latin1', collation: 'utf8mb4_bin' }
    expect((await call('POST', '/database/databases', wrong)).body.fields).toEqual({ collation: 'Begins with latin1_' })
    for (const name of ['mysql', 'sys', 'a b', 'x`y', '../x', 'UPPER'])
      expect((await call('POST', '/database/databases', { websiteId: id, name })).status, name).toBe(400)
    // imports and the console make databases and accounts of such names, and drop them
    const own = await call('POST', '/database/databases', { websiteId: id, name: 'ik_import_7' })
    expect(own.body.fields).toEqual({ name: 'Names with ik_ belong to Innkeeper' })
    const account = await call('POST', '/database/users', { websiteId: id, username: 'ik_console_7' })
    expect(account.body.fields).toEqual({ username: 'Names with ik_ belong to Innkeeper' })
  })

  it('is removed with its account when its creation is rolled back', async () => {
    const id = await site('back.example')
    const { body } = await call('POST', '/database/databases', { websiteId: id })
    await carryOut('database-user.ensure')
    expect((await databasesOf(id))[0].status).toBe('failed')
    const failed = await t.app.db.select().from(actions).where(eq(actions.workflowId, body.workflowId))
    const stopped = failed.find((one) => one.status === 'failed')!
    await call('PATCH', `/workflows/${body.workflowId}/actions/${stopped.id}`, { actionType: 'rollback', reason: 'no' })
    await carryOut()
    expect(await databasesOf(id)).toEqual([])
    const [user] = await t.app.db.select().from(databaseUsers).where(eq(databaseUsers.websiteId, id))
    expect(user?.deletedAt).not.toBeNull()
  })

  it('is deleted by name into the trash; its account stays if it has other databases', async () => {
    const { id, database } = await withDatabase('going.example')
    const path = `/database/databases/${database.id}`
    expect((await call('DELETE', path, { name: 'other_name' })).status).toBe(422)
    expect((await call('DELETE', path, { name: database.name, version: 99 })).status).toBe(409)
    const { status, body } = await call('DELETE', path, { name: database.name })
    expect([status, body.data.status]).toEqual([202, 'deleting'])
    expect(await planOf(body.workflowId)).toEqual(['database-user.remove', 'database.remove'])
    await carryOut()
    expect(await databasesOf(id)).toEqual([])
    expect((await call('GET', path)).status).toBe(404)
  })
})

describe('a database that was deleted separately', () => {
  const gone = async (domain: string) => {
    const { id, database } = await withDatabase(domain)
    await call('DELETE', `/database/databases/${database.id}`, { name: database.name })
    await carryOut()
    return { id, database, path: `/database/databases/${database.id}/restore` }
  }
  const trashOf = async (id: number) => (await call('GET', `/database/websites/${id}`)).body.trash

  it('is restored with its account while its dump is kept; a rollback leaves it in the trash', async () => {
    const { id, database, path } = await gone('restored.example')
    const [lying] = await trashOf(id)
    expect(lying).toMatchObject({ id: database.id, name: 'restored_example', serverName: 'web-data' })
    expect(Date.parse(lying.purgeAfter)).toBeGreaterThan(Date.now())
    expect((await call('POST', path, { version: 99 })).status).toBe(409)
    const first = await call('POST', path, { version: lying.version })
    expect(first).toMatchObject({ status: 202, body: { data: { status: 'creating', users: [{ locked: false }] } } })
    const plan = await planOf(first.body.workflowId)
    expect(plan.slice(-2)).toEqual(['database-user.restore', 'database.restore'])
    await carryOut('database.restore')
    const all = await t.app.db.select().from(actions).where(eq(actions.workflowId, first.body.workflowId))
    const stopped = all.find(({ status }) => status === 'failed')!
    const back = { actionType: 'rollback', reason: 'no' }
    await call('PATCH', `/workflows/${first.body.workflowId}/actions/${stopped.id}`, back)
    await carryOut()
    expect(await databasesOf(id)).toEqual([])
    expect(await trashOf(id)).toMatchObject([{ id: database.id }])
    expect((await call('POST', path)).status).toBe(202)
    await carryOut()
    expect((await databasesOf(id))[0]).toMatchObject({ id: database.id, status: 'active', users: [{}] })
    expect(await trashOf(id)).toEqual([])
    expect((await call('POST', path)).status).toBe(404)
  })

  it('is not restored after its retention time, under a taken name, beyond the plan, or on another server', async () => {
    const { id, database, path } = await gone('refused.example')
    const reader = (await t.somebody(['database:database:read', 'database:database:create'])).token
    expect((await call('POST', path, {}, reader)).status).toBe(403)
    const change = (set: Partial<typeof databases.$inferInsert>) =>
      t.app.db.update(databases).set(set).where(eq(databases.id, database.id))
    const other = await site('other-name.example')
    await call('POST', '/database/databases', { websiteId: other, name: 'refused_example', username: 'other_name' })
    await carryOut()
    expect((await call('POST', path)).body).toMatchObject({ code: 'conflict', fields: { name: 'Is taken' } })
    await change({ name: 'refused_example_too' })
    const elsewhere = await enrolled(t.app.db, 'web-elsewhere')
    await change({ serverId: elsewhere })
    expect((await call('POST', path)).body.message).toContain('is on the former server')
    await change({ serverId: server, purgeAfter: new Date(0).toISOString() })
    expect((await call('POST', path)).status).toBe(422)
    expect(await trashOf(id)).toEqual([])
  })
})

describe('a website takes its databases', () => {
  it('into the trash, and restores them', async () => {
    const { id, database } = await withDatabase('carried.example')
    const gone = (await call('DELETE', `/websites/${id}`)).body
    expect(await planOf(gone.workflowId)).toEqual([
      ...['nginx-site.remove', 'database-user.remove', 'database.remove', 'php-pool.remove'],
      ...['document-root.remove', 'system-user.remove'],
    ])
    await carryOut()
    expect((await call('GET', `/database/databases/${database.id}`)).status).toBe(404)
    const back = (await call('POST', `/websites/${id}/restore`)).body
    const plan = await planOf(back.workflowId)
    expect(plan.slice(plan.indexOf('database-user.restore'))).toEqual([
      ...['database-user.restore', 'database.restore', 'database-user.ensure', 'nginx-site.ensure', 'website.probe'],
    ])
    await carryOut()
    expect((await databasesOf(id))[0]).toMatchObject({ id: database.id, status: 'active', users: [{ locked: false }] })
  })

  it('except databases that were deleted before', async () => {
    const { id, database } = await withDatabase('before.example')
    await call('DELETE', `/database/databases/${database.id}`, { name: database.name })
    await carryOut()
    await call('DELETE', `/websites/${id}`)
    await carryOut()
    await call('POST', `/websites/${id}/restore`)
    await carryOut()
    expect(await databasesOf(id)).toEqual([])
  })

  it('and locks its database accounts while it is suspended', async () => {
    const { id } = await withDatabase('locked.example')
    const locked = async (workflowId: number) =>
      (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId))).flatMap(({ name, input }) =>
        name === 'database-user.ensure' ? (input as { locked: boolean }).locked : [],
      )
    const down = (await call('PATCH', `/websites/${id}`, { status: 'suspended' })).body
    expect(await locked(down.workflowId)).toEqual([true])
    await carryOut()
    const up = (await call('PATCH', `/websites/${id}`, { status: 'active' })).body
    expect(await locked(up.workflowId)).toEqual([false])
    await carryOut()
    expect((await databasesOf(id))[0].users).toHaveLength(1)
  })
})

describe('the password of a database account', () => {
  it('appears in no answer, log row or action; people with the permission read it by a logged call', async () => {
    const { id, database } = await withDatabase('secret.example')
    const [user] = database.users
    const shown = await call('POST', `/database/users/${user.id}/reveal`)
    expect(shown.body).toEqual({ username: 'secret_example', password: expect.stringMatching(/^[A-Za-z0-9]{24}$/) })
    const { password } = shown.body
    for (const table of ['actions', 'action_logs', 'action_outputs', 'databases', 'database_users', 'secrets'])
      expect(
        await rows(t.app.db, sql`select 1 from ${sql.identifier(table)} x where x::text like ${`%${password}%`}`),
        table,
      ).toEqual([])
    expect(JSON.stringify(await databasesOf(id))).not.toContain(password)
    const reader = (await t.somebody(['database:database:read'])).token
    expect((await call('POST', `/database/users/${user.id}/reveal`, {}, reader)).status).toBe(403)
    const { body: log } = await call('GET', '/logs?service_ids=database&actions=reveal')
    expect(JSON.stringify(log)).toContain('secret_example')
  })

  it('reaches only the agent, when the agent claims the action', async () => {
    const id = await site('reached.example')
    await call('POST', '/database/databases', { websiteId: id })
    const queue = await openQueue(t.app)
    for (;;) {
      const ops = [...(await queue.next(server, 'short', 1, 0)).ops, ...(await queue.next(server, 'long', 1, 0)).ops]
      const [op] = ops
      if (!op) throw new Error('database-user.ensure never came')
      if (op.name === 'database-user.ensure') {
        const [user] = (await databasesOf(id))[0].users
        const { password } = (await call('POST', `/database/users/${user.id}/reveal`)).body
        expect(op.input).toMatchObject({ user: 'reached_example', password })
        await finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done' }])
        break
      }
      await finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done' }])
    }
    queue.close()
    await carryOut()
  })

  it('is replaced by a new password, and stays the former one after a rollback', async () => {
    const { database } = await withDatabase('rotate.example')
    const path = `/database/users/${database.users[0].id}`
    const password = async () => (await call('POST', `${path}/reveal`)).body.password
    const first = await password()
    const { body } = await call('POST', `${path}/password`)
    expect(await password()).toBe(first) // the former password, until the server has set the new one
    await carryOut()
    const second = await password()
    expect(second).not.toBe(first)
    const turned = await call('POST', `${path}/password`)
    await carryOut('database-user.ensure')
    const [stopped] = await t.app.db.select().from(actions).where(eq(actions.workflowId, turned.body.workflowId))
    await call('PATCH', `/workflows/${turned.body.workflowId}/actions/${stopped!.id}`, {
      actionType: 'rollback',
      reason: 'no',
    })
    await carryOut()
    expect(await password()).toBe(second)
    expect(body.workflowId).toBeGreaterThan(0)
    const left = await rows(
      t.app.db,
      sql`select 1 from secrets where name like ${`database-user:${database.users[0].id}:%`}`,
    )
    expect(left).toHaveLength(1)
  })
})

it('the content of a database is requested from its server, and its size is stored', async () => {
  const { database } = await withDatabase('contents.example')
  const asking = call('GET', `/database/databases/${database.id}/contents`)
  const tables = [{ name: 'posts', engine: 'InnoDB', rows: 12, bytes: 3_145_728 }]
  const seen = { there: true, bytes: 3_145_728, views: 1, tables, missing: [] }
  await expect.poll(() => answerRead(t.app.db, server, seen)).toBe(true)
  expect((await asking).body).toMatchObject({ bytes: 3_145_728, tables: [{ name: 'posts' }] })
  expect((await call('GET', `/database/databases/${database.id}`)).body.sizeMb).toBe(3)
  const [row] = await t.app.db.select().from(databases).where(eq(databases.id, database.id))
  expect(row?.size).toBe(3_145_728)
  for (const nonsense of [null, { tables: 'x' }]) {
    const asked = call('GET', `/database/databases/${database.id}/contents`)
    await expect.poll(() => answerRead(t.app.db, server, nonsense)).toBe(true)
    expect(await asked).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  }
})

it('names derive from the domain, start with a letter and are unique', () => {
  expect(baseName('1-shop.example', 64)).toBe('db_1_shop_example')
  expect(baseName('xn--caf-dma.example', 32)).toBe('xn_caf_dma_example')
  expect(baseName(`${'a'.repeat(60)}.example`, 32)).toBe('a'.repeat(28))
  expect(firstFree('shop', new Set(['shop', 'shop_2']))).toBe('shop_3')
})

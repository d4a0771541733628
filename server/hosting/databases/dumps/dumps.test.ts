import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:https'
import { buffer } from 'node:stream/consumers'
import type { Op } from '@innkeeper/contract/agent/door'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { files } from '../../../desk/files/tables.ts'
import { type AgentsDoor, openAgentsDoor } from '../../../kit/agents/door.ts'
import { storeBlob } from '../../../kit/storage/blobs.ts'
import { PART } from '../../../kit/storage/storage.ts'
import { blobs } from '../../../kit/storage/tables.ts'
import { claim, finish } from '../../../kit/work/claim.ts'
import { actions } from '../../../kit/work/tables.ts'
import { agentRegistry } from '../../../machines/servers/agents/registry.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, credentialOf, enrolled } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { redisCaches } from '../../redis/tables.ts'
import { databaseExports, databaseImports } from '../tables.ts'
import { endDumps } from './expiry.ts'

let t: TestApp
let door: AgentsDoor
let admin: { id: number; token: string }
let server: number
let id: number
let websiteId: number
const sum = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const look = {
  ...{ sha256: 'a'.repeat(64), compression: 'gzip' as const, size: 900, bytes: 9000, statements: 12, tables: 3 },
  findings: [{ effect: 'rewritten', topic: 'definer', what: 'root@%', count: 2, line: 40 }],
}
beforeAll(async () => {
  t = await openTestApp()
  Object.assign(t.app.settings, { host: '127.0.0.1', agentPort: 0 })
  door = await openAgentsDoor(t.app, agentRegistry)
  admin = await t.somebody('admin')
  server = await enrolled(t.app.db, 'web-dumps', { provisionedAt: new Date().toISOString() })
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const { body } = await call('POST', '/websites', {
    ...{ originServer: server, domain: 'dumps.example', plan: 'Business', userId: kari!.id, database: true },
  })
  await work()
  websiteId = body.data.id
  id = (await call('GET', `/database/websites/${websiteId}`)).body.items[0].id
})
afterAll(async () => {
  await door.close()
  await t.close()
})

const call = (method: 'GET' | 'POST' | 'DELETE' | 'PATCH', path: string, body?: unknown, token = admin.token) =>
  t.call(method, `/api${path}`, { token, body })
const outputs: Record<string, unknown> = {
  'dump.look': look,
  'database.dump': { sha256: look.sha256 },
  'dump.send': { size: 77, sha256: look.sha256 },
}
const work = (failing?: string, more: Record<string, unknown> = {}) =>
  carryOutAll(t.app.db, server, ({ name, task }) =>
    name === failing && task === 'run'
      ? { status: 'failed', reason: 'no room' }
      : { output: { ...outputs, ...more }[name] },
  )
const planOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => (name === 'nginx-site.ensure' ? String(input.state) : name),
  )
const dumps = async () => (await call('GET', `/database/databases/${id}/dumps`)).body
const imported = async (path = 'backup/shop.sql.gz') => {
  const { body } = await call('POST', `/database/databases/${id}/imports`, { path })
  await work()
  return body.data.id as number
}

/** Asks the agents' port as an agent does. */
function requested(method: 'GET' | 'POST', path: string, name: string, length?: number) {
  return request({
    ...{ host: '127.0.0.1', port: door.port, path, method, rejectUnauthorized: false, agent: false },
    headers: {
      authorization: `Bearer ${credentialOf(name)}`,
      ...(length !== undefined && { 'content-type': 'application/octet-stream', 'content-length': length }),
    },
  })
}

function ask(method: 'GET' | 'POST', path: string, body?: Buffer, name = 'web-dumps') {
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const made = requested(method, path, name, body?.length)
    made.on('error', reject)
    made.on('response', (answer) => {
      buffer(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject)
    })
    made.end(body)
  })
}
const json = ({ body }: { body: Buffer }) => JSON.parse(body.toString())

describe('a dump that names another database', () => {
  it('is read again with the name as the own one, and imported so; a path counts from the website or is whole', async () => {
    const path = async (typed: string) => {
      const { body } = await call('POST', `/database/databases/${id}/imports`, { path: typed })
      const [fetch, reads] = await t.app.db.select().from(actions).where(eq(actions.workflowId, body.workflowId))
      expect(reads?.input).toMatchObject({ scratch: { aside: `ik_try_${body.data.id}`, charset: 'utf8mb4' } })
      const named = {
        ...look,
        findings: [{ effect: 'refused', topic: 'other database', what: 'old', count: 1, line: 9 }],
      }
      await work(undefined, { 'dump.look': named })
      return { id: body.data.id, home: (fetch?.input as { home?: { path: string } }).home?.path }
    }
    expect(
      (await call('POST', `/database/databases/${id}/imports`, { path: '/home/other/x.sql' })).body.fields,
    ).toEqual({
      path: 'Belongs to another account',
    })
    const { username } = (await call('GET', `/websites/${websiteId}`)).body
    expect((await path(`/home/${username}/x.sql`)).home).toBe('x.sql')
    const { id: made, home } = await path('backup/x.sql')
    expect(home).toBe('dumps.example/backup/x.sql')
    const as = (former: string) => call('POST', `/database/imports/${made}/read-as`, { former })
    expect((await as('strange')).body.fields).toEqual({ former: 'Is not named' })
    expect((await as('old')).body.data.status).toBe('looking')
    await work(undefined, { 'dump.look': { ...look, readAs: ['old'] } })
    const begun = await call('POST', `/database/imports/${made}/start`, { name: 'dumps_example' })
    const [load] = await t.app.db.select().from(actions).where(eq(actions.workflowId, begun.body.workflowId)).limit(1)
    expect(load?.input).toMatchObject({ foreign: { readAs: ['old'] } })
    await work()
    await t.app.db.delete(databaseImports)
  })
})

describe('an import', () => {
  it('is read first, then replaces the contents while the maintenance page is shown, and can be undone', async () => {
    const first = await imported()
    const [ready] = (await dumps()).imports
    expect(ready).toMatchObject({ id: first, status: 'ready', size: 900, look: { tables: 3, findings: look.findings } })
    const path = `/database/imports/${first}`
    expect((await call('POST', `${path}/start`, { name: 'other_name' })).body.fields).toEqual({
      name: 'Type dumps_example',
    })
    expect((await call('POST', `${path}/start`, { name: 'dumps_example', version: 99 })).status).toBe(409)
    const begun = await call('POST', `${path}/start`, { name: 'dumps_example', version: ready.version })
    expect(begun).toMatchObject({ status: 202, body: { data: { status: 'importing' } } })
    expect(await planOf(begun.body.workflowId)).toEqual([
      ...['database-import.load', 'website.probe-before', 'maintenance', 'php-pool.renew', 'database-import.swap'],
      ...['php-pool.renew', 'active', 'website.probe', 'database.remove', 'dump.drop'],
    ])
    const [load] = await t.app.db
      .select()
      .from(actions)
      .where(sql`workflow_id = ${begun.body.workflowId} and position = 1`)
    expect(load?.input).toMatchObject({
      ...{ aside: `ik_import_${first}`, charset: 'utf8mb4' },
      foreign: { file: `import-${first}.dump`, sha256: look.sha256, definer: 'dumps_example' },
    })
    await work()
    const [done] = (await dumps()).imports
    expect(Date.parse(done.beforeUntil) - Date.now()).toBeGreaterThan(20 * 86_400_000)
    // the database itself stays active: only its former contents are in the trash
    expect((await call('GET', `/database/databases/${id}`)).body).toMatchObject({ status: 'active', sizeSeenAt: null })
    await t.app.db.insert(redisCaches).values({ websiteId, state: 'on' })
    const back = await call('POST', `${path}/revert`, { name: 'dumps_example' })
    expect(back).toMatchObject({ status: 202, body: { data: { source: 'before' } } })
    expect(await planOf(back.body.workflowId)).toEqual([
      ...['database-import.load', 'website.probe-before', 'maintenance', 'php-pool.renew', 'database-import.swap'],
      ...['redis.ensure', 'php-pool.renew', 'active', 'website.probe', 'database.remove'],
    ])
    await work()
    await t.app.db.delete(redisCaches)
    expect((await dumps()).imports.map((one: { status: string }) => one.status)).toEqual(['done', 'done'])
  })

  it('that fails before the exchange reopens the website by itself, and can be retried', async () => {
    const one = await imported()
    await call('POST', `/database/imports/${one}/start`, { name: 'dumps_example' })
    await work('database-import.load')
    expect((await dumps()).imports[0]).toMatchObject({ status: 'failed', reason: 'Load dump: no room' })
    expect((await call('GET', `/websites/${websiteId}`)).body.status).toBe('active')
    expect((await call('POST', `/database/imports/${one}/start`, { name: 'dumps_example' })).status).toBe(202)
    await work('database.remove')
    // the contents are exchanged: from now on staff decide between retry and rollback
    expect((await dumps()).imports[0]).toMatchObject({ status: 'failed', reason: 'Database: no room' })
    const [stopped] = await t.app.db.select().from(actions).where(sql`status = 'failed'`)
    await call('PATCH', `/workflows/${stopped!.workflowId}/actions/${stopped!.id}`, {
      actionType: 'rollback',
      reason: 'x',
    })
    await work()
    expect((await dumps()).imports[0]).toMatchObject({ status: 'failed', reason: 'Database: no room' })
    expect((await call('DELETE', `/database/imports/${one}`)).status).toBe(204)
    await work()
    expect((await dumps()).imports.map((each: { id: number }) => each.id)).not.toContain(one)
  })

  it('after which the website no longer answers is rolled back by itself, unless it did not answer before', async () => {
    for (const served of [true, false]) {
      const one = await imported()
      const { body } = await call('POST', `/database/imports/${one}/start`, { name: 'dumps_example' })
      await work('website.probe', { 'website.probe-before': { served } })
      const workflow = (await call('GET', `/workflows/${body.workflowId}`)).body
      expect([served, workflow.status]).toEqual([served, served ? 'rolled-back' : 'failed'])
      expect((await dumps()).imports[0]).toMatchObject({ status: 'failed', reason: 'Probe: no room' })
      if (served) continue
      const probe = workflow.actions.find(({ name }: { name: string }) => name === 'website.probe')
      const skip = { actionType: 'skip', reason: 'it never answered' }
      await call('PATCH', `/workflows/${body.workflowId}/actions/${probe.id}`, skip)
      await work()
      expect((await dumps()).imports[0].status).toBe('done')
    }
  })

  it('is refused for a forbidden statement in the dump, without a file or with two, and for the file of somebody else', async () => {
    const { body } = await call('POST', `/database/databases/${id}/imports`, { path: 'x.sql' })
    const refusal = { effect: 'refused', topic: 'files of the server', what: 'LOAD DATA INFILE', count: 1, line: 3 }
    await work(undefined, { 'dump.look': { ...look, findings: [refusal] } })
    expect(await call('POST', `/database/imports/${body.data.id}/start`, { name: 'dumps_example' })).toMatchObject({
      ...{ status: 422, body: { message: 'The dump is refused: files of the server, LOAD DATA INFILE' } },
    })
    expect((await call('POST', `/database/databases/${id}/imports`, {})).status).toBe(400)
    expect((await call('POST', `/database/databases/${id}/imports`, { path: '../etc/shadow' })).status).toBe(400)
    const lars = await t.somebody(['database:database:import', 'database:database:read'])
    const blob = await storeBlob(t.app, { name: 'shop.sql', type: 'text/plain' }, [Buffer.from('x')] as never)
    const [file] = await t.app.db
      .insert(files)
      .values({
        name: 'shop.sql',
        path: blob.key,
        size: 1,
        type: 'text/plain',
        kind: 'text',
        sha256: blob.sha256,
        ownerId: admin.id,
        isPrivate: true,
      })
      .returning()
    const wanted = { fileId: file!.id }
    expect((await call('POST', `/database/databases/${id}/imports`, wanted, lars.token)).status).toBe(404)
    expect((await call('POST', `/database/databases/${id}/imports`, wanted)).status).toBe(201)
    const again = await call('POST', `/database/databases/${id}/imports`, wanted)
    expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('having a dump read') } })
    await work()
  })
})

describe('a file', () => {
  it('is sent only to the server that runs the operation', async () => {
    const bytes = randomBytes(PART + 1000)
    const { key } = await storeBlob(t.app, { name: 'big.sql', type: 'text/plain' }, [bytes] as never)
    const [file] = await t.app.db
      .insert(files)
      .values({
        name: 'big.sql',
        path: key,
        size: bytes.length,
        type: 'text/plain',
        kind: 'text',
        sha256: sum(bytes),
        ownerId: admin.id,
        isPrivate: true,
      })
      .returning()
    await call('POST', `/database/databases/${id}/imports`, { fileId: file!.id })
    expect((await ask('GET', `/agent/blobs/${key}?offset=0`)).status).toBe(404) // not claimed yet
    const [op] = (await claim(t.app.db, server, 'long', 1)) as [Op]
    expect(sum((await ask('GET', `/agent/blobs/${key}?offset=0`)).body)).toBe(sum(bytes))
    expect((await ask('GET', `/agent/blobs/${key}?offset=${PART + 990}`)).body).toEqual(bytes.subarray(PART + 990))
    expect((await ask('GET', `/agent/blobs/${key}?offset=${bytes.length}`)).body.length).toBe(0)
    const present = t.app.storage
    t.app.storage = {
      ...present,
      // biome-ignore lint/correctness/useYield: the store has lost the bytes
      async *read() {
        throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      },
    }
    const lost = await ask('GET', `/agent/blobs/${key}?offset=0`)
    t.app.storage = present
    expect([lost.status, String(lost.body)]).toEqual([404, expect.stringContaining('has lost it')])
    await enrolled(t.app.db, 'web-foreign')
    expect((await ask('GET', `/agent/blobs/${key}?offset=0`, undefined, 'web-foreign')).status).toBe(404)
    expect((await ask('GET', `/agent/blobs/${key}?offset=0`, undefined, 'nobody')).status).toBe(401)
    expect((await ask('POST', `/agent/blobs/${key}?offset=0&size=1`, Buffer.from('x'))).status).toBe(404)
    await finish(t.app.db, server, [{ id: op.id, attempt: op.attempt, status: 'done' }])
    expect((await ask('GET', `/agent/blobs/${key}?offset=0`)).status).toBe(404)
    await work()
  })

  it('is uploaded by a server in pieces, continues after a lost connection, and is offered once its checksum matches', async () => {
    const bytes = randomBytes(2 * PART + 5)
    const { body } = await call('POST', `/database/databases/${id}/exports`)
    const [{ key } = { key: '' }] = await t.app.db
      .select()
      .from(databaseExports)
      .where(eq(databaseExports.id, body.data.id))
    const [dump] = (await claim(t.app.db, server, 'long', 1)) as [Op]
    await finish(t.app.db, server, [{ id: dump.id, attempt: 1, status: 'done', output: { sha256: sum(bytes) } }])
    const [send] = (await claim(t.app.db, server, 'long', 1)) as [Op]
    expect(send).toMatchObject({ name: 'dump.send', input: { key } })
    const at = `/agent/blobs/${key}`
    expect(json(await ask('POST', `${at}/offset`))).toEqual({ offset: 0 })
    const cut = requested('POST', `${at}?offset=0&size=${bytes.length}`, 'web-dumps', bytes.length)
    cut.on('error', () => {}) // the connection is closed below
    const ended = new Promise((resolve) => cut.on('close', resolve))
    cut.write(bytes.subarray(0, PART + 100))
    const stored = async () => json(await ask('POST', `${at}/offset`))
    await expect.poll(stored).toEqual({ offset: PART })
    cut.destroy()
    await ended
    expect(await stored()).toEqual({ offset: PART })
    expect((await ask('POST', `${at}?offset=0&size=${bytes.length}`, bytes)).status).toBe(409)
    const rest = await ask('POST', `${at}?offset=${PART}&size=${bytes.length}`, bytes.subarray(PART))
    expect(json(rest)).toEqual({ offset: bytes.length })
    expect((await ask('POST', `${at}/whole?size=5&sha256=${sum(bytes)}`)).status).toBe(409)
    expect((await ask('POST', `${at}/whole?size=${bytes.length}&sha256=${sum(bytes)}`)).status).toBe(200)
    const sent = { size: bytes.length, sha256: sum(bytes) }
    await finish(t.app.db, server, [{ id: send.id, attempt: send.attempt, status: 'done', output: sent }])
    const [ready] = (await dumps()).exports
    expect(ready).toMatchObject({
      status: 'ready',
      ...sent,
      fileName: expect.stringMatching(/^dumps_example-.*\.sql\.gz$/),
    })
    const { body: ticket } = await call('POST', `/database/exports/${ready.id}/ticket`)
    const got = await t.http.inject({ url: `/api/database/exports/${ready.id}/file?ticket=${ticket.ticket}` })
    expect([got.statusCode, sum(got.rawPayload)]).toEqual([200, sum(bytes)])
    const reader = await t.somebody(['database:database:read'])
    expect((await call('GET', `/database/exports/${ready.id}/file`, undefined, reader.token)).status).toBe(403)
    await t.app.db.execute(sql`update database_exports set until = now() - interval '1 minute'`)
    await endDumps(t.app)
    expect((await call('GET', `/database/exports/${ready.id}/file`)).status).toBe(404)
    expect((await t.app.db.select().from(blobs).where(eq(blobs.key, key)))[0]?.state).toBe('gone')
  })

  it('whose bytes differ from the announced checksum is not offered', async () => {
    const { body } = await call('POST', `/database/databases/${id}/exports`)
    const [{ key } = { key: '' }] = await t.app.db
      .select()
      .from(databaseExports)
      .where(eq(databaseExports.id, body.data.id))
    const [dump] = (await claim(t.app.db, server, 'long', 1)) as [Op]
    await finish(t.app.db, server, [{ id: dump.id, attempt: 1, status: 'done', output: { sha256: look.sha256 } }])
    const [send] = (await claim(t.app.db, server, 'long', 1)) as [Op]
    await ask('POST', `/agent/blobs/${key}?offset=0&size=3`, Buffer.from('abc'))
    expect((await ask('POST', `/agent/blobs/${key}/whole?size=3&sha256=${look.sha256}`)).status).toBe(422)
    await finish(t.app.db, server, [{ id: send.id, attempt: send.attempt, status: 'failed', reason: 'torn' }])
    await work()
    expect((await dumps()).exports[0]).toMatchObject({ status: 'failed', reason: 'Send dump: torn' })
    expect((await t.app.db.select().from(blobs).where(eq(blobs.key, key)))[0]?.state).toBe('gone')
  })
})

it('deletes a dump that nobody has imported, after three days', async () => {
  const one = await imported()
  await t.app.db.execute(
    sql`update database_imports set updated_at = now() - interval '4 days' where database_import_id = ${one}`,
  )
  await endDumps(t.app)
  const [row] = await t.app.db.select().from(databaseImports).where(eq(databaseImports.id, one))
  expect(row?.status).toBe('discarded')
  const [drop] = await t.app.db
    .select()
    .from(actions)
    .where(sql`name = 'dump.drop' and input ->> 'file' = ${`import-${one}.dump`}`)
  expect(drop?.status).toBe('ready')
})

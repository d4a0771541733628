import type { Resolver } from 'node:dns/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openWorld, type World } from '../../test/hostile/world/world.ts'
import { lookedUp } from './cutOver/names.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) =>
  world.call(method, `/api${path}`, { token: world.admin, ...(body !== undefined && { body }) })
const idOf = async (file: string) =>
  (
    await rows<{ id: number }>(
      world.app.db,
      sql`select archive_import_id as id from archive_imports where file_name = ${file}`,
    )
  )[0]?.id ?? 0

it('says what becomes of each thing, and whose name is taken', async () => {
  const id = await idOf('/backup/ready.tar')
  const { body } = await call('GET', `/archive-imports/${id}/plan?userId=1&plan=1`)
  expect(body.problems).toEqual({})
  expect(body.username).toBe('alice2')
  expect(body.lines.map(({ key, verdict }: { key: string; verdict: string }) => [key, verdict])).toEqual([
    ['website:arriving.example.org', 'carried'],
    ['database:alice_arriving', 'changed'],
    ['zone:arriving.example.org', 'changed'],
  ])
  await world.app.db.execute(
    sql`update archive_imports set inventory = replace(inventory::text, 'arriving', 'imported')::jsonb where archive_import_id = ${id}`,
  )
  const taken = (await call('GET', `/archive-imports/${id}/plan?userId=2&plan=1`)).body
  expect(taken.lines[0]).toMatchObject({ verdict: 'left out', choice: false })
  expect(taken.lines[0].notes[0]).toContain('is website')
  const leaveOut = ['zone:imported.example.org']
  const refused = await call('POST', `/archive-imports/${id}/start`, { userId: 2, plan: 1, leaveOut })
  expect(refused.status).toBe(422)
  await world.app.db.execute(
    sql`update archive_imports set inventory = replace(inventory::text, 'imported', 'arriving')::jsonb where archive_import_id = ${id}`,
  )
})

it('refuses a plan that is too small', async () => {
  const id = await idOf('/backup/ready.tar')
  await world.app.db.execute(sql`update plans set databases = 0 where plan_id = 1`)
  const { body, status } = await call('POST', `/archive-imports/${id}/start`, { userId: 1, plan: 1 })
  await world.app.db.execute(sql`update plans set databases = 5 where plan_id = 1`)
  expect([status, body.fields.plan]).toEqual([422, expect.stringContaining('1 databases, and it allows 0')])
})

it('draws a second run of an accepted import: changes come, and a database only when people choose it', async () => {
  const { db } = world.app
  const [first, second] = [await idOf('/backup/verified.tar'), await idOf('/backup/ready.tar')]
  const set = (status: string, names: [string, string]) =>
    db.execute(sql`with a as (update archive_imports set status = ${status} where archive_import_id = ${first} returning 1)
      update archive_imports set inventory = replace(inventory::text, ${names[0]}, ${names[1]})::jsonb where archive_import_id = ${second}`)
  await db.execute(sql`update websites set status = 'active' where domain = 'imported.example.org'`)
  await db.execute(sql`update databases set status = 'active' where name = 'alice_imported'`)
  await set('done', ['arriving', 'imported'])
  const lines = async (query = '') => {
    const { body } = await call('GET', `/archive-imports/${second}/plan?userId=1&plan=1${query}`)
    return body.lines.map(({ key, verdict }: { key: string; verdict: string }) => `${key} ${verdict}`)
  }
  expect(await lines()).toEqual([
    'website:imported.example.org changed',
    'database:alice_imported left out',
    'other:again left out',
  ])
  expect(await lines('&replace=database:alice_imported')).toContain('database:alice_imported changed')
  // of another owner: not a second run, the name is taken
  const other = await call('GET', `/archive-imports/${second}/plan?userId=2&plan=1`)
  expect(other.body.lines[0]).toMatchObject({ verdict: 'left out', choice: false })
  const cutOver = (body: object) => call('POST', `/archive-imports/${first}/cut-over`, body)
  const { body } = await cutOver({ watch: true })
  expect(body.data.cutOver).toMatchObject({ watching: true, at: null })
  expect(body.data.cutOver.names.map(({ name }: { name: string }) => name)).toContain('www.imported.example.org')
  expect((await call('POST', `/archive-imports/${second}/cut-over`, { watch: true })).status).toBe(422)
  await cutOver({ watch: false })
  await set('verified', ['imported', 'arriving'])
})

it('says of each name whether it leads here', async () => {
  const none = Object.assign(new Error('none'), { code: 'ENODATA' })
  const answers: Record<string, string[]> = { 'here.example': ['192.0.2.1'], 'old.example': ['192.0.2.9'] }
  const resolver = {
    resolve4: async (name: string) => {
      if (name === 'silent.example') throw Object.assign(new Error('late'), { code: 'ETIMEOUT' })
      return answers[name] ?? Promise.reject(none)
    },
    resolve6: async () => Promise.reject(none),
    resolveMx: async () => [{ priority: 10, exchange: 'Mail.here.example' }],
  } as unknown as Resolver // what the look asks of one
  const line = (name: string, wanted = 'A 192.0.2.1') => ({
    ...{ name, what: 'website' as const, wanted: [wanted], now: [], zone: null, state: 'unknown' as const },
  })
  const names = ['here.example', 'old.example', 'gone.example', 'silent.example'].map((name) => line(name))
  const found = await lookedUp(resolver, [...names, line('here.example', 'MX 10 mail.here.example.')])
  expect(found.map(({ state }) => state)).toEqual(['here', 'elsewhere', 'missing', 'unknown', 'here'])
})

it('waits for people when everything is here, and undoes the whole', async () => {
  const id = await idOf('/backup/verified.tar')
  const { body } = await call('GET', `/archive-imports/${id}`)
  const [workflow] = await rows<{ status: string; paused: boolean }>(
    world.app.db,
    sql`select status, paused from workflows where workflow_id = ${body.workflowId}`,
  )
  expect(workflow).toEqual({ status: 'waiting', paused: true })
  expect(body.made.websites).toEqual([{ id: expect.any(Number), domain: 'imported.example.org' }])
  expect((await call('POST', `/archive-imports/${id}/roll-back`)).status).toBe(202)
  const [actions] = await rows<{ undo: number }>(
    world.app.db,
    sql`select count(*)::int as undo from actions where workflow_id = ${body.workflowId} and status in ('pending', 'ready')`,
  )
  expect(actions?.undo).toBeGreaterThan(5)
})

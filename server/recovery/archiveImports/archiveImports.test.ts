import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../kit/db/db.ts'
import { openWorld, type World } from '../../test/hostile/world/world.ts'

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

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../../test/app.ts'
import { enrolled, heartbeat } from '../../test/work.ts'
import { recordHeartbeat } from './agents/heartbeat.ts'
import { agentTroubles } from './troubles.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

it('mail that stands in the queue of a server is no longer seen when the server is silent, and no longer watched when it is gone', async () => {
  const [agent, queue] = agentTroubles
  const id = await enrolled(t.app.db, 'mail-full')
  const postfix = { name: 'postfix', version: '3.7.11', state: 'active', detail: null, waiting: 2500 } as const
  await recordHeartbeat(t.app.db, id, { ...heartbeat, services: [postfix] }, '')
  const [key, gone] = [`mail queue ${id}`, `agent ${id}`]
  const seen = async () => (await queue!.find(t.app)).map((one) => [one.key, one.isUnseen === true])
  expect(await seen()).toEqual([[key, false]])
  await t.app.db.execute(sql`update server_states set last_seen_at = now() - interval '1 hour' where server_id = ${id}`)
  expect(await seen()).toEqual([[key, true]])
  const watched = async () => [await agent!.isWatched!(t.app, gone), await queue!.isWatched!(t.app, key)]
  expect(await watched()).toEqual([true, true])
  await t.app.db.execute(sql`update servers set status = 'down' where server_id = ${id}`)
  expect(await watched()).toEqual([false, true])
  await t.app.db.execute(sql`update servers set deleted_at = now() where server_id = ${id}`)
  expect(await watched()).toEqual([false, false])
})

import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rows } from '../../../kit/db/db.ts'
import { actionOutputs } from '../../../kit/work/tables.ts'
import { openWorld, type World } from '../../../test/hostile/world/world.ts'

let world: World
const path = '/api/bug-report/bugs/from-action'
const action = async (status: string) => {
  const [found] = await rows<{ id: number; attempt: number; title: string; reason: string; website: number }>(
    world.app.db,
    sql`select a.action_id::int as id, a.attempt, a.title, a.reason, w.subject_id as website
      from actions a join workflows w using (workflow_id)
      where a.status = ${status} and w.subject_type = 'website' and a.server_id is not null limit 1`,
  )
  if (!found) throw new Error(`no action is ${status}`)
  return found
}

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

it('quotes the output of the last attempt, and links workflow, server and website', async () => {
  const { id, attempt, title, reason, website } = await action('failed')
  await world.app.db.insert(actionOutputs).values([
    { actionId: id, attempt: attempt + 1, seq: 1, at: '2026-01-01T00:00:00Z', text: 'another attempt' },
    { actionId: id, attempt, seq: 2, at: '2026-01-01T00:00:02Z', text: 'closes ``` the block' },
    { actionId: id, attempt, seq: 1, at: '2026-01-01T00:00:01Z', text: 'nginx: [emerg] no such file' },
  ])
  const { status, body } = await world.call('POST', path, { token: world.admin, body: { actionId: id } })
  expect([status, body.title]).toEqual([201, expect.stringContaining(`${title} failed: `)])
  expect(body.description).toContain(`Reason: ${reason}`)
  expect(body.description).toContain("```\nnginx: [emerg] no such file\ncloses ''' the block\n```")
  expect(body.description).not.toContain('another attempt')
  expect(body.links.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['server', 'website', 'workflow'])
  expect(body.links).toContainEqual(expect.objectContaining({ kind: 'website', targetId: website }))
})

it('is refused for an action that has not stopped, and for a workflow that the caller may not see', async () => {
  const done = await world.call('POST', path, { token: world.admin, body: { actionId: (await action('done')).id } })
  expect([done.status, done.body.message]).toEqual([409, expect.stringContaining('only a stopped action')])
  const { token } = await world.somebody(['bug-report:bug:create', 'bug-report:bug:read'])
  const { id } = await action('failed')
  expect((await world.call('POST', path, { token, body: { actionId: id } })).status).toBe(404)
})

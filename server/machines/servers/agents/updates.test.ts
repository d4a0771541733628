import { mkdirSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Heartbeat } from '@innkeeper/contract/agent/door'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { handedOut } from '../../../kit/agents/downloads.ts'
import { step } from '../../../kit/work/action.ts'
import { blockUnknown, claim, finish } from '../../../kit/work/claim.ts'
import { actions, workflows } from '../../../kit/work/tables.ts'
import { startWorker } from '../../../kit/work/worker.ts'
import { schedules } from '../../../registry.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { actionsOf, begin, enrolled, heartbeat, setAside } from '../../../test/work.ts'
import { nginxEnsure } from '../actions.ts'
import { servers } from '../tables.ts'
import { recordHeartbeat } from './heartbeat.ts'

let t: TestApp
let admin: string
let build: string
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  // a build of the agent for this test, because none may have been built
  const repository = await mkdtemp(join(tmpdir(), 'innkeeper-handout-'))
  mkdirSync(join(repository, 'agent/dist'), { recursive: true })
  writeFileSync(join(repository, 'agent/package.json'), JSON.stringify({ version: '0.9.0' }))
  writeFileSync(join(repository, 'agent/dist/agent.mjs'), 'the agent that is handed out')
  t.app.settings.repository = repository
  build = (await handedOut(t.app.settings)).agent
})
afterAll(() => t.close())
beforeEach(async () => {
  await setAside(t.app.db)
  await t.app.db.update(servers).set({ deletedAt: new Date().toISOString() })
})

const post = (path: string) => t.call('POST', `/api/cloud-management${path}`, { token: admin, body: {} })
const view = async (id: number) =>
  (await t.call('GET', `/api/cloud-management/servers/view/${id}`, { token: admin })).body
const told = (id: number, more: Partial<Heartbeat>) =>
  recordHeartbeat(t.app.db, id, { ...heartbeat, agentVersion: '0.9.0', build, ...more }, '')

describe('an agent', () => {
  it('differs by version or file; an agent that does not report its file is compared by version', async () => {
    const id = await enrolled(t.app.db, 'agent-skew')
    const skew = async (more: Partial<Heartbeat>) => {
      await told(id, more)
      return (await view(id)).agentSkew
    }
    expect(await skew({})).toBe(false)
    expect(await skew({ agentVersion: '0.8.0' })).toBe(true)
    expect(await skew({ build: 'a'.repeat(64) })).toBe(true)
    expect(await skew({ build: undefined })).toBe(false)
  })

  it('installs the current agent, unless it already has it', async () => {
    const id = await enrolled(t.app.db, 'agent-old')
    const { status, body } = await post(`/servers/${id}/agent-update`)
    expect(status).toBe(202)
    const [op] = await claim(t.app.db, id, 'long', 1)
    expect(op).toMatchObject({ name: 'agent.update', input: { version: '0.9.0', agent: build, node: {} } })
    await finish(t.app.db, id, [{ id: op!.id, attempt: 1, status: 'unknown', reason: 'gives way' }])
    const [again] = await claim(t.app.db, id, 'long', 1)
    expect(again).toMatchObject({ attempt: 2, inspect: true })
    await finish(t.app.db, id, [{ id: again!.id, attempt: 2, status: 'done' }])
    const [workflow] = await t.app.db.select().from(workflows).where(eq(workflows.id, body.workflowId))
    expect(workflow?.status).toBe('done')
    await told(id, {})
    expect((await post(`/servers/${id}/agent-update`)).status).toBe(422)
  })

  it('rewrites Innkeeper’s files for its web server, if it has one', async () => {
    const plan = async (name: string, more: Parameters<typeof enrolled>[2]) => {
      const id = await enrolled(t.app.db, name, more)
      const { body } = await post(`/servers/${id}/agent-update`)
      return (await actionsOf(t.app.db, body.workflowId)).map((one) => one.name)
    }
    const provisionedAt = new Date().toISOString()
    expect(await plan('base-none', {})).toEqual(['agent.update'])
    expect(await plan('base-web', { provisionedAt })).toEqual(['agent.update', 'web-proxies.ensure', 'nginx.ensure'])
    expect(await plan('base-apache', { provisionedAt, webServer: 'apache' })).toEqual([
      ...['agent.update', 'web-proxies.ensure', 'apache.ensure'],
    ])
    expect(await plan('base-dns', { provisionedAt, type: 'dns' })).toEqual(['agent.update'])
    const names = await enrolled(t.app.db, 'base-names', { provisionedAt })
    await told(names, {
      agentVersion: '0.8.0',
      services: [{ name: 'powerdns', version: null, state: 'active', detail: null }],
    })
    const { workflowId } = (await post(`/servers/${names}/agent-update`)).body
    expect((await actionsOf(t.app.db, workflowId)).map(({ name }) => name)).toContain('powerdns.ensure')
    for (const type of ['cdn', 'xdn'])
      expect(await plan(`base-${type}`, { provisionedAt, type })).toEqual([
        ...['agent.update', 'nginx.ensure', 'packages.ensure', 'nginx-cache.ensure', 'edges.renew'],
      ])
  })

  it('of one server is updated first, and the others only after its success', async () => {
    const ids = [
      await enrolled(t.app.db, 'fleet-1'),
      await enrolled(t.app.db, 'fleet-2'),
      await enrolled(t.app.db, 'fleet-3'),
    ]
    const current = await enrolled(t.app.db, 'fleet-new')
    await told(current, {})
    expect((await post('/agent-updates')).body).toMatchObject({ servers: 3 })
    const [op] = await claim(t.app.db, ids[0]!, 'long', 1)
    for (const id of [...ids.slice(1), current]) expect(await claim(t.app.db, id, 'long', 1)).toEqual([])
    await finish(t.app.db, ids[0]!, [{ id: op!.id, attempt: 1, status: 'failed', reason: 'did not check in' }])
    expect(await claim(t.app.db, ids[1]!, 'long', 1)).toEqual([])

    await t.call('PATCH', `/api/workflows/${await workflowOf(op!.id)}/actions/${op!.id}`, {
      token: admin,
      body: { actionType: 'retry' },
    })
    const [retried] = await claim(t.app.db, ids[0]!, 'long', 1)
    await finish(t.app.db, ids[0]!, [{ id: retried!.id, attempt: 2, status: 'done' }])
    const worker = await startWorker(t.app, schedules)
    try {
      for (const id of ids.slice(1))
        await expect.poll(async () => (await claim(t.app.db, id, 'long', 1))[0]?.name).toBe('agent.update')
      expect(await claim(t.app.db, current, 'long', 1)).toEqual([])
    } finally {
      await worker.stop()
    }
  })
})
const workflowOf = async (id: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.id, id)))[0]?.workflowId

describe('an operation that an agent does not know', () => {
  it('is not sent, the error tells people to update, and a retry after the update continues', async () => {
    const id = await enrolled(t.app.db, 'agent-dumb')
    await told(id, { agentVersion: '0.0.9', operations: ['packages.ensure'] })
    const plan = [step(nginxEnsure, {}, { server: id, resource: { type: 'nginx', id, name: 'agent-dumb' } })]
    const workflow = await begin(t.app.db, { plan })
    expect(await claim(t.app.db, id, 'short', 5)).toEqual([])
    expect(await blockUnknown(t.app.db)).toBe(1)
    const [action] = await actionsOf(t.app.db, workflow)
    expect(action).toMatchObject({
      status: 'blocked',
      reason: 'The agent of agent-dumb (0.0.9) does not know nginx.ensure: update the agent, then retry',
    })
    await told(id, {})
    await t.call('PATCH', `/api/workflows/${workflow}/actions/${action!.id}`, {
      token: admin,
      body: { actionType: 'retry' },
    })
    expect(await claim(t.app.db, id, 'short', 5)).toHaveLength(1)
  })

  it('an older agent may omit only fields that its protocol lacked', () => {
    const { since: _, ...old } = { ...heartbeat.services[0]!, since: null }
    expect(Heartbeat.safeParse({ ...heartbeat, services: [old] }).success).toBe(true)
    expect(Heartbeat.safeParse({ ...heartbeat, operations: undefined }).success).toBe(false)
    expect(Heartbeat.safeParse({ ...heartbeat, build: '../../etc' }).success).toBe(false)
  })
})

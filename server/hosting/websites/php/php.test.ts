import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actions } from '../../../kit/work/tables.ts'
import { recordHeartbeat } from '../../../machines/servers/agents/heartbeat.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { carryOutAll, enrolled, heartbeat } from '../../../test/work.ts'
import { owners } from '../../owners/tables.ts'
import { plans } from '../../plans/tables.ts'

let t: TestApp
let admin: string
let server: number
beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  server = await enrolled(t.app.db, 'web-php', { provisionedAt: new Date().toISOString() })
  await has('8.2')
  await t.app.db.update(plans).set({ phpVersions: ['8.2', '8.4'] })
})
afterAll(() => t.close())

const has = (...versions: string[]) => {
  const php = (version: string) => ({ name: 'php-fpm', version, state: 'active' as const, detail: `PHP ${version}` })
  return recordHeartbeat(t.app.db, server, { ...heartbeat, services: versions.map(php) }, '')
}
const call = (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, body })
const carryOut = (status: 'done' | 'failed' = 'done') => carryOutAll(t.app.db, server, () => ({ status, reason: 'no' }))
async function site(domain: string, more: object = {}) {
  const [owner] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  const requested = { originServer: server, domain, plan: 'Business', userId: owner!.id, ...more }
  const { status, body } = await call('POST', '/websites', requested)
  await carryOut()
  return { status, body, id: body.data?.id as number }
}
const stepsOf = async (workflowId: number) =>
  (await t.app.db.select().from(actions).where(eq(actions.workflowId, workflowId)).orderBy(actions.position)).map(
    ({ name, input }) => `${name} ${input.phpVersion ?? ''}`.trim(),
  )

describe('PHP', () => {
  it('is installed only once, beside the other versions', async () => {
    const path = `/cloud-management/servers/${server}/php-versions`
    expect((await call('GET', `/cloud-management/servers/view/${server}`)).body.phpVersions).toEqual(['8.2'])
    expect(await call('POST', path, { phpVersion: '8.2' })).toMatchObject({
      status: 422,
      body: { fields: { phpVersion: 'Already installed' } },
    })
    const { status, body } = await call('POST', path, { phpVersion: '8.4' })
    expect([status, await stepsOf(body.workflowId)]).toEqual([202, ['php-version.ensure 8.4', 'php.ensure 8.4']])
    await carryOut()
    const dns = await enrolled(t.app.db, 'dns-php', { type: 'dns' })
    expect((await call('POST', `/cloud-management/servers/${dns}/php-versions`, { phpVersion: '8.4' })).status).toBe(
      422,
    )
  })

  it('of a website can change only to versions that its server has and its plan allows', async () => {
    const { id } = await site('moves.example')
    const to = (phpVersion: string) => call('PATCH', `/websites/${id}/php`, { phpVersion })
    expect((await to('8.4')).body.fields.phpVersion).toBe('web-php has no PHP 8.4: install it there first')
    await has('7.4', '8.2', '8.4')
    expect((await to('7.4')).body.fields.phpVersion).toBe('The plan Business has PHP 8.2, 8.4')
    expect((await to('8.2')).status).toBe(422)
    const { status, body } = await to('8.4')
    expect([status, await stepsOf(body.workflowId)]).toEqual([
      202,
      ['website.probe-before', 'php-pool.ensure 8.4', 'nginx-site.ensure 8.4', 'website.probe', 'php-pool.remove 8.2'],
    ])
    await carryOut()
    expect((await call('GET', `/websites/${id}`)).body).toMatchObject({ phpVersion: '8.4', status: 'active' })
  })

  it('stays the same when a change stops; the pool stays while another website uses it', async () => {
    await has('8.2', '8.4')
    const first = await site('first.example')
    await site('second.example', { userId: first.body.data.ownerId })
    const { body } = await call('PATCH', `/websites/${first.id}/php`, { phpVersion: '8.4' })
    expect(await stepsOf(body.workflowId)).not.toContain('php-pool.remove 8.2')
    await carryOut('failed')
    expect((await call('GET', `/websites/${first.id}`)).body).toMatchObject({ phpVersion: '8.2', status: 'active' })
  })

  it('is the former one again, by itself, if the website answered with that and does not with the new one', async () => {
    await has('8.2', '8.4')
    const { id } = await site('answered.example')
    const { body } = await call('PATCH', `/websites/${id}/php`, { phpVersion: '8.4' })
    await carryOutAll(t.app.db, server, ({ name, task }) =>
      name === 'website.probe' && task === 'run' ? { status: 'failed', reason: '500' } : { output: { served: true } },
    )
    expect((await call('GET', `/workflows/${body.workflowId}`)).body.status).toBe('rolled-back')
    expect((await call('GET', `/websites/${id}`)).body).toMatchObject({ phpVersion: '8.2', status: 'active' })
  })

  it('that a server lacks is not offered to new websites', async () => {
    await has('8.2')
    expect(await site('wants.example', { phpVersion: '8.4' })).toMatchObject({
      status: 422,
      body: { fields: { phpVersion: 'web-php has PHP 8.2: install 8.4 there first' } },
    })
  })
})

import { phaseOf } from '@innkeeper/contract/hosting/moves/phaseOf'
import { phases } from '@innkeeper/contract/hosting/moves/shapes'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { owners } from '../owners/tables.ts'
import { redisCaches } from '../redis/tables.ts'
import { retireOverdue } from './soak.ts'
import { migrations } from './tables.ts'
import {
  answer,
  asked,
  bergen,
  call,
  closeMoves,
  comesTo,
  move,
  openMoves,
  oslo,
  owner,
  read,
  site,
  t,
  until,
  update,
  website,
} from './test/moves.ts'

beforeAll(openMoves)
afterAll(closeMoves)

describe('a move of a website', () => {
  it('passes through all phases, ends on the new server, and reports the comparison', async () => {
    const earlier = asked.length // of other tests
    const id = await site('moves.example')
    const before = await website(id)
    const begun = await move(id, { sourceServerId: oslo, sourceWebsiteId: id })
    expect(begun).toMatchObject({ status: 202, body: { status: 'running', sourceServerName: 'oslo-1' } })
    const done = await comesTo(begun.id, 'soaking')
    expect(done).toMatchObject({ phase: 'soak', freezeMs: expect.any(Number), reason: null, targetWebsiteId: id })
    expect(done.report.map(({ type, result }: { type: string; result: string }) => `${type} ${result}`)).toEqual([
      'files same',
      'http done',
      'cron done',
    ])
    // cron jobs stop at the freeze and start on the new server once the old server forwards to the new one
    const mine = asked.slice(earlier)
    const since = mine.map(({ server, name, input }) =>
      `${server === oslo ? 'oslo' : 'bergen'} ${name} ${input.state ?? ''}`.trim(),
    )
    const at = (what: string) => since.indexOf(what)
    expect(at('oslo crontab.rest')).toBeGreaterThan(at('oslo nginx-site.ensure moving'))
    expect(at('oslo crontab.rest')).toBeLessThan(since.lastIndexOf('bergen transfer.pull'))
    for (const later of ['bergen crontab.take', 'oslo website-logs.pack', 'bergen website-logs.take'])
      expect(at(later), later).toBeGreaterThan(at('oslo nginx-site.ensure moved'))
    expect(mine.find(({ name }) => name === 'crontab.rest')?.input).toMatchObject({ everything: true })
    // each server runs its own kind of web server
    expect(at('bergen apache-site.ensure maintenance')).toBeLessThan(at('oslo nginx-site.ensure moving'))
    // visitors whose DNS changed early would write what the next copy removes
    expect(at('bergen apache-site.ensure active')).toBeGreaterThan(since.lastIndexOf('bergen transfer.verify'))
    const after = await website(id)
    expect(after).toMatchObject({ status: 'active', serverName: 'bergen-1', documentRoot: before.documentRoot })
    expect(after.systemUserId).not.toBe(before.systemUserId)
    const states = mine.flatMap(({ server, input }) =>
      input.domain === 'moves.example' && input.state ? `${server === oslo ? 'oslo' : 'bergen'} ${input.state}` : [],
    )
    expect(states).toEqual([
      'oslo active',
      'bergen maintenance',
      'oslo moving',
      'bergen active',
      'oslo moved',
      'oslo closed',
    ])
  })

  it('copies databases before the freeze and the changes during it, and locks accounts until then', async () => {
    const id = await site('data.example', owner, { database: true })
    const [database] = (await call('GET', `/database/websites/${id}`)).body.items
    const far = { websiteId: id, username: 'data_far', host: '198.51.100.7', databases: [{ id: database.id }] }
    expect((await call('POST', '/database/users', far)).status).toBe(201)
    await until(
      async () => (await call('GET', `/database/users?websiteIds=${id}&search=far`)).body.items[0].status === 'active',
    )
    asked.length = 0
    const begun = await move(id)
    expect(begun.body).toMatchObject({ status: 'running' })
    const done = await comesTo(begun.id, 'soaking')
    expect(done.report).toContainEqual({
      type: 'database',
      name: 'data_example',
      result: 'same',
      detail: '1 table, 2 rows',
    })
    const notify = ({ name, input }: (typeof asked)[number]) =>
      `${name} ${input.mode ?? input.state ?? (input.locked === undefined ? '' : `locked ${input.locked}`)}`.trim()
    const order = asked.map(notify)
    const freeze = order.indexOf('nginx-site.ensure moving')
    const wanted = /^database-user|^database\.(marks|dump|load)/
    expect(order.slice(0, freeze).filter((one) => wanted.test(one))).toEqual([
      ...['database-user.ensure locked true', 'database-user.ensure locked true'],
      ...['database.marks', 'database.dump', 'database.load'],
    ])
    expect(order.slice(freeze).filter((one) => wanted.test(one))).toEqual([
      'database-user.ensure locked true', // what a remote client writes to the old server from now on would be lost
      ...['database.dump', 'database.load', 'database-user.ensure locked false', 'database-user.ensure locked false'],
    ])
    const doors = asked.filter(({ name, input }) => name === 'database-user.ensure' && input.user === 'data_far')
    expect(doors.map(({ server, input }) => [server === oslo, input.locked])).toEqual([
      ...[
        [false, true],
        [true, true],
        [false, false],
      ],
    ])
    // only the first step may find no such account on the target
    expect(doors.map(({ input }) => input.fresh)).toEqual([true, undefined, undefined])
    expect(asked.find(({ name }) => name === 'database.ensure')?.input.fresh).toBe(true)
    // within the freeze the actions follow each other without a pause, so their times ascend
    const actions: Parameters<typeof phaseOf>[0][] = done.workflow.actions
    const frozen = actions.slice(actions.findIndex(({ input }) => input.state === 'moving'))
    const seen = frozen.map((one) => phases.indexOf(phaseOf(one)))
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    const [, later] = asked.filter(({ name }) => name === 'database.dump')
    expect(later?.input).toMatchObject({ changedSince: { at: 1, tables: { posts: { sum: '7' } } } })
    const [, renewal] = asked.filter(({ name }) => name === 'database.load')
    expect(renewal?.input).toMatchObject({ renew: true, whole: false })
  })

  it('gives a staging copy its own account with held mail, and removes both old accounts', async () => {
    const id = await site('copied.example')
    const { data } = (await call('POST', `/websites/${id}/staging`, { websiteId: id })).body
    await until(async () => (await website(data.id)).status === 'active')
    // website and copy had other names, which are aliases by now; the alias of the copy has the account of the copy
    const { status } = await call('PATCH', `/websites/${id}/rename`, {
      ...{ newDomain: 'recopied.example', version: (await website(id)).version, keepDays: 30, also: [data.id] },
      excludeActions: ['website.probe', 'website.redirect-probe'],
    })
    expect(status).toBe(202)
    await until(async () => (await website(data.id)).domain === 'staging-1.recopied.example')
    await until(async () => (await website(id)).status === 'active')
    const before = [await website(id), await website(data.id)]
    const former = async () =>
      website((await call('GET', '/websites?domain=staging-1.copied.example')).body.Websites[0].id)
    expect(await former()).toMatchObject({ kind: 'alias', username: before[1].username })
    asked.length = 0
    const moving = await move(id)
    await comesTo(moving.id, 'soaking')
    const after = [await website(id), await website(data.id)]
    expect(after[0].systemUserId).not.toBe(after[1].systemUserId)
    for (const one of [...after, await former()]) expect(one.documentRoot).toContain(`/home/${one.username}/`)
    expect((await former()).systemUserId).toBe(after[1].systemUserId)
    // stored paths with the former folder name lead to the present folder
    const links = asked.flatMap(({ server, name, input }) =>
      name === 'document-root.link' ? [[server, input.username, input.domain, input.to]] : [],
    )
    expect(links).toEqual([
      [bergen, after[0].username, 'copied.example', 'recopied.example'],
      [bergen, after[1].username, 'staging-1.copied.example', 'staging-1.recopied.example'],
    ])
    const pools = asked.flatMap(({ name, input }) => (name === 'php-pool.ensure' ? [[input.username, input.mail]] : []))
    expect(pools).toEqual([
      [after[0].username, undefined],
      [after[1].username, 'hold'],
    ])
    await update(moving.id, 'retire')
    await comesTo(moving.id, 'done')
    const gone = asked.flatMap(({ name, input }) => (name === 'system-user.remove' ? [input.username] : []))
    expect(gone.toSorted()).toEqual(before.map(({ username }) => username).toSorted())
    const folders = asked.flatMap(({ name, input }) => (name === 'document-root.remove' ? [input.path] : []))
    expect(folders.toSorted()).toEqual(before.map(({ documentRoot }) => documentRoot).toSorted())
  })

  it('sends the source’s address to the target, with a key that no row contains', async () => {
    const id = await site('secret.example')
    const { id: moved } = await move(id)
    const { workflow } = await comesTo(moved, 'soaking')
    const pull = asked.findLast(({ name }) => name === 'transfer.pull')
    const open = asked.findLast(({ name }) => name === 'transfer.open')
    expect(pull).toMatchObject({ server: bergen, input: { address: '10.0.0.1', port: 40_123, mode: 'delta' } })
    expect(pull?.input.token).toMatch(/^[0-9a-f]{64}$/)
    expect(open?.input.token).toBe(pull?.input.token)
    expect(JSON.stringify(workflow)).not.toContain(pull?.input.token)
    expect(asked.slice(-2)).toMatchObject([
      { name: 'transfer.close', server: oslo, input: { clear: true } },
      { name: 'transfer.close', server: bergen, input: { clear: true } },
    ])
  })

  it('stops at a failure before the freeze, and rolls back completely', async () => {
    const id = await site('stops.example')
    answer({ 'transfer.pull': 'no space left' })
    const { id: moved } = await move(id)
    const stopped = await comesTo(moved, 'failed')
    answer({})
    expect(stopped).toMatchObject({ phase: 'seed', reason: 'Copy files: no space left', freezeMs: null })
    expect(await website(id)).toMatchObject({ status: 'migrating', serverName: 'oslo-1' })
    expect((await call('DELETE', `/websites/${id}`, {})).body.message).toContain('wait until the move ends')
    expect((await move(id)).status).toBe(409)
    expect((await update(moved, 'rollback')).status).toBe(202)
    await comesTo(moved, 'rolled-back')
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
  })

  it('reopens the website by itself after a failure between freeze and cut-over', async () => {
    const id = await site('reopens.example')
    asked.length = 0
    answer({ 'transfer.verify': '3 files differ' })
    const { id: moved } = await move(id)
    const back = await comesTo(moved, 'rolled-back')
    answer({})
    expect(back.reason).toBe('Compare files: 3 files differ')
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
    const undone = asked
      .filter(({ task, name }) => task === 'undo' && name.endsWith('-site.ensure'))
      .map(({ input }) => input.before)
    expect(undone).toEqual(['active', undefined])
    const anew = await move(id)
    expect(anew.status).toBe(202)
    await comesTo(anew.id, 'soaking')
  })

  it('continues after a retry by the action’s name', async () => {
    const id = await site('again.example')
    answer({ 'transfer.pull': 'connection reset' })
    const { id: moved } = await move(id)
    await comesTo(moved, 'failed')
    answer({})
    const wrong = await call('PATCH', `/websites/migrations/${moved}/actions/transfer.pull`, {
      actionType: 'retry',
      status: 'done',
    })
    expect(wrong.status).toBe(422)
    expect(
      (
        await call('PATCH', `/websites/migrations/${moved}/actions/transfer.pull`, {
          actionType: 'retry',
          status: 'ready',
        })
      ).status,
    ).toBe(200)
    await comesTo(moved, 'soaking')
  })

  it('can be paused, except between the freeze and the cut-over', async () => {
    const id = await site('rests.example')
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    answer({ 'transfer.open': gate.then(() => ({ port: 1 })) })
    const { id: moved } = await move(id)
    await until(async () => (await read(moved)).phase === 'seed')
    expect((await update(moved, 'pause')).status).toBe(202)
    open()
    answer({})
    await until(async () => (await read(moved)).workflow.status === 'waiting')
    expect(await read(moved)).toMatchObject({ status: 'paused', workflow: { waitsFor: 'The workflow is paused' } })
    expect((await update(moved, 'pause')).status).toBe(409)
    expect((await update(moved, 'resume')).status).toBe(202)
    await comesTo(moved, 'soaking')
    expect((await update(moved, 'pause')).status).toBe(409)
  })

  it('removes the data on the old server after the observation period, including an account without other websites', async () => {
    const id = await site(
      'leaves.example',
      (await t.app.db.insert(owners).values({ name: 'Lars', email: 'l@example.org' }).returning())[0]!.id,
    )
    const { id: moved } = await move(id, { soakHours: 2 })
    const soaking = await comesTo(moved, 'soaking')
    expect(new Date(soaking.soakUntil).getTime() - Date.now()).toBeGreaterThan(7_000_000)
    await retireOverdue(t.app)
    expect((await read(moved)).status).toBe('soaking')
    await t.app.db.update(migrations).set({ soakUntil: '2020-01-01T00:00:00Z' }).where(eq(migrations.id, moved))
    asked.length = 0
    await retireOverdue(t.app)
    expect(await comesTo(moved, 'done')).toMatchObject({ phase: 'retire', endedAt: expect.any(String) })
    expect(asked.map(({ server, name }) => `${server === oslo} ${name}`)).toEqual([
      'true nginx-site.remove',
      'true php-pool.remove',
      'true document-root.remove',
      'true system-user.remove',
    ])
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'bergen-1' })
    // only existing resources are listed
    const { items } = (await call('GET', `/websites/${id}/orchestrator`)).body
    const left = items.flatMap((one: { resourceType: string; serverName: string | null }) =>
      one.serverName === 'oslo-1' || one.resourceType === 'migration' ? [one.resourceType] : [],
    )
    expect(left).toEqual(['packages'])
  })

  it('rolls back during the observation period with the data written since, and then ends', async () => {
    const id = await site('returns.example')
    await t.app.db.insert(redisCaches).values({ websiteId: id, state: 'on' })
    const before = await website(id)
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    asked.length = 0
    const { status, body } = await update(moved, 'rollback')
    expect([status, body.reverseOf]).toEqual([202, moved])
    await comesTo(body.id, 'soaking')
    expect((await read(moved)).status).toBe('rolled-back')
    expect(await website(id)).toMatchObject({
      serverName: 'oslo-1',
      systemUserId: before.systemUserId,
      documentRoot: before.documentRoot,
    })
    const order = asked.map(({ server, name, input }) =>
      `${server === oslo ? 'oslo' : 'bergen'} ${name} ${input.mode ?? input.state ?? ''}`.trim(),
    )
    // the old server serves the website again only after the data was copied back to it
    expect(order.indexOf('oslo nginx-site.ensure active')).toBeGreaterThan(order.indexOf('oslo transfer.verify'))
    expect(order).toContain('bergen apache-site.ensure moved')
    // caches and the opcode cache of PHP hold nothing from before the move
    expect(asked.find(({ server, name }) => server === oslo && name === 'redis.ensure')?.input).toMatchObject({
      empty: true,
    })
    expect(
      order.slice(order.indexOf('oslo transfer.verify'), order.indexOf('oslo nginx-site.ensure active')),
    ).toContain('oslo php-pool.renew')
  })

  it('cannot be undone after the cut-over, because visitors write on the new server: it continues, and then moves back', async () => {
    const id = await site('written.example')
    answer({
      'nginx-site.ensure': ({ state }: { state?: string }) => (state === 'moved' ? 'nginx does not reload' : {}),
    })
    const { id: moved } = await move(id)
    const { workflow } = await comesTo(moved, 'failed')
    answer({})
    expect(workflow.noWayBack).toContain('Visitors write on the new server')
    const refused = { status: 409, body: { message: workflow.noWayBack } }
    expect(await update(moved, 'rollback')).toMatchObject(refused)
    const at = (name: string) => workflow.actions.find((one: { name: string }) => one.name === name).id
    const ask = (name: string, actionType: string) =>
      call('PATCH', `/workflows/${workflow.id}/actions/${at(name)}`, { actionType })
    expect(await ask('migration.preflight', 'rollback')).toMatchObject(refused)
    // a second copy from the old server would overwrite what visitors wrote
    expect(await ask('transfer.pull', 'retry-from')).toMatchObject(refused)
    expect(await website(id)).toMatchObject({ serverName: 'bergen-1' })
    const stopped = workflow.actions.find(({ status }: { status: string }) => status === 'failed').id
    await call('PATCH', `/workflows/${workflow.id}/actions/${stopped}`, { actionType: 'retry' })
    expect((await comesTo(moved, 'soaking')).workflow.noWayBack).toBeUndefined()
    const { body } = await update(moved, 'rollback')
    await comesTo(body.id, 'soaking')
    expect(await website(id)).toMatchObject({ serverName: 'oslo-1', status: 'active' })
  })

  it('moves names and sub-websites back that were added during the observation period', async () => {
    const id = await site('grown.example')
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    const added = async (path: string, body: object): Promise<number> => {
      const made = await call('POST', `/websites/${id}/${path}`, body)
      expect(made.status, JSON.stringify(made.body)).toBeLessThan(300)
      await until(async () => (await website(made.body.data.id)).status === 'active')
      await until(async () => (await website(id)).status === 'active')
      return made.body.data.id
    }
    const alias = await added('alias', {
      domain: 'also-grown.example',
      mode: 'serve',
      excludeActions: ['website.alias-probe'],
    })
    const sub = await added('subwebsite', {
      domain: 'shop.grown.example',
      root: 'own',
      excludeActions: ['website.probe'],
    })
    asked.length = 0
    const { status, body } = await update(moved, 'rollback')
    expect([status, body.message]).toEqual([202, undefined])
    await comesTo(body.id, 'soaking')
    for (const one of [id, alias, sub])
      expect(await website(one)).toMatchObject({ serverName: 'oslo-1', status: 'active' })
    const served = asked.filter(
      ({ server, name, input }) =>
        server === oslo && name === 'nginx-site.ensure' && input.domain === 'shop.grown.example',
    )
    expect(served.map(({ input }) => [input.state, input.before])).toEqual([['active', undefined]])
    expect(
      asked.some(
        ({ server, name, input }) =>
          server === oslo &&
          name === 'transfer.pull' &&
          input.path === (served[0]?.input.root as string).replace(/\/[^/]*$/, ''),
      ),
    ).toBe(true)
  })

  it('retires the old server early on request; the website cannot move again before', async () => {
    const id = await site('now.example')
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    expect((await call('POST', `/websites/${id}/migrate`, { targetServerId: oslo })).body.message).toContain('retire')
    expect((await update(moved, 'retire')).status).toBe(202)
    await comesTo(moved, 'done')
  })
})

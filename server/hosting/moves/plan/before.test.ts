import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordHeartbeat } from '../../../machines/servers/agents/heartbeat.ts'
import { serverStates, servers } from '../../../machines/servers/tables.ts'
import { heartbeat } from '../../../test/work.ts'
import { plans } from '../../plans/tables.ts'
import { websites } from '../../websites/tables.ts'
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
  room,
  site,
  t,
  until,
  update,
  website,
} from '../test/moves.ts'

interface Looked {
  findings: { key: string }[]
}

beforeAll(openMoves)
afterAll(closeMoves)

describe('before a move begins', () => {
  it('checks both servers, and reports the obstacles', async () => {
    const id = await site('looks.example')
    const look = async () => (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)).body
    const good = await look()
    expect(good.findings.filter(({ level }: { level: string }) => level === 'blocker')).toEqual([])
    expect(good).toMatchObject({ bytes: 5e6, files: 20 })
    expect([...new Set(good.actions.map(({ phase }: { phase: string }) => phase))]).toEqual([
      'preflight',
      'prepare',
      'seed',
      'freeze',
      'delta',
      'verify',
      'cutover',
      'proxy',
    ])
    answer({ 'migration.look': { ...room, free: 1e6, freeInodes: 5, modules: [] } })
    const full = (await look()).findings.filter(({ level }: { level: string }) => level === 'blocker')
    answer({})
    expect(full.map(({ key }: { key: string }) => key)).toEqual(['disk', 'inodes'])
  })

  it('refuses an account that has more than its plan where the target enforces the limit, and warns elsewhere', async () => {
    const id = await site('larger.example')
    const { planId, username } = await website(id)
    const [plan] = await t.app.db.select().from(plans).where(eq(plans.id, planId))
    const mb = plan?.diskMb ?? 0
    const look = async () =>
      (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)).body.findings.filter(
        ({ key }: { key: string }) => key === 'plan',
      )
    const bytes = (mb + 1) * 1024 ** 2
    answer({
      'migration.look': {
        ...room,
        free: 1e12,
        folders: [{ path: `/home/${username}/larger.example`, bytes, files: 3 }],
      },
    })
    const enforced = (notEnforced: string[]) =>
      t.app.db.update(serverStates).set({ notEnforced }).where(eq(serverStates.serverId, bergen))
    await enforced([
      'disk limits of system users, which are measured: /home is on overlay, which has no limits by account',
    ])
    const text = expect.stringMatching(new RegExp(`^${username} has .*, its plan ${mb} MB`))
    expect(await look()).toEqual([{ key: 'plan', title: 'Plan', level: 'warning', text }])
    await enforced([])
    expect(await look()).toEqual([{ key: 'plan', title: 'Plan', level: 'blocker', text }])
    expect(await move(id)).toMatchObject({ status: 422 })
    answer({})
    expect(await look()).toEqual([])
  })

  it('refuses a website that answers an error, because the move would stop at its first probe', async () => {
    const id = await site('broken.example')
    answer({ 'migration.look': { ...room, sites: [{ domain: 'broken.example', status: 500, text: '500' }] } })
    const { body } = await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)
    expect(await move(id)).toMatchObject({
      status: 422,
      body: { fields: { targetServerId: expect.stringContaining('answers 500') } },
    })
    expect(await website(id)).toMatchObject({ status: 'active' })
    // it breaks between the call and the first action: the same question is asked there
    let looks = 0
    const broken = { ...room, sites: [{ domain: 'broken.example', status: 500, text: '500' }] }
    answer({ 'migration.look': () => (++looks > 2 ? broken : room) })
    const begun = await move(id)
    expect(await comesTo(begun.id, 'failed')).toMatchObject({ reason: expect.stringContaining('answers 500') })
    answer({})
    expect(body.findings.find(({ key }: { key: string }) => key === 'answers')).toMatchObject({ level: 'blocker' })
    const look = asked.findLast(({ name, server }) => name === 'migration.look' && server === oslo)
    expect(look?.input.sites).toEqual(['broken.example'])
    expect((await update(begun.id, 'rollback')).status).toBe(202)
    await comesTo(begun.id, 'rolled-back')
  })

  it('warns of files beside the folders of websites, which do not move', async () => {
    const id = await site('beside.example')
    answer({ 'migration.look': { ...room, beside: ['web1/.env', 'web1/dump.sql'] } })
    const { body } = await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)
    answer({})
    const text = expect.stringContaining('stay web1/.env, web1/dump.sql. They go to the trash')
    expect(body.findings).toContainEqual({ key: 'beside', title: 'Other files', level: 'warning', text })
    const look = asked.findLast(({ name, server }) => name === 'migration.look' && server === oslo)
    expect(look?.input.homes).toEqual([
      { username: expect.any(String), websites: expect.arrayContaining(['beside.example']) },
    ])
  })

  it('warns of cron jobs that stay behind, and of a server without cron', async () => {
    const id = await site('cron.example', owner, { systemUser: 'crons' })
    await site('beside-cron.example', owner, { systemUser: 'crons' })
    answer({ 'migration.look': { ...room, jobs: [{ username: 'crons', jobs: 3, unnamed: 1 }], cron: false } })
    const { body } = await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)
    answer({})
    const text =
      'bergen-1 has no cron: install the package cron there first. 1 cron job of crons names no folder of a website and stays on oslo-1, because other websites use the account'
    expect(body.findings).toContainEqual({ key: 'cron', title: 'Cron jobs', level: 'warning', text })
  })

  it('refuses to start while the target server is offline, because the first action would fail', async () => {
    const id = await site('away.example')
    const heard = (at: string) =>
      t.app.db.update(serverStates).set({ lastSeenAt: at }).where(eq(serverStates.serverId, bergen))
    const [before] = await t.app.db.select().from(serverStates).where(eq(serverStates.serverId, bergen))
    await heard(new Date(Date.now() - 3_600_000).toISOString())
    const begun = await move(id)
    await heard(before!.lastSeenAt!)
    const text = expect.stringContaining('bergen-1 has not been heard from since')
    expect(begun).toMatchObject({ status: 422, body: { fields: { targetServerId: text } } })
    expect(await website(id)).toMatchObject({ status: 'active' })
  })

  it('refuses names that the target server has already, which the move would take over', async () => {
    const id = await site('clash.example', owner, { database: true })
    answer({ 'migration.look': { ...room, taken: ['database clash_example'] } })
    const { body } = await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)
    const begun = await move(id)
    answer({})
    expect([begun.status, begun.body.fields?.targetServerId]).toEqual([422, expect.stringContaining('clash_example')])
    const names = body.findings.find(({ key }: { key: string }) => key === 'names')
    expect(names).toMatchObject({ level: 'blocker', text: expect.stringContaining('clash_example') })
    const look = asked.findLast(({ name, server }) => name === 'migration.look' && server === bergen)
    expect(look?.input.newcomers).toMatchObject({
      accounts: [expect.any(String)],
      databases: [{ engine: 'mariadb', name: 'clash_example' }],
      databaseUsers: [{ engine: 'mariadb', host: 'localhost' }],
    })
  })

  it.each([
    ['is on it already', { acceptsNew: true }, () => ({ targetServerId: oslo }), 'on oslo-1 already'],
    ['accepts nothing new', { acceptsNew: false }, () => ({}), 'accepts no new websites'],
    ['is set down', { status: 'down' as const }, () => ({}), 'is set down'],
    ['has no address', { address: null }, () => ({}), 'no address'],
  ])('a server that %s is refused beside its field', async (_, change, more, words) => {
    const id = await site(`refused-${words.replaceAll(' ', '-')}.example`)
    await t.app.db.update(servers).set(change).where(eq(servers.id, bergen))
    const { status, body } = await move(id, more())
    await t.app.db
      .update(servers)
      .set({ acceptsNew: true, status: 'up', address: '10.0.0.2' })
      .where(eq(servers.id, bergen))
    expect([status, body.fields?.targetServerId]).toEqual([422, expect.stringContaining(words)])
    expect(await website(id)).toMatchObject({ status: 'active' })
  })

  it('refuses a missing PHP version, an old agent and another source', async () => {
    const id = await site('php.example')
    const php = (version: string) => [{ name: 'php-fpm', version, state: 'active' as const, detail: `PHP ${version}` }]
    await recordHeartbeat(t.app.db, bergen, { ...heartbeat, services: php('8.4') }, '')
    expect((await move(id)).body.message).toContain('install 8.2 there first')
    await recordHeartbeat(t.app.db, bergen, { ...heartbeat, services: php('8.2'), operations: ['nginx.ensure'] }, '')
    expect((await move(id)).body.message).toContain('too old')
    await recordHeartbeat(t.app.db, bergen, { ...heartbeat, services: php('8.2') }, '')
    expect((await move(id, { sourceServerId: bergen })).body.fields).toEqual({
      sourceServerId: 'The website is not on this server',
    })
    expect((await move(id, { targetServerId: 999 })).status).toBe(404)
  })

  it('a new account is created on the target, unless an existing one of the owner is chosen; the preflight names it', async () => {
    const first = await site('settled.example')
    const moved = await move(first)
    await comesTo(moved.id, 'soaking')
    const { systemUserId: there, username } = await website(first)
    const id = await site('newcomer.example')
    const look = async (more = '') =>
      (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}${more}`)).body
    const account = (body: Looked) => body.findings.find(({ key }) => key === 'account')
    const seen = await look()
    expect(account(seen)).toMatchObject({
      level: expect.stringMatching(/ok|warning/),
      text: expect.not.stringContaining('settled'),
    })
    expect(seen.accounts).toContainEqual({ id: there, username, domains: ['settled.example'] })
    const shared = { level: 'warning', text: expect.stringContaining('also serves settled.example') }
    expect(account(await look(`&targetAccountId=${there}`))).toMatchObject(shared)
    const stranger = { level: 'blocker', text: expect.stringContaining('another owner') }
    expect(account(await look('&targetAccountId=1'))).toMatchObject(stranger)
    expect((await move(id, { targetAccountId: 1 })).status).toBe(422)
    const alone = await move(id)
    await comesTo(alone.id, 'soaking')
    expect((await website(id)).systemUserId).not.toBe(there)
  })

  it('does not ask a suspended website for its page, which answers 503, before and during the move', async () => {
    const id = await site('paused.example')
    await t.app.db.update(websites).set({ status: 'suspended' }).where(eq(websites.id, id))
    await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)
    const begun = await move(id)
    await comesTo(begun.id, 'soaking')
    const looks = asked.filter(({ name, server }) => name === 'migration.look' && server === oslo).slice(-2)
    expect(looks.map(({ input }) => input.sites)).toEqual([[], []])
    expect(await website(id)).toMatchObject({ status: 'suspended' })
    expect((await update(begun.id, 'rollback')).status).toBe(202)
    await comesTo(begun.id, 'rolled-back')
  })

  it('aliases and former names do not count as websites of the plan', async () => {
    const id = await site('named.example')
    const [{ id: _, ...main } = expect.fail('no row')] = await t.app.db
      .select()
      .from(websites)
      .where(eq(websites.id, id))
    const alias = { ...main, kind: 'alias' as const, parentId: id, until: new Date(Date.now() + 9e8).toISOString() }
    for (const domain of ['alias-1.example', 'alias-2.example'])
      await t.app.db.insert(websites).values({ ...alias, domain })
    await t.app.db.update(plans).set({ websites: 1 })
    const { status, body } = await move(id)
    await t.app.db.update(plans).set({ websites: 50 })
    expect([status, body.message]).toEqual([202, undefined])
    await comesTo(body.id, 'soaking')
  })

  it('checks some websites of a group at a time, and reports a result for each', async () => {
    const ids: number[] = []
    for (const n of [1, 2, 3, 4, 5, 6]) ids.push(await site(`beside-${n}.example`))
    await call('POST', '/groups', { ownerId: owner, mainWebsite: ids[0], ids: ids.slice(1) })
    const gate = Promise.withResolvers<void>()
    answer({ 'migration.look': gate.promise.then(() => room) })
    const since = asked.length
    const looks = () => asked.slice(since).filter(({ name, server }) => name === 'migration.look' && server === oslo)
    const asking = call('GET', `/websites/${ids[0]}/migrate?targetServerId=${bergen}&group=true`)
    await until(async () => looks().length === 4)
    gate.resolve()
    const { body } = await asking
    answer({})
    expect(looks()).toHaveLength(6)
    expect(body.members.map(({ domain }: { domain: string }) => domain)).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `beside-${n}.example`),
    )
    expect(body).toMatchObject({ bytes: 30e6, files: 120 })
  })
})

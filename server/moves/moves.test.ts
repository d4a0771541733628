import { generateKeyPairSync } from 'node:crypto'
import type { Op } from '@innkeeper/contract/agent/door'
import { MOST_KEYS } from '@innkeeper/contract/sftp'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownWork } from '../kit/action.ts'
import { finish } from '../kit/claim.ts'
import { rootOf } from '../kit/db.ts'
import { openQueue } from '../kit/queue.ts'
import { openTestApp, type TestApp } from '../kit/test.ts'
import { enrolled, heartbeat } from '../kit/testWork.ts'
import { owners } from '../owners/tables.ts'
import { plans } from '../plans/tables.ts'
import { recordHeartbeat } from '../servers/heartbeat.ts'
import { servers } from '../servers/tables.ts'
import { sftpKeys } from '../sftp/tables.ts'
import { retireOverdue } from './soak.ts'
import { migrations } from './tables.ts'

let t: TestApp
let admin: string
let oslo: number
let bergen: number
let owner: number
let stop: () => Promise<void>
/** What agents answer to an action by its name; a string fails it. */
let answers: Record<string, unknown> = {}
const room = { free: 50e9, freeInodes: 1e6, modules: ['mysqli'], folders: [{ path: '/home/x', bytes: 5e6, files: 20 }] }
const usual = {
  'transfer.open': { port: 40_123 },
  'transfer.pull': { files: 3, bytes: 100, copied: 3, copiedBytes: 100 },
  'transfer.verify': { files: 3, bytes: 100, differences: 0 },
  'migration.look': room,
}
/** Every input as an agent got it. */
const asked: { server: number; name: string; task: string; input: Record<string, unknown> }[] = []

beforeAll(async () => {
  t = await openTestApp()
  admin = (await t.somebody('admin')).token
  oslo = await server('oslo-1', '10.0.0.1')
  bergen = await server('bergen-1', '10.0.0.2')
  const [kari] = await t.app.db.insert(owners).values({ name: 'Kari', email: 'kari@example.org' }).returning()
  owner = kari!.id
  await t.app.db.update(plans).set({ websites: 50 })
  stop = await agents([oslo, bergen])
})
afterAll(async () => {
  await stop()
  await t.close()
})

async function server(name: string, address: string): Promise<number> {
  const id = await enrolled(t.app.db, name, { provisionedAt: new Date().toISOString() })
  await t.app.db.update(servers).set({ address }).where(eq(servers.id, id))
  const services = ['8.2', '8.4'].map((v) => ({
    name: 'php-fpm',
    version: v,
    state: 'active' as const,
    detail: `PHP ${v}`,
  }))
  await recordHeartbeat(t.app.db, id, { ...heartbeat, services }, '')
  return id
}

/** Agents that do what they are asked at once; our own work is done as it is, but for asking websites that nobody serves. */
async function agents(ids: number[]): Promise<() => Promise<void>> {
  const queue = await openQueue(t.app, 50)
  let over = false
  const serve = async (id: number | null, lane: 'short' | 'long' | 'read') => {
    while (!over)
      for (const op of (await queue.next(id, lane, 8, 200)).ops) {
        if (id !== null) asked.push({ server: id, name: op.name, task: op.task, input: op.input })
        const { id: action, attempt } = op
        const told = await (id === null ? ours(op) : theirs(op)).then(
          (output) => ({ status: 'done' as const, output }),
          (error: unknown) => ({ status: 'failed' as const, reason: rootOf(error) }),
        )
        await finish(t.app.db, id, [{ id: action, attempt, ...told }])
      }
  }
  const loops = [...ids, null].flatMap((id) => (['short', 'long', 'read'] as const).map((lane) => serve(id, lane)))
  return async () => {
    over = true
    queue.close()
    await Promise.all(loops)
  }
}
async function theirs({ name, task }: Op): Promise<unknown> {
  const output = task === 'undo' ? {} : ({ ...usual, ...answers }[name] ?? {})
  if (typeof output === 'string') throw new Error(output)
  return output
}
async function ours({ name, task, input }: Op): Promise<unknown> {
  if (name === 'website.probe') return { status: 200, ms: 5 }
  const { signal } = new AbortController()
  return ownWork(name)?.[task]?.(input, { app: t.app, task, signal, say: () => {}, fence: () => {} })
}

const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  t.call(method, `/api${path}`, { token: admin, ...(body !== undefined && { body }) })
async function site(domain: string, userId = owner): Promise<number> {
  const { body } = await call('POST', '/websites', {
    originServer: oslo,
    domain,
    plan: 'Business',
    userId,
    excludeActions: ['website.probe'],
  })
  await until(async () => (await call('GET', `/websites/${body.data.id}`)).body.status === 'active')
  return body.data.id
}
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 8_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 20)))
    if (Date.now() > end) throw new Error('it did not come to pass')
}
const read = async (id: number) => (await call('GET', `/websites/migrations/${id}`)).body
async function comesTo(id: number, status: string) {
  await until(async () => (await read(id)).status === status).catch(async () => {
    const { status: is, reason } = await read(id)
    throw new Error(`it is ${is} (${reason}), not ${status}`)
  })
  return read(id)
}
const move = async (id: number, more: object = {}) => {
  const { status, body } = await call('POST', `/websites/${id}/migrate`, { targetServerId: bergen, ...more })
  return { status, body, id: body.id as number }
}
const website = async (id: number) => (await call('GET', `/websites/${id}`)).body
const update = (id: number, want: string) => call('PATCH', `/websites/migrations/${id}`, { want })

describe('a move of a website', () => {
  it('goes through its phases, is served by the new server at the end, and says what was compared', async () => {
    const id = await site('moves.example')
    const before = await website(id)
    const begun = await move(id, { sourceServerId: oslo, sourceWebsiteId: id })
    expect(begun).toMatchObject({ status: 202, body: { status: 'running', sourceServerName: 'oslo-1' } })
    const done = await comesTo(begun.id, 'soaking')
    expect(done).toMatchObject({ phase: 'soak', freezeMs: expect.any(Number), reason: null, targetWebsiteId: id })
    expect(done.report.map(({ type, result }: { type: string; result: string }) => `${type} ${result}`)).toEqual([
      'files same',
      'http done',
    ])
    const after = await website(id)
    expect(after).toMatchObject({ status: 'active', serverName: 'bergen-1', documentRoot: before.documentRoot })
    expect(after.systemUserId).not.toBe(before.systemUserId)
    const states = asked.flatMap(({ server, input }) =>
      input.domain === 'moves.example' && input.state ? `${server === oslo ? 'oslo' : 'bergen'} ${input.state}` : [],
    )
    expect(states).toEqual(['oslo active', 'bergen active', 'oslo moving', 'oslo moved'])
  })

  it('tells the target where the source is open, with a key that is in no row', async () => {
    const id = await site('secret.example')
    const { id: moved } = await move(id)
    const { workflow } = await comesTo(moved, 'soaking')
    const pull = asked.findLast(({ name }) => name === 'transfer.pull')
    const open = asked.findLast(({ name }) => name === 'transfer.open')
    expect(pull).toMatchObject({ server: bergen, input: { address: '10.0.0.1', port: 40_123, mode: 'delta' } })
    expect(pull?.input.token).toMatch(/^[0-9a-f]{64}$/)
    expect(open?.input.token).toBe(pull?.input.token)
    expect(JSON.stringify(workflow)).not.toContain(pull?.input.token)
    expect(asked.findLast(({ name }) => name === 'transfer.close')?.server).toBe(oslo)
  })

  it('stops where something fails, keeps the website where it is, and goes back as if nothing had been', async () => {
    const id = await site('stops.example')
    answers = { 'transfer.verify': '3 files differ' }
    const { id: moved } = await move(id)
    const stopped = await comesTo(moved, 'failed')
    answers = {}
    expect(stopped).toMatchObject({ phase: 'verify', reason: 'Compare files: 3 files differ', freezeMs: null })
    expect(await website(id)).toMatchObject({ status: 'migrating', serverName: 'oslo-1' })
    expect((await call('DELETE', `/websites/${id}`, {})).body.message).toContain('on its way')
    expect((await move(id)).status).toBe(409)
    expect((await update(moved, 'rollback')).status).toBe(202)
    await comesTo(moved, 'rolled-back')
    expect(await website(id)).toMatchObject({ status: 'active', serverName: 'oslo-1' })
    const undone = asked
      .filter(({ task, name }) => task === 'undo' && name === 'nginx-site.ensure')
      .map(({ input }) => input.before)
    expect(undone).toEqual(['active', undefined])
    const anew = await move(id)
    expect(anew.status).toBe(202)
    await comesTo(anew.id, 'soaking')
  })

  it('goes on after a retry by the action’s name', async () => {
    const id = await site('again.example')
    answers = { 'transfer.pull': 'connection reset' }
    const { id: moved } = await move(id)
    await comesTo(moved, 'failed')
    answers = {}
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

  it('rests while it is paused, and not while visitors wait', async () => {
    const id = await site('rests.example')
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    answers = { 'transfer.open': gate.then(() => ({ port: 1 })) }
    const { id: moved } = await move(id)
    await until(async () => (await read(moved)).phase === 'seed')
    expect((await update(moved, 'pause')).status).toBe(202)
    open()
    answers = {}
    await until(async () => (await read(moved)).workflow.status === 'waiting')
    expect(await read(moved)).toMatchObject({ status: 'paused', workflow: { waitsFor: 'It is paused' } })
    expect((await update(moved, 'pause')).status).toBe(409)
    expect((await update(moved, 'resume')).status).toBe(202)
    await comesTo(moved, 'soaking')
    expect((await update(moved, 'pause')).status).toBe(409)
  })

  it('soaks for its hours, then leaves nothing behind; the account too where nothing else was under it', async () => {
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
  })

  it('goes back while it soaks with what was written meanwhile, and is over with that', async () => {
    const id = await site('returns.example')
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
    // the old server answers for itself again only once it has what the new one had
    expect(order.indexOf('oslo nginx-site.ensure active')).toBeGreaterThan(order.indexOf('oslo transfer.verify'))
    expect(order).toContain('bergen nginx-site.ensure moved')
  })

  it('retires now where somebody says so, and is not begun anew before', async () => {
    const id = await site('now.example')
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    expect((await call('POST', `/websites/${id}/migrate`, { targetServerId: oslo })).body.message).toContain('retire')
    expect((await update(moved, 'retire')).status).toBe(202)
    await comesTo(moved, 'done')
  })
})

describe('SFTP access of the account', () => {
  const sftp = (account: number) => `/system-user/system-users/${account}/sftp`
  const access = async (account: number) => (await call('GET', sftp(account))).body
  const idle = (account: number) =>
    until(async () => {
      const { state, keys } = await access(account)
      return state === 'on' && keys.every((key: { state: string }) => key.state === 'active')
    })
  const addKey = async (account: number, key: string) => {
    await call('POST', `${sftp(account)}/keys`, { key })
    await idle(account)
  }
  const comments = async (account: number) =>
    (await access(account)).keys.map(({ comment }: { comment: string }) => comment)
  /** Of an owner of its own, let in with one key. */
  async function letIn(domain: string) {
    const [person] = await t.app.db
      .insert(owners)
      .values({ name: domain, email: `post@${domain}` })
      .returning()
    const id = await site(domain, person!.id)
    const account: number = (await website(id)).systemUserId
    await call('PATCH', sftp(account), { on: true })
    await idle(account)
    await addKey(account, keyOf('kari@laptop'))
    return { id, account, person: person!.id }
  }
  const opened = () =>
    asked.flatMap(({ name, task, server, input }) =>
      name === 'sftp-access.ensure' ? [{ server, task, keys: (input.keys as unknown[]).length }] : [],
    )

  it('goes along with its keys, and the password is said to stay behind', async () => {
    const { id, account } = await letIn('access.example')
    await call('POST', `${sftp(account)}/password`)
    await until(async () => (await access(account)).passwordSetAt !== null)
    const { findings } = (await call('GET', `/websites/${id}/migrate?targetServerId=${bergen}`)).body
    const isSftp = ({ key }: { key: string }) => key === 'sftp'
    expect(findings.filter(isSftp)).toMatchObject([
      { level: 'ok', text: expect.stringMatching(/^1 key goes along to \w+ on bergen-1$/) },
      { level: 'warning', text: 'The SFTP password has to be set anew on bergen-1' },
    ])
    asked.length = 0
    const { id: moved } = await move(id)
    // neither end changes under the move
    expect((await call('PATCH', sftp(account), { on: false })).status).toBe(409)
    const done = await comesTo(moved, 'soaking')
    // looked at once more when it was its turn
    expect(done.findings).toEqual(expect.arrayContaining(findings.filter(isSftp)))
    expect(done.report).toContainEqual(expect.objectContaining({ type: 'sftp', detail: 'lets in 1 key' }))
    expect(opened()).toEqual([{ server: bergen, task: 'run', keys: 1 }])
    const { systemUserId } = await website(id)
    expect(await access(systemUserId)).toMatchObject({
      state: 'on',
      passwordSetAt: null,
      keys: [{ comment: 'kari@laptop', addedBy: expect.any(String), state: 'active' }],
    })
    expect(await comments(account)).toEqual(['kari@laptop'])
    await update(moved, 'retire')
    await comesTo(moved, 'done')
    expect((await call('GET', sftp(account))).status).toBe(404)
  })

  it('is taken away again where the move is rolled back', async () => {
    const { id, account } = await letIn('taken-back.example')
    answers = { 'transfer.verify': '3 files differ' }
    const { id: moved } = await move(id)
    await comesTo(moved, 'failed')
    answers = {}
    const [noted] = await t.app.db
      .select({ target: migrations.targetUserId })
      .from(migrations)
      .where(eq(migrations.id, moved))
    const target = noted!.target!
    expect(await access(target)).toMatchObject({ state: 'enabling', keys: [{ state: 'adding' }] })
    asked.length = 0
    await update(moved, 'rollback')
    await comesTo(moved, 'rolled-back')
    expect(opened()).toEqual([{ server: bergen, task: 'undo', keys: 1 }])
    const left = await t.app.db.select().from(sftpKeys).where(eq(sftpKeys.systemUserId, target))
    expect(left).toEqual([])
    expect(await access(account)).toMatchObject({ state: 'on', keys: [{ comment: 'kari@laptop', state: 'active' }] })
  })

  it('joins what the account over there has: each key once, its password stays, and so on the way back', async () => {
    const { id, account, person } = await letIn('joins.example')
    const shared = keyOf('shared')
    await addKey(account, shared)
    const { body } = await call('POST', '/system-user/system-users', {
      ...{ username: 'joinsthere', originServer: bergen, ownerId: person },
      planId: (await website(id)).planId,
    })
    const there: number = body.data.id
    await until(async () => (await call('GET', `/system-user/system-users/${there}`)).body.status === 'active')
    await call('PATCH', sftp(there), { on: true })
    await idle(there)
    await addKey(there, shared)
    await call('POST', `${sftp(there)}/password`)
    await until(async () => (await access(there)).passwordSetAt !== null)
    const { passwordSetAt } = await access(there)
    asked.length = 0
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    expect((await website(id)).systemUserId).toBe(there)
    expect(opened()).toEqual([{ server: bergen, task: 'run', keys: 2 }])
    expect(asked.find(({ name }) => name === 'sftp-access.ensure')?.input).not.toHaveProperty('signInPassword')
    expect(await comments(there)).toEqual(['shared', 'kari@laptop'])
    expect((await access(there)).passwordSetAt).toBe(passwordSetAt)

    await addKey(there, keyOf('new@bergen'))
    asked.length = 0
    const { body: back } = await update(moved, 'rollback')
    await comesTo(back.id, 'soaking')
    expect(opened()).toEqual([{ server: oslo, task: 'run', keys: 3 }])
    expect(await comments(account)).toEqual(['kari@laptop', 'shared', 'new@bergen'])
    expect((await access(account)).state).toBe('on')
  })

  it('that is off stays off, and one with too many keys is said before', async () => {
    const { id, account } = await letIn('many.example')
    const { planId, ownerId } = await website(id)
    const { body } = await call('POST', '/system-user/system-users', {
      ...{ username: 'manythere', originServer: bergen, ownerId, planId },
    })
    await until(async () => (await call('GET', `/system-user/system-users/${body.data.id}`)).body.status === 'active')
    await t.app.db.insert(sftpKeys).values(
      Array.from({ length: MOST_KEYS }, (_, i) => ({
        ...{ systemUserId: body.data.id, type: 'ssh-ed25519', body: `AAAA${i}`, fingerprint: `SHA256:${i}` },
        ...{ comment: '', addedBy: 'Kari', state: 'active' as const },
      })),
    )
    expect((await move(id)).body.message).toContain(`would have ${MOST_KEYS + 1} keys`)
    await call('PATCH', sftp(account), { on: false })
    await until(async () => (await access(account)).state === 'off')
    asked.length = 0
    const { id: moved } = await move(id)
    await comesTo(moved, 'soaking')
    expect(opened()).toEqual([])
    expect((await access(body.data.id)).state).toBe('off')
  })
})

/** A new ed25519 key as its .pub file says it. */
function keyOf(comment: string): string {
  const raw = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const blob = Buffer.concat([field(Buffer.from('ssh-ed25519')), field(raw)])
  return `ssh-ed25519 ${blob.toString('base64')} ${comment}`
}

describe('before a move begins', () => {
  it('both servers are asked, and what stands in its way is said', async () => {
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
    answers = { 'migration.look': { ...room, free: 1e6, freeInodes: 5, modules: [] } }
    const full = (await look()).findings.filter(({ level }: { level: string }) => level === 'blocker')
    answers = {}
    expect(full.map(({ key }: { key: string }) => key)).toEqual(['disk', 'inodes'])
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

  it('a PHP that is not there, an old agent and another source are refused', async () => {
    const id = await site('php.example')
    const php = (version: string) => [{ name: 'php-fpm', version, state: 'active' as const, detail: `PHP ${version}` }]
    await recordHeartbeat(t.app.db, bergen, { ...heartbeat, services: php('8.4') }, '')
    expect((await move(id)).body.message).toContain('install 8.2 there first')
    await recordHeartbeat(t.app.db, bergen, { ...heartbeat, services: php('8.2'), operations: ['nginx.ensure'] }, '')
    expect((await move(id)).body.message).toContain('too old')
    await recordHeartbeat(t.app.db, bergen, { ...heartbeat, services: php('8.2') }, '')
    expect((await move(id, { sourceServerId: bergen })).body.fields).toEqual({ sourceServerId: 'It is not there' })
    expect((await move(id, { targetServerId: 999 })).status).toBe(404)
  })
})

describe('a move of a group', () => {
  const group = async (...domains: string[]) => {
    const ids: number[] = []
    for (const domain of domains) ids.push(await site(domain))
    const { body } = await call('POST', '/groups', { ownerId: owner, mainWebsite: ids[0], ids: ids.slice(1) })
    return { id: body.id as number, ids }
  }

  it('moves its members one after the other; one that cannot begin holds up none, and is resumed', async () => {
    const made = await group('first.example', 'second.example', 'third.example')
    await call('PATCH', `/websites/${made.ids[1]}`, { status: 'suspended' })
    await until(async () => (await website(made.ids[1]!)).status === 'suspended')
    const held = await call('POST', `/websites/${made.ids[1]}/migrate`, { targetServerId: 9999 })
    expect(held.status).toBe(404)
    await t.app.db.execute(
      "insert into resource_locks (resource, workflow_id, holder) select 'website:" +
        made.ids[1] +
        "', max(workflow_id), 'Erik' from workflows",
    )
    const { status, body } = await call('PATCH', '/groups/migrate', {
      id: made.id,
      originServerSource: oslo,
      originServerTarget: bergen,
    })
    expect([status, body.type]).toEqual([202, 'group'])
    const stopped = await comesTo(body.id, 'failed')
    expect(stopped.members.map((member: { status: string }) => member.status)).toEqual(['soaking', 'failed', 'soaking'])
    expect(stopped.reason).toBe('1 of 3 stopped: second.example')
    expect(stopped.members[1].reason).toContain('being worked on by Erik')
    await t.app.db.execute("delete from resource_locks where holder = 'Erik'")
    expect((await update(body.id, 'resume')).status).toBe(202)
    const done = await comesTo(body.id, 'soaking')
    expect(done).toMatchObject({ done: 3, count: 3, reason: null })
    expect(await website(made.ids[1]!)).toMatchObject({ status: 'suspended', serverName: 'bergen-1' })
    const path = `/websites/groups/${made.id}/migration?sourceGroupId=${made.id}&targetGroupId=-1`
    expect((await call('GET', path)).body.migrations.length).toBe(4)
    expect((await update(body.id, 'retire')).status).toBe(202)
    await comesTo(body.id, 'done')
  })

  it('says what it cannot find, in the words of the spec', async () => {
    const { status, body } = await call('GET', '/websites/groups/1/migration?sourceGroupId=-1&targetGroupId=')
    expect([status, body.message]).toEqual([422, 'No source and target groups found'])
  })
})

describe('the list of moves', () => {
  it('is filtered by what the spec names, and counts a group once', async () => {
    const list = async (query: string) => (await call('GET', `/websites/migrations?${query}`)).body
    expect((await list('type=group')).total).toBe(1)
    const all = await list('')
    expect(all.migrations.every(({ parentId }: { parentId: number | null }) => parentId === null)).toBe(true)
    const [one] = (await list('type=website&status=done')).migrations
    expect((await list(`sourceWebsiteId=${one.sourceWebsiteId}`)).total).toBe(1)
    expect((await list(`targetWebsiteId=${one.sourceWebsiteId}`)).total).toBe(1)
    expect((await list('domain=returns')).total).toBe(2)
  })
})

import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { letPass } from '../../bin/pass.ts'
import { roles } from '../../server/access/roles/tables.ts'
import { openSessions, type Sessions } from '../../server/kit/access/sessions.ts'
import { type Database, rows } from '../../server/kit/db/db.ts'
import { push } from '../../server/kit/live/live.ts'
import type { Answer } from '../innkeeper.ts'
import { until } from '../until.ts'
import { knock, pinOf } from './agent.ts'
import { type Balancer, openBalancer } from './balancer.ts'
import { type Cluster, onPostgres, openCluster, signIn } from './cluster.ts'
import { type As, call, type Ear, listen, type Node, ready, startNode } from './node.ts'

/** Limit in ms until all nodes know a change of one node. */
const SOON = 100
const ROUNDS = 9

describe('two API nodes and a worker on one PostgreSQL', onPostgres, () => {
  const ears: Ear[] = []
  let cluster: Cluster
  let database: Database
  /** A third node inside this process, for changes without a call. */
  let sessions: Sessions
  let proxy: Balancer
  let admin: string
  let agentCredential: string

  beforeAll(async () => {
    cluster = await openCluster('nodes', ['api', 'api', 'worker'])
    database = cluster.database
    sessions = await openSessions(database, 'not needed to end them')
    proxy = await openBalancer(cluster.nodes.slice(0, 2).map((node) => node.port))
    admin = await signIn(a(), 'admin')
  })
  afterEach(() => {
    for (const ear of ears.splice(0)) ear.close()
  })
  afterAll(async () => {
    await proxy?.close()
    await cluster?.close()
  })
  const a = () => cluster.nodes[0]!
  const b = () => cluster.nodes[1]!
  const ear = async (node: Node, as: As) => {
    const one = await listen(node.port, as)
    ears.push(one)
    return one
  }

  /** Number of claims that this server has made in the long lane. */
  const claimed = async () => {
    const made = sql`select coalesce(sum(call), 0)::int as n from agent_calls where lane = 'long'`
    return (await rows<{ n: number }>(database.db, made))[0]?.n ?? 0
  }
  const owner = (name: string) => ({ name, email: `${name}@example.org` })
  /** Milliseconds until the node answers this person with this status. */
  const answers = async (node: Node, as: As, status: number, since: number) => {
    for (;;) {
      const asked = performance.now()
      const answer = await call(node.port, 'GET', '/api/groups/owners', as)
      if (answer.status === status) return asked - since
      if (asked - since > 20_000) throw new Error(`${answer.status} after 20 s, not ${status}`)
    }
  }
  const told = (what: string, times: number[]) => {
    const sorted = times.toSorted((x, y) => x - y)
    const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
    console.log(`${what}: median ${median.toFixed(1)} ms, longest ${sorted.at(-1)?.toFixed(1)} ms of ${sorted.length}`)
    expect(median, what).toBeLessThan(SOON)
  }

  test('nodes that start together migrate once and create one administrator and one key', async () => {
    const migrations = await rows(database.db, sql`select hash from drizzle.__drizzle_migrations`)
    expect(new Set(migrations.map((row) => JSON.stringify(row))).size).toBe(migrations.length)
    expect(await rows(database.db, sql`select from plans`)).toHaveLength(5)
    expect(await rows(database.db, sql`select from users`)).toHaveLength(1)
    const [one, other] = await Promise.all([pinOf(a().port + 43), pinOf(b().port + 43)])
    expect(one).toBe(other)
    expect(cluster.nodes.map((node) => node.said().match(/"level":[56]0.*/g))).toEqual([null, null, null])
  })

  test('a session of one node is valid on the other, for calls and sockets', async () => {
    const through = await Promise.all(
      Array.from({ length: 20 }, () => call(proxy.port, 'GET', '/api/groups/owners', admin)),
    )
    expect(through.map((answer) => answer.status)).toEqual(through.map(() => 200))
    expect(proxy.given.every((count) => count >= 8)).toBe(true)
    expect((await ear(b(), admin)).isOpen()).toBe(true)
  })

  test('a write on one node reaches the sockets and list totals of the other', async () => {
    const [near, far] = [await ear(a(), admin), await ear(b(), admin)]
    const times: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const before = (await call(b().port, 'GET', '/api/groups/owners', admin)).body.total
      far.heard.length = near.heard.length = 0
      const { status, body } = await call(a().port, 'POST', '/api/owners', admin, owner(`told${n}`))
      const done = performance.now()
      expect(status).toBe(201)
      for (const one of [near, far]) {
        // sealing the log row sends an event too
        const ofOwners = ({ event, data }: (typeof near.heard)[number]) =>
          event === 'changed' && data.domain === 'owners'
        const hint = await until('the socket receives the event', async () => one.heard.find(ofOwners), 1)
        expect(hint.data).toMatchObject({ id: body.id })
        times.push(hint.at - done)
      }
      expect((await call(b().port, 'GET', '/api/groups/owners', admin)).body.total).toBe(before + 1)
    }
    told('from the answer of one node to the sockets of both', times)
  })

  test('a sign-out on one node ends the session on the other, sockets included', async () => {
    const person = await cluster.somebody(['website:group:read'])
    const calls: number[] = []
    const closes: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const token = await person.signIn(a())
      const open = [await ear(a(), token), await ear(b(), token)]
      for (const node of [a(), b()]) expect(await answers(node, token, 200, performance.now())).toBeLessThan(20_000)
      expect((await call(a().port, 'GET', '/api/auth/logout', token)).status).toBe(204)
      const done = performance.now()
      expect((await call(a().port, 'GET', '/api/groups/owners', token)).status).toBe(401)
      calls.push(await answers(b(), token, 401, done))
      for (const { closed } of open) {
        const { code, at } = await closed
        expect(code).toBe(4401)
        closes.push(at - done)
      }
    }
    told('from the sign-out on one node to the 401 of the other', calls)
    told('from the sign-out on one node to the end of the sockets of both', closes)
  })

  test.for([
    ['a browser', 'session'],
    ['a program', 'token'],
  ] as const)('a revocation on one node ends the calls and sockets of %s on both', async ([, kind]) => {
    const person = await cluster.somebody(['website:group:read', 'api:token:create'])
    const times: number[] = []
    for (let n = 0; n < 3; n++) {
      const session = await person.signIn(a())
      const program = { name: `Program ${n}`, scopes: ['website:group:read'] }
      const made = await call(a().port, 'POST', '/api/api-tokens', { session }, program)
      const as: As = kind === 'session' ? { session } : made.body.value
      const open = [await ear(a(), as), await ear(b(), as)]
      for (const node of [a(), b()]) expect(await answers(node, as, 200, performance.now())).toBeLessThan(20_000)
      await push(database.db, 'dialog', { kind: 'info', message: 'To the person' }, [person.id])
      await call(a().port, 'POST', '/api/owners', admin, owner(`${kind}${n}`))
      const isOwners = ({ data }: Ear['heard'][number]) => data.domain === 'owners'
      for (const { heard } of open) await expect.poll(() => heard.some(isOwners)).toBe(true)
      for (const { heard } of open) expect(heard.some(({ event }) => event === 'dialog')).toBe(kind === 'session')
      const { body } = await call(b().port, 'GET', `/api/auth/users/${person.id}/sessions`, admin)
      const ofSession = `auth/users/${person.id}/sessions/${body.items[0].id}`
      const path = kind === 'session' ? ofSession : `api-tokens/${made.body.token.id}`
      const ended = await call(b().port, 'DELETE', `/api/${path}`, admin)
      const done = performance.now()
      expect(ended.status).toBe(204)
      for (const node of [a(), b()]) times.push(await answers(node, as, 401, done))
      for (const { closed } of open) {
        const { code, at } = await closed
        expect(code).toBe(4401)
        times.push(at - done)
      }
    }
    told(`from the revocation to the end of calls and sockets of ${kind}s`, times)
  })

  test('a changed permission applies on both nodes, for calls and socket events', async () => {
    const person = await cluster.somebody(['website:group:read'])
    const token = await person.signIn(a())
    const open = [await ear(a(), token), await ear(b(), token)]
    const times: number[] = []
    const change = async (scopes: string[]) => {
      await database.db.transaction(async (tx) => {
        await tx.execute(
          sql`update roles set scopes = ${sql.param(scopes, roles.scopes)} where role_id = ${person.roleId}`,
        )
        await sessions.touch(tx, person.id)
      })
      const done = performance.now()
      for (const node of [a(), b()]) times.push(await answers(node, token, scopes.length ? 200 : 403, done))
      const heardOf = (event: string) => open.map((one) => one.heard.filter((each) => each.event === event).length)
      await expect.poll(() => heardOf('roleUpdated')).toEqual([1, 1])
      for (const one of open) one.heard.length = 0
      await call(b().port, 'POST', '/api/owners', admin, owner(`permitted${times.length}`))
      if (scopes.length) await expect.poll(() => heardOf('changed')).toEqual([1, 1])
      else await letPass(SOON, 'a wrong hint would have come by now')
      expect(heardOf('changed')).toEqual(open.map(() => (scopes.length ? 1 : 0)))
    }
    for (let n = 0; n < 4; n++) {
      await change([])
      await change(['website:group:read'])
    }
    told('from a change of permissions to the answers of both nodes', times)
  })

  test('a forced sign-out reaches the person on both nodes, and nobody else', async () => {
    const person = await cluster.somebody(['website:group:read'])
    const token = await person.signIn(b())
    const theirs = [await ear(a(), token), await ear(b(), token)]
    const other = await ear(b(), admin)
    await push(database.db, 'forceLogout', {}, [person.id])
    const pushed = performance.now()
    const times: number[] = []
    for (const one of theirs) times.push((await until('the event arrives', async () => one.heard[0], 1)).at - pushed)
    await database.db.transaction((tx) => sessions.endAll(tx, person.id))
    const ended = performance.now()
    for (const { closed } of theirs) times.push((await closed).at - ended)
    for (const node of [a(), b()]) times.push(await answers(node, token, 401, ended))
    told('from the word to the sockets of both nodes', times)
    expect(other.heard.filter(({ event }) => event !== 'changed')).toEqual([]) // the action log still sends `changed` events
    expect(other.isOpen()).toBe(true)
  })

  test('a session that ends while LISTEN is down is invalid when LISTEN returns', async () => {
    const person = await cluster.somebody(['website:group:read'])
    const token = await person.signIn(a())
    const open = [await ear(a(), token), await ear(b(), token)]
    for (const node of [a(), b()]) await answers(node, token, 200, performance.now())
    // deletes the row without a notification, as if it was lost in the gap
    await database.db.execute(sql`update sessions set revoked_at = now() where user_id = ${person.id}`)
    const lost = await rows(
      database.db,
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'innkeeper listens%'`,
    )
    expect(lost.length).toBeGreaterThanOrEqual(2)
    const done = performance.now()
    const times = [await answers(a(), token, 401, done), await answers(b(), token, 401, done)]
    const late = letPass(20_000, 'the limit of the test').then(() => ({ code: 0, at: Number.POSITIVE_INFINITY }))
    for (const { closed } of open) times.push((await Promise.race([closed, late])).at - done)
    console.log(`after a lost LISTEN, calls and sockets: ${times.map(Math.round).join(', ')} ms`)
    expect(Math.max(...times)).toBeLessThan(4000) // without the error of the connection, a beat would notice in five seconds
  })

  test('a node that reads a session while it ends does not cache it', async () => {
    const person = await cluster.somebody(['website:group:read'])
    for (let n = 0; n < 30; n++) {
      const token = await person.signIn(a())
      // many first calls to the other node meanwhile: some read the row before its end and answer after it
      const asked = Array.from({ length: 6 }, () => call(b().port, 'GET', '/api/groups/owners', token))
      expect((await call(a().port, 'GET', '/api/auth/logout', token)).status).toBe(204)
      await Promise.all(asked)
      await answers(b(), token, 401, performance.now()) // a cached session would be valid for half a minute
    }
  })

  test('agents can use either node with the same pin and credential', async () => {
    const server = await call(a().port, 'POST', '/api/cloud-management/servers', admin, { name: 'twice', type: 'web' })
    const enrolment = /--pinnedpubkey 'sha256\/\/(\S+)' -H 'Authorization: Bearer ([\w-]+)'/.exec(
      server.body.enrolment.command,
    )
    const [, pin, token] = enrolment ?? []
    expect(await pinOf(b().port + 43)).toBe(pin)
    agentCredential = 'a-credential-that-is-long-enough-to-be-one'
    const hello = { token, credential: agentCredential, hostname: 'twice' }
    expect((await knock(b().port + 43, '/agent/enrol', '', hello)).status).toBe(200)
    for (const node of [a(), b()]) {
      const { status, body } = await knock(
        node.port + 43,
        '/agent/claim',
        agentCredential,
        { lane: 'read', free: 1 },
        300,
      )
      expect([status, body]).toEqual([0, undefined]) // the call waits for work, so the credential is valid
    }
    expect((await knock(a().port + 43, '/agent/claim', `${agentCredential}!`, { lane: 'read', free: 1 })).status).toBe(
      401,
    )
    // pending work is claimed once, on either node
    const claims = await Promise.all(
      [a(), b(), a(), b()].map((node) =>
        knock(node.port + 43, '/agent/claim', agentCredential, { lane: 'long', free: 1 }, 4000),
      ),
    )
    const ops = claims.flatMap(({ body }) => body?.ops ?? [])
    expect(ops).toHaveLength(1)
    const [{ id, attempt }] = ops
    const report = { held: [], chunks: [], answers: [{ id, attempt, status: 'failed', reason: 'only a test' }] }
    const accepted = await Promise.all(
      [a(), b()].map((n) => knock(n.port + 43, '/agent/report', agentCredential, report)),
    )
    expect(accepted.flatMap(({ body }) => body.accepted)).toEqual([id])
  })

  test('a dead claim call on one node does not take work from the agent that returned on the other', async () => {
    const claims = (node: Node) =>
      knock(node.port + 43, '/agent/claim', agentCredential, { lane: 'long', free: 2, held: [] }, 6000)
    const [action] = await rows<{ id: number; workflowId: number }>(
      database.db,
      sql`select action_id::float8 as id, workflow_id as "workflowId" from actions where status = 'failed'`,
    )
    const retry = `/api/workflows/${action?.workflowId}/actions/${action?.id}`
    const dead: Promise<Answer>[] = []
    const times: number[] = []
    for (let n = 0; n < ROUNDS; n++) {
      const before = await claimed()
      dead.push(claims(a())) // the host is dead, and the node does not know
      await expect.poll(claimed).toBe(before + 1)
      const alive = claims(b())
      await expect.poll(claimed).toBe(before + 2)
      const asked = performance.now()
      expect((await call(a().port, 'PATCH', retry, admin, { actionType: 'retry' })).status).toBe(200)
      const { ops } = (await alive).body
      times.push(performance.now() - asked)
      expect(ops).toMatchObject([{ id: action?.id }])
      const answers = [{ id: ops[0].id, attempt: ops[0].attempt, status: 'failed', reason: 'only a test' }]
      await knock(b().port + 43, '/agent/report', agentCredential, { held: [], chunks: [], answers })
    }
    told('from the word to the host that is back', times)
    for (const { body } of await Promise.all(dead)) expect(body.ops).toEqual([]) // superseded by a newer call
  })

  test('a node killed under load loses no acknowledged write, and the other continues', async () => {
    const acknowledged: string[] = []
    let failed = 0
    let stop = false
    const writers = Array.from({ length: 6 }, async (_, w) => {
      for (let n = 0; !stop; n++) {
        const name = `load${w}x${n}`
        const answer = await call(proxy.port, 'POST', '/api/owners', admin, owner(name)).catch(() => undefined) // killed
        if (answer?.status === 201) acknowledged.push(name)
        else failed += 1
      }
    })
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20)
    const before = acknowledged.length
    await a().signal('SIGKILL')
    await expect.poll(() => acknowledged.length).toBeGreaterThan(before + 20)
    stop = true
    await Promise.all(writers)
    const found = await rows<{ name: string; logged: number }>(
      database.db,
      sql`select name, (select count(*)::int from action_logs l where l.result = 'success' and l.after->>'name' = o.name) as logged
        from owners o where name like 'load%'`,
    )
    const there = new Map(found.map((row) => [row.name, row.logged]))
    console.log(
      `${before} acknowledged before the kill, ${acknowledged.length - before} after it, ${failed} unanswered`,
    )
    expect(before).toBeGreaterThan(20)
    expect(acknowledged.length).toBeGreaterThan(before + 20)
    expect(failed).toBeLessThanOrEqual(6) // requests in flight on the killed node
    expect(acknowledged.filter((name) => there.get(name) !== 1)).toEqual([])
    expect(found.filter((row) => row.logged !== 1)).toEqual([])
    expect(found).toHaveLength(there.size)
    cluster.nodes[0] = await startNode('api', cluster.env, a().port)
    await ready(a())
    expect((await call(a().port, 'GET', '/api/groups/owners', admin)).status).toBe(200)
  })

  test('a node that receives SIGTERM completes its requests, closes its sockets and exits within 2 s', async () => {
    const socket = await ear(a(), admin)
    const waiting = knock(a().port + 43, '/agent/claim', agentCredential, { lane: 'short', free: 1 })
    let release = () => {}
    let locked = () => {}
    const isLocked = new Promise<void>((resolve) => {
      locked = resolve
    })
    const held = database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table owners in exclusive mode`)
      locked()
      await new Promise<void>((resolve) => {
        release = resolve
      })
    })
    await isLocked
    const inFlight = Array.from({ length: 4 }, (_, n) =>
      call(a().port, 'POST', '/api/owners', admin, owner(`drained${n}`)).catch((error: Error) => error.message),
    )
    await until('the requests wait for the lock', async () => {
      const waits = await rows(
        database.db,
        sql`select from pg_locks where not granted and relation = 'owners'::regclass`,
      )
      return waits.length === 4
    })
    const stopping = a().signal('SIGTERM')
    await letPass(400, 'the node stops while its calls wait')
    release()
    await held
    const answered = await Promise.all(inFlight)
    const { code, ms } = await stopping
    console.log(`SIGTERM: ended with ${code} after ${Math.round(ms)} ms`)
    expect(answered.map((answer) => (typeof answer === 'string' ? answer : answer.status))).toEqual([
      201, 201, 201, 201,
    ])
    expect((await socket.closed).code).toBe(1001)
    expect(code).toBe(0)
    expect(ms).toBeLessThan(2000)
    expect(await waiting).toMatchObject({ status: 200, body: { ops: [] } })
    expect((await call(proxy.port, 'GET', '/api/groups/owners', admin)).status).toBe(200)
    const worker = await cluster.nodes[2]!.signal('SIGTERM')
    expect(worker).toMatchObject({ code: 0 })
    expect(worker.ms).toBeLessThan(2000)
  })
})

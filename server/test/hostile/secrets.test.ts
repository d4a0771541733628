import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type AgentsDoor, openAgentsDoor } from '../../kit/agents/door.ts'
import { openLog } from '../../kit/app/log.ts'
import { rows } from '../../kit/db/db.ts'
import { agentRegistry } from '../../machines/servers/agents/registry.ts'
import { type Faults, faultsOf } from './faults.ts'
import { openWorld, type World } from './world/world.ts'

const lines: string[] = []
const answers: string[] = []
/** Secrets by name. The test sends each of them to the server; afterwards only its own column may contain it. */
const planted: Record<string, string> = {
  'a right password': 'password of keeper',
  'a wrong password': 'planted-wrong-password-7351',
  'an agent’s credential': 'planted-agent-credential-7351-long-enough-for-one',
  'a guessed credential': 'planted-foreign-credential-7351-long-enough-for-it',
  'a guessed enrolment': 'planted-foreign-enrolment-7351',
  'a guessed token': 'planted.foreign.token-7351',
}
let w: World
let door: AgentsDoor
let faults: Faults
beforeAll(async () => {
  w = await openWorld(openLog('debug', { write: (line: string) => void lines.push(line) }))
  await w.app.db.execute(sql`delete from passkeys`) // the password alone signs in
  Object.assign(w.app.settings, { host: '127.0.0.1', agentHost: '127.0.0.1', agentPort: 0 })
  door = await openAgentsDoor(w.app, agentRegistry)
  await w.http.listen({ port: 0, host: '127.0.0.1' })
  faults = faultsOf(w.app.database)
})
afterAll(async () => {
  faults.stop()
  await door.close()
  await w.close()
})

async function call(method: 'GET' | 'POST' | 'PATCH', path: string, token?: string, body?: unknown, keep = true) {
  const answer = await w.call(method, path, { ...(token && { token }), ...(body !== undefined && { body }) })
  if (keep) answers.push(JSON.stringify(answer.body))
  return answer
}
/** Sends a request as an agent does. */
function knock(path: string, more: { body?: unknown; as?: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(more.as && { authorization: `Bearer ${more.as}` }) }
    const method = more.body === undefined ? 'GET' : 'POST'
    const sent = request({ port: door.port, path, method, headers, rejectUnauthorized: false }, (answer) => {
      let text = ''
      answer.on('data', (bytes) => {
        text += String(bytes)
      })
      answer.on('end', () => {
        if (path !== '/enrol') answers.push(text) // the script contains its own token
        resolve(answer.statusCode ?? 0)
      })
    })
    sent.on('error', reject)
    sent.end(more.body === undefined ? undefined : JSON.stringify(more.body))
  })
}

/** Runs `work` unchanged, and with each of its first statements failing. */
async function inEveryWay(work: () => Promise<unknown>): Promise<void> {
  for (let n = 1; n <= 8; n++) {
    await faults.during(n, work)
    await w.app.db.execute(sql`delete from sign_in_attempts`)
  }
  await work()
}

describe('a secret', () => {
  it('is sent to the server by every route', async () => {
    const signIn = (password: string) => call('POST', '/api/auth/token', undefined, { user: 'keeper', password }, false)
    await inEveryWay(() => signIn(planted['a right password']!))
    await inEveryWay(() => signIn(planted['a wrong password']!))
    await call('POST', '/api/auth/token', undefined, { user: ['x'], password: planted['a wrong password'] })
    await call('POST', '/api/auth/token', undefined, { user: { password: planted['a wrong password'] } })
    await w.http.inject({
      method: 'POST',
      url: '/api/auth/token',
      headers: { 'content-type': 'application/json' },
      payload: `{"user":"keeper","password":"${planted['a wrong password']}`,
    })
    const { token } = (await signIn(planted['a right password']!)).body as { token: string }
    planted['a session’s token'] = token
    planted['its signature'] = token.split('.')[2]!
    for (const given of [token, planted['a guessed token']!]) {
      await inEveryWay(() => call('GET', '/api/websites', given))
      await inEveryWay(() => call('PATCH', '/api/websites/1', given, { status: 'nonsense' }))
      await call('GET', `/api/websites?jwt=${given}&token=${given}`, given)
      await call('GET', `/api/no/such/call?jwt=${given}`, given)
      const { port } = w.http.server.address() as AddressInfo // the server listens on a TCP port
      // over the port: `inject` adds a listener to the ten that sending index.html needs, and Node warns of a leak
      await (await fetch(`http://127.0.0.1:${port}/ws?jwt=${given}`)).text()
      await new Promise((resolve) => {
        const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?jwt=${given}`)
        socket.on('open', () => socket.close())
        socket.on('close', resolve)
        socket.on('error', () => {}) // refused: closed right after the handshake
      })
    }
    const enrolment = () => call('POST', '/api/cloud-management/servers/3/enrolment', w.admin, {}, false)
    await inEveryWay(enrolment)
    const command = ((await enrolment()).body as { command: string }).command
    planted['an enrolment'] = /Bearer ([\w-]+)/.exec(command)![1]!
    planted['a server’s credential'] = 'credential-of-web-1-long-enough-for-one'
    const { 'an enrolment': good, 'an agent’s credential': credential } = planted
    for (const body of [
      { token: planted['a guessed enrolment'], credential: planted['a guessed credential'] },
      // another server's credential: the unique index refuses it, with its value in the error
      { token: good, credential: planted['a server’s credential'] },
      { token: [good], credential: { credential } },
      { token: good, credential },
    ])
      await inEveryWay(() => knock('/agent/enrol', { body: { ...body, hostname: 'empty-1' } }))
    for (const as of [credential!, planted['a guessed credential']!]) {
      await inEveryWay(() => knock('/agent/heartbeat', { as, body: { nonsense: as } }))
      await inEveryWay(() => knock('/agent/report', { as, body: { held: [], chunks: [], answers: [] } }))
    }
    await inEveryWay(() => knock('/enrol', { as: good }))
    await inEveryWay(() => knock('/enrol', { as: planted['a guessed enrolment']! }))
    expect(await knock('/agent/heartbeat', { as: credential!, body: {} })).toBe(400) // it is enrolled
  })
  it('includes values of failed statements, which are not logged', async () => {
    const person = { name: 'Planted 7351', email: 'planted7351@example.org' }
    await inEveryWay(() => call('POST', '/api/owners', w.admin, person))
    expect(lines.filter((line) => /planted7351/i.test(line)).map((line) => line.slice(0, 400))).toEqual([])
  })
  it('was really used: there are calls, failures and log rows', async () => {
    expect(lines.filter((line) => line.includes('chosen to fail')).length).toBeGreaterThan(20)
    expect(lines.some((line) => line.includes('"url":"/api/auth/token"'))).toBe(true)
    expect(await logRows()).toContain('token')
  })
  const names = [...Object.keys(planted), 'a session’s token', 'its signature', 'an enrolment', 'a server’s credential']
  it.each(names)('appears in no log line, log row or answer: %s', async (name) => {
    const value = planted[name]!
    expect(value.length, 'it was planted').toBeGreaterThan(8)
    expect(lines.filter((line) => line.includes(value)).map((line) => line.slice(0, 400))).toEqual([])
    expect(answers.filter((text) => text.includes(value)).map((text) => text.slice(0, 400))).toEqual([])
    expect(await logRows()).not.toContain(value)
  })
  it.each(names)('is in no table in plain text: %s', async (name) => {
    const tables = await rows<{ name: string }>(
      w.app.db,
      sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const table of tables) {
      const held = sql`select 1 from ${sql.identifier(table.name)} t where position(${planted[name]!} in t::text) > 0`
      expect(await rows(w.app.db, held), table.name).toEqual([])
    }
  })
  async function logRows(): Promise<string> {
    const [row] = await rows<{ all: string }>(
      w.app.db,
      sql`select string_agg(t::text, chr(10)) as all from action_logs t`,
    )
    return row?.all ?? ''
  }
})

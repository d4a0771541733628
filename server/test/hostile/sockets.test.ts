import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { contract } from '@innkeeper/contract/index'
import { sql } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { letPass } from '../../../bin/pass.ts'
import { changed, MOST, push } from '../../kit/live/live.ts'
import { readScopes, rowScopes } from '../../registry.ts'
import { openTestApp, type TestApp } from '../app.ts'
import { calls } from './calls.ts'
import { faultsOf } from './faults.ts'

let t: TestApp
let port: number
let admin: string
const open: WebSocket[] = []
beforeAll(async () => {
  t = await openTestApp()
  await t.http.listen({ port: 0, host: '127.0.0.1' })
  port = (t.http.server.address() as AddressInfo).port // the server listens on a TCP port
  admin = (await t.somebody('admin')).token
})
afterEach(() => {
  for (const socket of open.splice(0)) socket.terminate()
})
afterAll(() => t.close())

interface Peer {
  socket: WebSocket
  heard: { event: string; data: unknown }[]
  closed: Promise<number>
}
/** Number of open sockets. */
async function count(): Promise<number> {
  const { body } = await t.http.inject('/metrics')
  return Number(/^innkeeper_sockets (\d+)$/m.exec(body)?.[1])
}
/** Opens a socket; returns the socket, or the HTTP status of the refusal. */
async function knock(
  path: string,
  headers: Record<string, string> = {},
  protocols: string[] = [],
): Promise<Peer | number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, { headers })
  open.push(socket)
  const heard: Peer['heard'] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Peer['heard'][number])) // from push
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  return new Promise((resolve) => {
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.on('error', () => resolve(0))
    socket.on('open', () => resolve({ socket, heard, closed }))
  })
}
async function peer(token: string): Promise<Peer> {
  const answer = await knock(`/ws?jwt=${token}`)
  if (typeof answer === 'number') throw new Error(`refused with ${answer}`)
  return answer
}
/** Runs `act` and returns the code with which the socket closes. */
async function closing({ closed }: Peer, act: () => Promise<unknown>): Promise<{ code: number }> {
  await act()
  return { code: await closed }
}
/** Waits until all earlier messages have arrived. */
async function settled(...peers: Peer[]): Promise<void> {
  const title = crypto.randomUUID()
  await push(t.app.db, 'notification', { level: 'info', title, body: '', date: '2026-11-21' })
  for (const { heard } of peers)
    await expect.poll(() => heard.some(({ data }) => (data as { title?: string }).title === title)).toBe(true)
}

describe('a socket', () => {
  it('opens with a valid token, with Innkeeper’s own Origin or without Origin', async () => {
    expect(await knock(`/ws?jwt=${admin}`)).toBeTypeOf('object')
    expect(await knock(`/ws?jwt=${admin}`, { origin: `http://127.0.0.1:${port}` })).toBeTypeOf('object')
  })
  it('accepts the token as a subprotocol, and does not send the token back', async () => {
    const offered = (...protocols: string[]) => knock('/ws', {}, protocols)
    const opened = await offered('innkeeper', admin)
    expect(typeof opened === 'object' && opened.socket.protocol).toBe('innkeeper')
    expect(await offered('innkeeper')).toBe(401)
    expect(await offered('innkeeper', 'nonsense')).toBe(401)
    expect(await offered(admin)).toBe(401)
    expect(await offered(admin, 'innkeeper')).toBe(401)
  })
  it('answers 403 to somebody who must set a password, and closes when a second factor becomes required', async () => {
    const { id, token } = await t.somebody([])
    await t.app.db.execute(sql`update users set must_change_password = true where user_id = ${id}`)
    expect(await knock(`/ws?jwt=${token}`)).toBe(403)
    const member = await t.somebody([])
    const theirs = await peer(member.token)
    await t.app.db.execute(sql`update roles set requires_second_factor = true
      where role_id = (select role_id from users where user_id = ${member.id})`)
    const { code } = await closing(theirs, () => t.app.sessions.touch(t.app.db, member.id))
    expect(code).toBe(4401)
  })
  it.each([
    ['no token', '/ws'],
    ['an empty one', '/ws?jwt='],
    ['nonsense', '/ws?jwt=nonsense'],
    ['another name for it', '/ws?token=GOOD'],
    ['it in other case', '/ws?JWT=GOOD'],
    ['two, the first bad', '/ws?jwt=x&jwt=GOOD'],
    ['it cut', '/ws?jwt=GOO'],
    ['it padded', '/ws?jwt=GOOD='],
    ['a blank before it', '/ws?jwt=%20GOOD'],
    ['bytes that are no text', '/ws?jwt=%ff%fe'],
    ['8 kB of it', `/ws?jwt=${'A'.repeat(8000)}`],
    ['an escape that is none', '/ws?jwt=%'],
  ])('answers 401 to %s', async (_, path) => {
    expect(await knock(path.replace('GOOD', admin).replace('GOO', admin.slice(0, -1)))).toBe(401)
  })
  it('accepts no token from a header', async () => {
    expect(await knock('/ws', { authorization: `Bearer ${admin}` })).toBe(401)
    expect(await knock('/ws', { cookie: `jwt=${admin}` })).toBe(401)
  })
  it.each([
    ...['http://evil.example', 'null', 'https://127.0.0.1', 'http://127.0.0.1:1', 'http://127.0.0.1.evil.example:PORT'],
    ...['http://127.0.0.1:PORT@evil.example', 'http://evil.example#127.0.0.1:PORT', 'file://', 'nonsense', 'http://'],
    ...['http://evil.example/127.0.0.1:PORT', 'http://localhost:PORT'],
  ])('answers 403 to the Origin %s', async (origin) => {
    expect(await knock(`/ws?jwt=${admin}`, { origin: origin.replace('PORT', String(port)) })).toBe(403)
  })
  it('answers 401 if the session expired or ended, or its person was deleted', async () => {
    for (const gone of [
      sql`update sessions set expires_at = now() - interval '1 second' where user_id = `,
      sql`update sessions set revoked_at = now() where user_id = `,
      sql`update users set deleted_at = now() where user_id = `,
    ]) {
      const { id, token } = await t.somebody([])
      await t.app.db.execute(sql`${gone}${id}`)
      expect(await knock(`/ws?jwt=${token}`)).toBe(401)
    }
  })
  it.each([
    '/wss',
    '/ws/',
    '/ws/x',
    '//ws',
    '/WS',
    '/ws%3f',
    '/api/ws',
    '/',
    '/api/websites',
    '/%77s',
  ])('opens on no other path: %s', async (path) => {
    expect(await knock(`${path}?jwt=${admin}`)).toBeTypeOf('number')
  })
  it.each([
    [
      'an absolute address',
      (p: number) =>
        `GET http://127.0.0.1:${p}/ws?jwt=TOKEN HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    ],
    [
      'no key',
      () =>
        'GET /ws?jwt=TOKEN HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n',
    ],
    [
      'another version',
      () =>
        'GET /ws?jwt=TOKEN HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 99\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ],
    ['another protocol', () => 'GET /ws?jwt=TOKEN HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
    [
      'a POST',
      () =>
        'POST /ws?jwt=TOKEN HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
    ],
    [
      'an end in the middle',
      () => 'GET /ws?jwt=TOKEN HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
  ])('is not opened by %s, and the server survives', async (_, request) => {
    const raw = connect(port, '127.0.0.1')
    let said = ''
    raw.on('data', (bytes) => {
      said += String(bytes)
    })
    raw.on('error', () => {}) // a broken connection is a refusal too
    raw.write(request(port).replace('TOKEN', admin))
    await Promise.race([once(raw, 'close'), letPass(500, 'an open socket would have been announced by now')])
    raw.destroy()
    expect(said).not.toContain(' 101 ')
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })
})

describe('an open socket', () => {
  it('closes when its session ends; others stay open', async () => {
    const [mine, other] = [await t.somebody([]), await t.somebody([])]
    const [socket, stays] = [await peer(mine.token), await peer(other.token)]
    const { code } = await closing(socket, () => t.call('GET', '/api/auth/logout', { token: mine.token }))
    expect(code).toBe(4401)
    expect(stays.socket.readyState).toBe(WebSocket.OPEN)
  })
  it('closes with all sockets of its person', async () => {
    const { id, token } = await t.somebody([])
    const sockets = [await peer(token), await peer(token)]
    await t.app.sessions.endAll(t.app.db, id)
    expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual([4401, 4401])
  })
  it('receives nothing after its session’s expiry, and closes', async () => {
    const { id, token } = await t.somebody('admin')
    await t.app.db.execute(sql`update sessions set expires_at = now() + interval '1 hour' where user_id = ${id}`)
    const short = await peer(token)
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_601_000)
    try {
      const { code } = await closing(short, () => changed(t.app.db, 'websites', 1))
      expect(code).toBe(4401)
      expect(short.heard).toEqual([])
    } finally {
      later.mockRestore()
    }
  })
  it('receives more or fewer domains after a change of rights', async () => {
    const { id, token } = await t.somebody(['website:website:read'])
    const socket = await peer(token)
    const grant = async (scopes: string) => {
      await t.app.db.execute(
        sql`update roles set scopes = ${scopes}::text[] where role_id = (select role_id from users where user_id = ${id})`,
      )
      // after the listeners of the sockets, which were added first
      const heard = new Promise<void>((resolve) => t.app.sessions.onChange(() => resolve()))
      await t.app.sessions.touch(t.app.db, id)
      await heard
    }
    await changed(t.app.db, 'websites', 1)
    await settled(socket) // messages of two channels can arrive in any order
    await grant('{}')
    await changed(t.app.db, 'websites', 2)
    await settled(socket)
    await grant('{website:website:read}')
    await changed(t.app.db, 'websites', 3)
    await settled(socket)
    const ids = socket.heard.filter(({ event }) => event === 'changed').map(({ data }) => (data as { id: number }).id)
    expect(ids).toEqual([1, 3])
  })
  it('receives hints of a domain only with a scope that reads the domain', async () => {
    const none = await peer(
      (await t.somebody(['website:website:write', '*', 'website:*:read', 'WEBSITE:WEBSITE:READ'])).token,
    )
    const all = await peer(admin)
    for (const domain of [...Object.keys(contract), 'nobody-knows', 'constructor']) await changed(t.app.db, domain, 7)
    await settled(none, all)
    const forAll = Object.keys(contract).filter((domain) => readScopes.get(domain)?.length === 0)
    expect(none.heard.filter(({ event }) => event === 'changed')).toEqual(
      forAll.map((domain) => ({ event: 'changed', data: rowScopes.has(domain) ? { domain } : { domain, id: 7 } })),
    )
    expect(
      all.heard.filter(({ event }) => event === 'changed').map(({ data }) => (data as { domain: string }).domain),
    ).toEqual([...Object.keys(contract), 'nobody-knows', 'constructor'])
  })
  it.each(
    calls.filter(({ name, scopes }) => name.endsWith('.list') && scopes.length === 1),
  )('receives hints of the domain of $name with the scope of that list', async ({ name, scopes }) => {
    const domain = name.split('.')[0]!
    const one = await peer((await t.somebody(scopes)).token)
    await changed(t.app.db, domain, 7)
    await settled(one)
    const seesAll = rowScopes.get(domain)?.some((scope) => scopes.includes(scope)) ?? true
    expect(one.heard).toContainEqual({ event: 'changed', data: seesAll ? { domain, id: 7 } : { domain } })
  })
  it('receives ids of rows only if every row is theirs to read', async () => {
    const limited = await peer((await t.somebody(['qa:chat:read'])).token)
    const manager = await peer((await t.somebody(['qa:chat:read', 'qa:manager:access'])).token)
    await changed(t.app.db, 'qc', 7)
    await settled(limited, manager)
    const hints = [limited, manager].map(({ heard }) => heard.find(({ event }) => event === 'changed')?.data)
    expect(hints).toEqual([{ domain: 'qc' }, { domain: 'qc', id: 7 }])
  })
  it('receives nothing addressed to others', async () => {
    const [me, you] = [await t.somebody([]), await t.somebody('admin')]
    const [mine, yours] = [await peer(me.token), await peer(you.token)]
    await push(t.app.db, 'dialog', { kind: 'info', message: 'for me' }, [me.id])
    await push(t.app.db, 'forceLogout', {}, [])
    await settled(mine, yours)
    expect(mine.heard.map(({ event }) => event)).toEqual(['dialog', 'notification'])
    expect(yours.heard.map(({ event }) => event)).toEqual(['notification'])
  })
})

describe('a flood', () => {
  it.each([5000, 1_000_000])('of one message of %i bytes closes the socket with 1009', async (size) => {
    const { socket, closed } = await peer(admin)
    socket.on('error', () => {}) // the server may close during the transmission
    socket.send('x'.repeat(size))
    expect([1009, 1006]).toContain(await closed)
  })
  it('of small messages or pings closes the socket; others stay open', async () => {
    const other = await peer(admin)
    for (const send of ['send', 'ping'] as const) {
      const flooding = await peer(admin)
      flooding.socket.on('error', () => {}) // as above
      for (let n = 0; n < 5000 && flooding.socket.readyState === WebSocket.OPEN; n++) flooding.socket[send]('x')
      expect([1008, 1006]).toContain(await flooding.closed)
    }
    await settled(other)
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
  })
  it('of a few invalid messages changes nothing', async () => {
    const one = await peer(admin)
    for (const text of ['', '{', 'null', '[]', '{"event":"changed","data":{"domain":"websites"}}', '\0'])
      one.socket.send(text)
    one.socket.send(Buffer.from([0xff, 0xfe]))
    await settled(one)
    expect(one.heard).toHaveLength(1)
  })
  it(`of sockets of one person closes the oldest beyond ${MOST} with 4429, and nobody else’s`, async () => {
    const [greedy, other] = [await t.somebody([]), await peer(admin)]
    const first = [await peer(greedy.token), await peer(greedy.token)]
    const rest: Peer[] = []
    for (let n = 2; n < MOST; n++) rest.push(await peer(greedy.token))
    expect(first.map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN])
    await peer(greedy.token)
    expect(await first[0]!.closed).toBe(4429)
    await peer(greedy.token)
    expect(await first[1]!.closed).toBe(4429)
    await settled(other, ...rest)
    rest[0]!.socket.close()
    await rest[0]!.closed
    await expect.poll(() => peer(greedy.token).then(({ socket }) => socket.readyState)).toBe(WebSocket.OPEN)
    expect(rest.slice(1).filter(({ socket }) => socket.readyState !== WebSocket.OPEN)).toEqual([])
  })
  it('of messages to a client that does not read disconnects that client only', async () => {
    const { id, token } = await t.somebody([])
    const [slow, other] = [await peer(token), await peer(token)]
    slow.socket.on('error', () => {}) // it is cut off
    slow.socket.pause()
    const before = await count()
    const message = 'x'.repeat(7000) // the maximum of a NOTIFY
    for (let n = 0; n < 1500; n++) {
      await push(t.app.db, 'dialog', { kind: 'info', message }, [id])
      await new Promise((resolve) => setImmediate(resolve)) // PGlite blocks the event loop
    }
    await expect.poll(count).toBe(before - 1)
    // a NOTIFY arrives after its commit, so the last one may be on its way
    await expect.poll(() => other.heard.filter(({ event }) => event === 'dialog').length).toBe(1500)
    await settled(other)
    expect(other.socket.readyState).toBe(WebSocket.OPEN)
  })
})

describe('without a database', () => {
  it('an unknown token answers 503, and an invalid one is refused', async () => {
    const { token } = await t.somebody([])
    const faults = faultsOf(t.app.database)
    try {
      for (let n = 1; n <= 2; n++) {
        const [status] = await faults.during(n, () => knock(`/ws?jwt=${token}`))
        expect([503, 'open']).toContain(typeof status === 'number' ? status : 'open')
        if (n === 1) expect(status).toBe(503)
      }
      const [bad] = await faults.during(1, () => knock('/ws?jwt=nonsense'))
      expect(bad).toBe(401)
    } finally {
      faults.stop()
    }
    expect(await knock(`/ws?jwt=${token}`)).toBeTypeOf('object')
  })
})

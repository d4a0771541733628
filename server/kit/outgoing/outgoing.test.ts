import type { lookup } from 'node:dns'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createPlain } from 'node:net'
import { gzipSync } from 'node:zlib'
import { addressIn } from '@innkeeper/contract/reach'
import { afterAll, expect, it } from 'vitest'
import { NotReached } from './notReached.ts'
import { reachOf } from './reach.ts'
import { connectTo, send } from './send.ts'

const logged: { host: string; err: Error }[] = []
const log = { warn: (about: object) => void logged.push(about as { host: string; err: Error }) }
const reach = (privateTargets: string[] = ['127.0.0.0/8'], port = 0) =>
  reachOf({ settings: { privateTargets, port, agentPort: 0, previewPort: 0 }, log })
const open: { close(): unknown }[] = []
afterAll(() => {
  for (const one of open) one.close()
})

async function serving(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener)
  open.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}
const get = (url: string, { to = reach(), mostBytes = 1000, patienceMs = 2000 } = {}) =>
  send(to, { url: new URL(url), method: 'GET', patienceMs, mostBytes })
const wrong = (asking: Promise<unknown>) =>
  asking.then(
    () => 'answered',
    (error: unknown) => (error instanceof NotReached ? error.message : String(error)),
  )
const ALIKE = 'no usable answer from this address'

it.each([
  ...['169.254.169.254', '127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '10.0.0.1', '192.168.1.1', '172.16.0.1'],
  ...['100.64.0.1', '0.0.0.0', '224.0.0.1', '255.255.255.255', '[::1]', '[::]', '[::ffff:169.254.169.254]'],
  ...['[::ffff:7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::7f00:1]', '[fe80::1]', '[fd00:ec2::254]', '[fc00::1]'],
  ...['[2002:7f00:1::]', '[2001:0:7f00:1::]', '[::127.0.0.1]', '[ff02::1]', 'localhost', 'user:word@127.0.0.1'],
])('connects to no inner address: %s', async (host) => {
  logged.length = 0
  expect(await wrong(get(`http://${host}/`, { to: reach([]) }))).toBe(ALIKE)
  expect(String(logged[0]?.err.message)).toMatch(/not a public address|never asked/)
})

it('reaches what the operator allows, and never the addresses where clouds keep secrets, nor its own ports', async () => {
  const port = await serving((_, answer) => answer.end('hello'))
  expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 200, text: 'hello' })
  expect(await get(`http://localhost:${port}/`, { to: reach(['127.0.0.0/8', '::1']) })).toMatchObject({ text: 'hello' })
  expect(await wrong(get('http://169.254.169.254/', { to: reach(['0.0.0.0/0', '::/0']) }))).toBe(ALIKE)
  expect(await wrong(get(`http://127.0.0.1:${port}/`, { to: reach(['127.0.0.0/8'], port) }))).toBe(ALIKE)
})

it('says the same of a closed port, a silent one, another protocol and a refused address', async () => {
  const closed = await serving(() => {})
  ;(open.pop() as { close(): unknown }).close()
  const silent = createPlain(() => {})
  const chatty = createPlain((socket) => socket.on('error', () => {}).end('220 mail.example.org ESMTP\r\n'))
  for (const server of [silent, chatty]) {
    open.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  }
  const ports = [closed, ...[silent, chatty].map((server) => (server.address() as AddressInfo).port)]
  const said = await Promise.all([
    ...ports.map((port) => wrong(get(`http://127.0.0.1:${port}/`, { patienceMs: 300 }))),
    wrong(get('https://127.0.0.1:1/')),
    wrong(get('http://10.255.255.1/')),
    wrong(get('http://no-such-name.invalid/')),
  ])
  expect(new Set(said)).toEqual(new Set([ALIKE]))
})

it('connects to the address that was judged, whatever the name means a moment later', async () => {
  let reached = 0
  const port = await serving((_, answer) => {
    reached++
    answer.end('inner')
  })
  const answers = ['8.8.8.8', '127.0.0.1', '127.0.0.1']
  let asked = 0
  const resolve = ((_host: string, _options: object, answer: (error: null, found: object[]) => void) =>
    answer(null, [{ address: answers[asked++], family: 4 }])) as typeof lookup
  const to = reachOf({ settings: { privateTargets: [], port: 0, agentPort: 0, previewPort: 0 }, log, resolve })
  expect(await wrong(get(`http://rebind.example:${port}/`, { to, patienceMs: 300 }))).toBe(ALIKE)
  expect(asked).toBe(1)
  expect(await wrong(get(`http://rebind.example:${port}/`, { to, patienceMs: 300 }))).toBe(ALIKE)
  expect(reached).toBe(0)
})

it('follows no redirect to an inner address', async () => {
  const port = await serving((_, answer) => answer.writeHead(302, { location: 'http://169.254.169.254/latest' }).end())
  expect(await get(`http://127.0.0.1:${port}/`)).toMatchObject({ status: 302 })
})

it.each<[string, RequestListener]>([
  ['an endless answer', (_, answer) => void setInterval(() => answer.write('x'.repeat(500)), 1).unref()],
  [
    'a packed answer that unpacks to a hundred megabytes',
    (_, answer) => answer.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(100_000_000))),
  ],
  ['a slow drip', (_, answer) => void setInterval(() => answer.write('x'), 50).unref()],
  ['an unknown packing', (_, answer) => answer.setHeader('content-encoding', 'lzma').end('x')],
])('bounds %s', async (_, listener) => {
  const port = await serving(listener)
  expect(await wrong(get(`http://127.0.0.1:${port}/`, { patienceMs: 1000 }))).toBe(ALIKE)
})

it('judges the addresses of sockets too, and reads IPv4 within IPv6', async () => {
  expect(() => connectTo(reach([]), { host: '127.0.0.1', port: 5222 })).toThrow(NotReached)
  const socket = connectTo(reach([]), { host: 'localhost', port: 5222 })
  expect(await new Promise((done) => socket.on('error', done))).toBeInstanceOf(NotReached)
  expect(addressIn('::ffff:169.254.169.254')?.text).toBe('169.254.169.254')
  expect(addressIn('64:ff9b::a9fe:a9fe')?.text).toBe('169.254.169.254')
  expect(addressIn('2606:4700::1111')?.text).toBe('2606:4700::1111')
})

import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type WebSocket as Peer, WebSocketServer } from 'ws'
import { letPass } from '../../../bin/pass.ts'
import { keepSocket, pause } from './socket.ts'

let close: (() => void)[] = []
afterEach(() => {
  for (const end of close) end()
  close = []
})

async function serve() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  close.push(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const next = async (): Promise<Peer> => (await once(server, 'connection'))[0]
  return { url: `ws://127.0.0.1:${address.port}`, next }
}
const events = (url: string | undefined) => ({
  address: () => (url === undefined ? undefined : { url }),
  message: vi.fn(),
  caughtUp: vi.fn(),
  ended: vi.fn(async () => {}),
})
const keep = (heard: ReturnType<typeof events>) => {
  const kept = keepSocket(heard)
  close.push(kept.close)
  return kept
}

test('pauses double up to half a minute, with jitter', () => {
  expect([1, 2, 3, 20].map((n) => pause(n, 1))).toEqual([500, 1000, 2000, 30_000])
  expect(pause(1, 0)).toBe(250)
})

test('without a session nothing is opened', () => {
  const open = vi.fn()
  keepSocket(events(undefined), open).close()
  expect(open).not.toHaveBeenCalled()
})

test('messages arrive; after a gap the page catches up', async () => {
  const { url, next } = await serve()
  const heard = events(url)
  const first = next()
  keep(heard)
  const peer = await first
  peer.send('hello')
  await vi.waitFor(() => expect(heard.message).toHaveBeenCalledWith('hello'))
  expect(heard.caughtUp).not.toHaveBeenCalled()
  const second = next()
  peer.terminate()
  await second
  await vi.waitFor(() => expect(heard.caughtUp).toHaveBeenCalledOnce())
  expect(heard.ended).not.toHaveBeenCalled()
})

test('a silently broken connection is dropped after an unanswered ping, and reopened', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  try {
    const { url, next } = await serve()
    const heard = { ...events(url), line: vi.fn() }
    const first = next()
    keep(heard)
    const peer = await first
    await vi.waitFor(() => expect(heard.line).toHaveBeenLastCalledWith(true))
    const asked = once(peer, 'message')
    vi.advanceTimersByTime(25_000)
    expect(String((await asked)[0])).toBe('ping')
    peer.send('pong')
    peer.send('hello')
    await vi.waitFor(() => expect(heard.message).toHaveBeenCalled())
    vi.advanceTimersByTime(9000)
    expect(heard.line).not.toHaveBeenCalledWith(false) // the server answered the ping
    vi.advanceTimersByTime(16_000) // second ping, without an answer
    const second = next()
    vi.advanceTimersByTime(10_000)
    expect(heard.line).toHaveBeenLastCalledWith(false)
    vi.advanceTimersByTime(500)
    await second
    await vi.waitFor(() => expect(heard.caughtUp).toHaveBeenCalledOnce())
    expect(heard.message.mock.calls).toEqual([['hello']])
  } finally {
    vi.useRealTimers()
  }
})

test('after two refusals the session is checked, which may have ended meanwhile', async () => {
  const server = createServer((socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'))
  close.push(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has an AddressInfo
  const heard = events(`ws://127.0.0.1:${port}`)
  keep(heard)
  await vi.waitFor(() => expect(heard.ended).toHaveBeenCalled(), 5000)
  expect(heard.caughtUp).not.toHaveBeenCalled()
})

test('an ended session is distinguished from a lost connection', async () => {
  const { url, next } = await serve()
  const heard = events(url)
  const first = next()
  keep(heard)
  const peer = await first
  peer.close(4401, 'session ended')
  await vi.waitFor(() => expect(heard.ended).toHaveBeenCalledOnce())
})

test('a socket replaced by newer ones of its person stays closed until its page is visible', async () => {
  const { url, next } = await serve()
  const page = new EventTarget()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
  close.push(() => vi.unstubAllGlobals())
  const heard = events(url)
  const open = vi.fn(({ url: address }: { url: string }) => new WebSocket(address))
  const first = next()
  close.push(keepSocket(heard, open).close)
  const peer = await first
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  close.push(() => void vi.useRealTimers())
  const gone = once(peer, 'close')
  peer.close(4429, 'too many sockets of one person')
  await gone
  await new Promise((resolve) => setImmediate(resolve))
  vi.advanceTimersByTime(120_000)
  expect(open).toHaveBeenCalledOnce()
  const second = next()
  page.dispatchEvent(new Event('focus'))
  await second
  expect(open).toHaveBeenCalledTimes(2)
})

test('an ended session is checked before a retry', async () => {
  const { url, next } = await serve()
  const { promise: answer, resolve } = Promise.withResolvers<void>()
  const heard = { ...events(url), ended: vi.fn(() => answer) }
  const first = next()
  keep(heard)
  const peer = await first
  const again = vi.fn()
  const second = next().then(again)
  peer.close(4401, 'session ended')
  await vi.waitFor(() => expect(heard.ended).toHaveBeenCalledOnce())
  await letPass(700, 'longer than the first pause between attempts')
  expect(again).not.toHaveBeenCalled()
  resolve()
  await second
})

test('a socket closed by the page stays closed', async () => {
  const { url, next } = await serve()
  const heard = events(url)
  const first = next()
  const kept = keep(heard)
  const peer = await first
  const gone = once(peer, 'close')
  kept.close()
  await gone
  expect(heard.ended).not.toHaveBeenCalled()
})

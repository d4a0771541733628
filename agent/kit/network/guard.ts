import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Reach } from '@innkeeper/contract/reach'
import { log } from '../../log.ts'
import { judge, portOf } from './reach.ts'

/** A way to a host for a program that resolves names itself, such as restic. */
export interface Guard {
  env: Record<string, string>
  end(): void
}

interface Pass {
  reach: Reach
  /** `host:port` that the program may ask. */
  targets: readonly string[]
}
/** By the value of the header that the program sends. */
const passes = new Map<string, Pass>()
let listening: Promise<number> | undefined

/**
 * The environment with which a program asks these hosts through a proxy of the agent. The proxy judges each address and
 * connects to the judged one. Only the program knows the password of the proxy.
 */
export async function guard(reach: Reach, urls: readonly URL[]): Promise<Guard> {
  // programs do not use a proxy for this machine itself: what is refused must not begin
  const [first] = urls
  if (first) await judge(reach, first)
  listening ??= listen()
  const port = await listening
  const password = randomBytes(18).toString('hex')
  const key = `Basic ${Buffer.from(`agent:${password}`).toString('base64')}`
  passes.set(key, { reach, targets: urls.map((url) => `${url.hostname}:${portOf(url)}`) })
  const proxy = `http://agent:${password}@127.0.0.1:${port}`
  return { env: { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: '' }, end: () => void passes.delete(key) }
}

function listen(): Promise<number> {
  const server = createServer({ requestTimeout: 0 }, (asked, answer) => {
    forward(asked, answer).catch(() => answer.destroy())
  })
  server.on('connect', (asked, socket, head) => {
    tunnel(asked, socket, head).catch(() => socket.destroy())
  })
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

/** Undefined: the program that asks may not reach this host. */
function passFor({ headers }: IncomingMessage, host: string, port: number): Reach | undefined {
  const pass = passes.get(headers['proxy-authorization'] ?? '')
  return pass?.targets.includes(`${host}:${port}`) ? pass.reach : undefined
}

/** Connects a program that speaks TLS. */
async function tunnel(asked: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  socket.on('error', () => {}) // the pipeline ends the other side
  const typed = URL.canParse(`http://${asked.url}`) ? new URL(`http://${asked.url}`) : undefined
  const { host, port } = { host: typed?.hostname ?? '', port: Number(typed?.port) || 80 }
  const reach = passFor(asked, host, port)
  if (!reach) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  try {
    reach.check(host, port)
    const there = connect({ host: host.replace(/^\[|\]$/g, ''), port, lookup: reach.lookup(port) })
    await new Promise((resolve, reject) => there.once('connect', resolve).once('error', reject))
    socket.write('HTTP/1.1 200 Connected\r\n\r\n')
    there.write(head)
    await Promise.allSettled([pipeline(socket, there), pipeline(there, socket)])
  } catch (error) {
    refuse(`${host}:${port}`, error)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  }
}

/** Forwards a request without TLS. */
async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const url = URL.canParse(asked.url ?? '') ? new URL(asked.url ?? '') : undefined
  const reach = url?.protocol === 'http:' ? passFor(asked, url.hostname, portOf(url)) : undefined
  if (!url || !reach) return void answer.writeHead(403).end()
  const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = asked.headers
  try {
    reach.check(url.hostname, portOf(url))
    const sending = request(url, { method: asked.method, headers, agent: false, lookup: reach.lookup(portOf(url)) })
    const response = new Promise<IncomingMessage>((resolve, reject) =>
      sending.once('response', resolve).once('error', reject),
    )
    await Promise.all([pipeline(asked, sending), response])
    const heard = await response
    answer.writeHead(heard.statusCode ?? 502, heard.headers)
    await pipeline(heard, answer)
  } catch (error) {
    refuse(url.host, error)
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502).end()
  }
}

const refuse = (host: string, error: unknown) =>
  log('warn', `${host} was not reached: ${error instanceof Error ? error.message : error}`)

import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { Readable, Transform } from 'node:stream'
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { NotReached } from './notReached.ts'
import type { Reach } from './reach.ts'

export interface Asked {
  url: URL
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** Milliseconds until the whole answer has to be there. */
  patienceMs: number
  /** Maximum number of bytes of the answer, after it is unpacked. */
  mostBytes: number
  /** `cut`: a longer answer is cut off; otherwise refused. */
  longer?: 'cut'
  /** Authority and certificate for a host that has no public ones. */
  tls?: TlsFiles
}
/** PEM texts: the authority that the host is held to, and the certificate that Innkeeper shows. */
export interface TlsFiles {
  ca?: string
  cert?: string
  key?: string
}
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/**
 * Sends one request to a host that somebody named, over a new connection, so that an error shows whether the host got the
 * request. Follows no redirect. Rejects with `NotReached`, whatever the reason, and writes the reason to the log.
 */
export async function send(reach: Reach, asked: Asked): Promise<Answer> {
  const { url } = asked
  let sent = false
  try {
    if (!['http:', 'https:'].includes(url.protocol)) throw new Error(`${url.protocol} is not http`)
    reach.check(url.hostname, portOf(url))
    return await answerTo(begun(reach, asked), asked, () => {
      sent = true
    })
  } catch (error) {
    throw failed(reach, url.host, error, sent)
  }
}

const portOf = (url: URL) => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)

function begun(reach: Reach, { url, method, headers = {}, patienceMs, tls }: Asked): ClientRequest {
  const start = url.protocol === 'https:' ? overTls : overHttp
  return start(url, {
    method,
    ...tls,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
    agent: false,
    lookup: reach.lookup(portOf(url)),
    signal: AbortSignal.timeout(patienceMs),
  })
}

function answerTo(asking: ClientRequest, asked: Asked, connected: () => void): Promise<Answer> {
  const event = asked.url.protocol === 'https:' ? 'secureConnect' : 'connect'
  return new Promise((resolve, reject) => {
    asking.on('socket', (socket) => socket.once(event, connected))
    asking.on('error', reject)
    asking.on('response', (response) => {
      const { statusCode: status = 0, headers } = response
      textOf(response, asked).then((text) => resolve({ status, headers, text }), reject)
    })
    asking.end(asked.body)
  })
}

/** Reads an answer up to its limit, which counts what was unpacked: a small answer can unpack to gigabytes. */
async function textOf(response: IncomingMessage, { mostBytes, longer }: Asked): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  try {
    for await (const part of unpacked(response) as AsyncIterable<Buffer>) {
      parts.push(part)
      bytes += part.length
      if (bytes <= mostBytes) continue
      if (longer === 'cut') break
      throw new Error(`the answer is longer than ${mostBytes} bytes`)
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(parts).subarray(0, mostBytes).toString('utf8')
}

const unpackers: Record<string, () => Transform> = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  const through = unpackers[encoding]?.()
  if (!through) throw new Error(`the answer is packed by ${encoding.slice(0, 40)}`)
  response.on('error', (error) => through.destroy(error))
  return response.pipe(through)
}

/** Connects to a host that somebody named. Errors of the socket are the caller's. */
export function connectTo(reach: Reach, { host, port }: { host: string; port: number }): Socket {
  reach.check(host, port)
  return connect({ host: host.replace(/^\[|\]$/g, ''), port, lookup: reach.lookup(port) })
}

/** TLS over a socket of `connectTo`. */
export const secured = (
  socket: Socket,
  options: Pick<ConnectionOptions, 'servername' | 'rejectUnauthorized' | keyof TlsFiles>,
): TLSSocket => connectTls({ socket, ...options })

/** The error that people see, after the reason was written to the log. */
export function failed(reach: Reach, host: string, error: unknown, sent = false): NotReached {
  const cause = error instanceof NotReached ? error.cause : error
  reach.log.warn({ err: cause instanceof Error ? cause : new Error(String(cause)), host }, 'an outgoing request failed')
  return new NotReached(cause, { sent })
}

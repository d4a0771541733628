import { request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'

const PATIENCE_MS = 15_000
const READ_BYTES = 4096

export interface Asked {
  url: URL
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
}
/** `before`: the gateway did not get the request. `after`: the gateway may have processed the request. */
export type Heard = { status: number; text: string } | { failed: 'before' | 'after'; reason: string }

/**
 * Sends a request over a new connection, so that an error shows whether the gateway got the request: on a reused
 * connection that the gateway has closed, the error comes after the request was written. Redirects are not followed.
 */
export function ask({ url, method, headers = {}, body }: Asked): Promise<Heard> {
  return new Promise((resolve) => {
    let connected = false
    const fail = (error: Error) => resolve({ failed: connected ? 'after' : 'before', reason: wordsOf(error) })
    const send = url.protocol === 'https:' ? overTls : overHttp
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const asked = send(url, { method, headers, agent: false, signal }, (response) => {
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        if (bytes < READ_BYTES) parts.push(part)
        bytes += part.length
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString('utf8').slice(0, READ_BYTES) }),
      )
      response.on('error', fail)
    })
    asked.on('socket', (socket) => {
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
      })
    })
    asked.on('error', fail)
    asked.end(body)
  })
}

const known: Record<string, string> = {
  ECONNREFUSED: 'the gateway refuses the connection',
  ENOTFOUND: 'the gateway’s name is unknown',
  ECONNRESET: 'the gateway closed the connection without an answer',
  EHOSTUNREACH: 'the gateway cannot be reached',
  ENETUNREACH: 'the gateway cannot be reached',
  ABORT_ERR: `the gateway did not answer in ${PATIENCE_MS / 1000} s`,
}
function wordsOf(error: Error): string {
  const { code = '' } = error as NodeJS.ErrnoException // node only rejects with its own errors
  return known[code] ?? error.message.slice(0, 200)
}

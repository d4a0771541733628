import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { patience } from '../patience/patience.ts'

export interface Probe {
  /** Undefined without an HTTP answer; `text` is the reason. */
  status: number | undefined
  /** The first 64 KiB of the body, or the network error. */
  text: string
  headers: IncomingHttpHeaders
}

/**
 * Requests a path from an address, or from a Unix socket, with `host` in the Host header, over a new connection. Never throws. `waitsMs`: how long
 * a slow answer is waited for.
 */
export function probe(
  address: string | { socket: string },
  port: number,
  host: string,
  path = '/',
  waitsMs = patience.silenceMs,
): Promise<Probe> {
  return new Promise((resolve) => {
    const asked = request(
      {
        ...(typeof address === 'string' ? { host: address, port } : { socketPath: address.socket }),
        ...{ path, headers: { host, 'user-agent': 'Innkeeper' }, agent: false, timeout: waitsMs },
      },
      (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => {
          if (text.length < 65_536) text += part
        })
        answer.on('end', () => resolve({ status: answer.statusCode, text, headers: answer.headers }))
        answer.on('error', (error) => resolve({ status: undefined, text: error.message, headers: {} }))
      },
    )
    const late = setTimeout(() => asked.destroy(new Error(`no answer in ${waitsMs / 1000} s`)), waitsMs)
    asked.on('error', (error) => resolve({ status: undefined, text: error.message, headers: {} }))
    asked.on('close', () => clearTimeout(late))
    asked.end()
  })
}

/** Whether a Unix socket accepts connections. */
export function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = connect(socket)
    const end = (is: boolean) => {
      asked.destroy()
      resolve(is)
    }
    asked.setTimeout(patience.silenceMs, () => end(false))
    asked.on('connect', () => end(true))
    asked.on('error', () => end(false))
  })
}

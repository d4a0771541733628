import { connect, type Socket } from 'node:net'

export interface Ask {
  method?: 'GET' | 'POST'
  path: string
  body?: unknown
}
/**
 * Sends requests on `connections` connections, one at a time each, for `seconds`. Throws at the first answer other than
 * 2xx. Answers the latencies in ms. Uses raw sockets, because an expensive client would hide half of the server's cost.
 */
export async function load(
  port: number,
  ask: (n: number) => Ask,
  token: string,
  seconds: number,
  connections = 32,
): Promise<number[]> {
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  let sent = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const line = await openLine(port)
      while (performance.now() < end) {
        const request = bytesOf(ask(sent++), token)
        const began = performance.now()
        await line.ask(request)
        times.push(performance.now() - began)
      }
      line.close()
    }),
  )
  return times
}

/** Latencies in ms of single requests on one connection. */
export async function single(port: number, asks: Ask[], token: string): Promise<number[]> {
  const line = await openLine(port)
  const times: number[] = []
  for (const one of asks) {
    const request = bytesOf(one, token)
    const began = performance.now()
    await line.ask(request)
    times.push(performance.now() - began)
  }
  line.close()
  return times
}

export function percentiles(times: number[]): { p50: number; p99: number; max: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

export const median = (values: number[]): number => percentiles(values).p50

const written = new WeakMap<Ask, Buffer>()

function bytesOf(ask: Ask, token: string): Buffer {
  const known = written.get(ask)
  if (known) return known
  const { method = 'GET', path, body } = ask
  const text = body === undefined ? '' : JSON.stringify(body)
  const content = text && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
  const made = Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${content}\r\n${text}`,
  )
  written.set(ask, made)
  return made
}

interface KeptLine {
  ask(request: Buffer): Promise<void>
  close(): void
}

function openLine(port: number): Promise<KeptLine> {
  return new Promise((resolve, reject) => {
    let waiting: { request: Buffer; resolve(): void; reject(error: Error): void } | undefined
    let missing = 0 // bytes of the answer still to come
    let head = ''
    const fail = (error: Error) => {
      reject(error)
      waiting?.reject(error)
    }
    const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.on('error', fail).on('close', () => fail(new Error('the server closed the connection')))
    socket.on('data', (part) => {
      if (missing > 0) missing -= part.length
      else {
        head += part.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1]
        if (!/^HTTP\/1\.1 2/.test(head))
          return fail(new Error(`${waiting?.request.toString().split('\r\n')[0]}: ${head.slice(0, 2000)}`))
        missing = Number(length ?? 0) - (head.length - end - 4)
        head = ''
      }
      if (missing <= 0) waiting?.resolve()
    })
    socket.on('connect', () =>
      resolve({
        ask: (request) =>
          new Promise((done, failed) => {
            waiting = { request, resolve: done, reject: failed }
            socket.write(request)
          }),
        close: () => socket.destroy(),
      }),
    )
  })
}

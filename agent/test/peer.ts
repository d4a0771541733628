import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Answer, type Chunk, type DoorPath, door, type Heartbeat, type Op } from '@innkeeper/contract/agent/door'
import { letPass } from '../../bin/pass.ts'
import { PATIENCE_MS } from './carrier.ts'

interface Reply {
  status: number
  body: unknown
}
const keyOf = ({ id, attempt }: { id: number; attempt: number }) => `${id}/${attempt}`

/** A control plane for tests: a real TLS listener that hands out given operations and records what agents send. */
export async function peer(host = '127.0.0.1', leaseMs = 30_000, identity = selfSigned()) {
  const { key, cert, pin } = identity
  const ready: Op[] = []
  /** Operations that were handed out, by lane. */
  const handed = new Map<string, Op[]>()
  const heard = {
    answers: [] as Answer[],
    chunks: [] as Chunk[],
    heartbeats: [] as Heartbeat[],
    held: [] as { id: number; attempt: number }[],
    credentials: new Set<string>(),
    calls: 0,
    /** Claims that wait for work. */
    waiting: 0,
    /** Calls that were answered 401. */
    refused: 0,
  }
  const state = {
    token: 'once-only-token',
    revoked: false,
    gone: [] as { id: number; attempt: number }[],
    /** Called with each report; a value replaces the reply. */
    refuse: (_: { answers: Answer[]; chunks: Chunk[] }): Reply | undefined => undefined,
    files: new Map<string, Buffer | string>(),
  }
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await reply(
      request.method ?? '',
      request.url ?? '',
      request.headers.authorization,
      await text(request),
      () => request.socket.destroyed,
    )
    const raw = typeof body === 'string' || Buffer.isBuffer(body)
    response.writeHead(status, raw ? {} : { 'content-type': 'application/json' })
    response.end(raw ? body : JSON.stringify(body))
  }
  // a request that is cut off gets no answer
  const server = createServer({ key, cert }, (request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error))
  })

  async function reply(
    method: string,
    path: string,
    authorization: string | undefined,
    sent: string,
    isGone: () => boolean,
  ): Promise<Reply> {
    heard.calls++
    if (method === 'GET') {
      const file = state.files.get(path)
      return file === undefined ? { status: 404, body: { message: 'no such file' } } : { status: 200, body: file }
    }
    if (!(path in door)) return { status: 404, body: { message: 'no such door' } }
    const body = door[path as DoorPath].body.safeParse(JSON.parse(sent)) // one of them, checked above
    if (!body.success) return { status: 400, body: { message: body.error.message } }
    if (path !== '/agent/enrol' && (state.revoked || !heard.credentials.has(authorization?.slice(7) ?? ''))) {
      heard.refused++
      return { status: 401, body: { message: 'This credential is unknown or revoked' } }
    }
    return handlers[path as DoorPath](body.data as never, isGone) // each handler gets what its schema has parsed
  }
  const handlers: {
    [P in DoorPath]: (body: (typeof door)[P]['body']['_output'], isGone: () => boolean) => Promise<Reply> | Reply
  } = {
    '/agent/enrol': ({ token, credential }) => {
      const again = heard.credentials.has(credential)
      if (token !== state.token && !again) return { status: 403, body: { message: 'used already or too old' } }
      state.token = ''
      heard.credentials.add(credential)
      return { status: 200, body: { serverId: 1, name: 'practice' } }
    },
    '/agent/claim': async ({ lane, free, held }, isGone) => {
      const arrived = performance.now()
      // an agent asks for one claim per lane at a time: what it does not know by now has not reached it
      if (held) {
        const known = new Set([...held, ...heard.answers].map(keyOf))
        ready.unshift(...(handed.get(lane) ?? []).filter((op) => !known.has(keyOf(op))))
        handed.delete(lane)
      }
      heard.waiting++
      while (performance.now() - arrived < 1000 && !isGone() && !state.revoked) {
        const ops = ready.filter((op) => op.lane === lane).slice(0, free)
        for (const op of ops) ready.splice(ready.indexOf(op), 1)
        if (ops.length) {
          heard.waiting--
          handed.set(lane, ops)
          return { status: 200, body: { ops, waited: performance.now() - arrived, leaseMs } }
        }
        await letPass(10, 'between two looks')
      }
      heard.waiting--
      return { status: 200, body: { ops: [], waited: performance.now() - arrived, leaseMs } }
    },
    '/agent/report': (report) => {
      const refusal = state.refuse(report)
      if (refusal) return refusal
      heard.held = report.held
      heard.chunks.push(...report.chunks)
      heard.answers.push(...report.answers)
      return { status: 200, body: { gone: state.gone, accepted: report.answers.map(({ id }) => id) } }
    },
    '/agent/heartbeat': (beat) => {
      heard.heartbeats.push(beat)
      return { status: 200, body: { version: '0.1.0' } }
    },
  }

  server.listen(0, host)
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo // listens on TCP
  return {
    url: `https://${host}:${port}`,
    pin,
    identity,
    ready,
    heard,
    state,
    /** Waits until the control plane has received an answer of this action. */
    async answer(id: number, attempt = 1): Promise<Answer> {
      for (
        const end = performance.now() + PATIENCE_MS;
        performance.now() < end;
        await letPass(10, 'between two looks')
      ) {
        const found = heard.answers.find((answer) => answer.id === id && answer.attempt === attempt)
        if (found) return found
      }
      throw new Error(`no answer of ${id}/${attempt} in ${PATIENCE_MS} ms`)
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      // a late connection, whose handshake was in progress, is not closed by the next line
      server.on('secureConnection', (late) => late.destroy())
      server.closeAllConnections()
      await closed
    },
  }
}
export type Peer = Awaited<ReturnType<typeof peer>>

function selfSigned() {
  const folder = mkdtempSync(join(tmpdir(), 'innkeeper-peer-'))
  try {
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = [
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      keyFile,
      '-out',
      certFile,
    ]
    execFileSync('openssl', ['req', '-x509', '-batch', '-days', '2', ...made], { stdio: 'ignore' })
    const cert = readFileSync(certFile)
    const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
    return { key: readFileSync(keyFile), cert, pin: createHash('sha256').update(spki).digest('base64') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

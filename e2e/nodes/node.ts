import type { ChildProcess } from 'node:child_process'
import { request } from 'node:http'
import { WebSocket } from 'ws'
import { letPass } from '../../bin/pass.ts'
import { markOf, SESSION_HEADER } from '../../server/kit/http/browserSession.ts'
import { type Answer, freePorts, launch, type Method } from '../innkeeper.ts'
import { PATIENCE } from '../until.ts'

/** One process of an Innkeeper with several nodes. */
export interface Node {
  port: number
  child: ChildProcess
  said: () => string
  /** Exit code, and milliseconds from the signal to the exit. */
  signal(name: NodeJS.Signals): Promise<{ code: number | null; ms: number }>
}

/** Starts a node; `ready` waits for it. */
export async function startNode(role: string, env: Record<string, string>, port?: number): Promise<Node> {
  const own = port ?? (await freePorts())
  const child = launch({ ...env, PORT: String(own), HOST: '127.0.0.1' }, [], [`--role=${role}`])
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (part: Buffer) => {
      text += part.toString()
    })
  return {
    port: own,
    child,
    said: () => text,
    async signal(name) {
      if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, ms: 0 }
      const began = performance.now()
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
      child.kill(name)
      return { code: await ended, ms: performance.now() - began }
    },
  }
}

export async function ready({ child, port, said }: Node): Promise<void> {
  for (const last = Date.now() + PATIENCE; Date.now() < last; await letPass(20, 'between two looks')) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`A node ended:\n${said()}`)
    const answer = await call(port, 'GET', '/readyz').catch(() => undefined) // not listening yet
    if (answer?.status === 200) return
  }
  throw new Error(`A node was not ready after ${PATIENCE} ms:\n${said()}`)
}

/** Who asks: the token of a program, or the session of a browser, whose token is in the cookie. */
export type As = string | { session: string }

/** What Innkeeper's own page sends: the cookie, and the mark of its session. */
function pageHeaders(port: number, session: string): { cookie: string; [SESSION_HEADER]: string } {
  const [, claims = ''] = session.split('.')
  const { iss } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string } // Innkeeper signed it
  return { cookie: `innkeeper-${port}=${session}`, [SESSION_HEADER]: markOf(iss) }
}

/** One call on a new connection, so that a balancer sends the next call to another node. */
export function call(port: number, method: Method, path: string, as: As = '', body?: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(typeof as === 'object' ? pageHeaders(port, as.session) : as && { authorization: `Bearer ${as}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const asked = request({ host: '127.0.0.1', port, method, path, headers, agent: false, timeout: 30_000 })
    asked.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('error', reject).on('end', () => {
        const json = /json/.test(answer.headers['content-type'] ?? '')
        resolve({ status: answer.statusCode ?? 0, body: json && text ? JSON.parse(text) : text })
      })
    })
    asked.on('timeout', () => asked.destroy(new Error(`${path}: no answer in 30 s`))).on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Events that a socket received, with their time (performance.now). */
export interface Ear {
  heard: { event: string; data: Record<string, unknown>; at: number }[]
  /** Close code and time. */
  closed: Promise<{ code: number; at: number }>
  isOpen(): boolean
  close(): void
}

function socketOf(port: number, as: As): WebSocket {
  if (typeof as === 'string') return new WebSocket(`ws://127.0.0.1:${port}/ws?jwt=${as}`)
  const { cookie, [SESSION_HEADER]: mark } = pageHeaders(port, as.session)
  const headers = { cookie, origin: `http://127.0.0.1:${port}` }
  return new WebSocket(`ws://127.0.0.1:${port}/ws`, ['innkeeper', mark], { headers })
}

export function listen(port: number, as: As): Promise<Ear> {
  const socket = socketOf(port, as)
  const heard: Ear['heard'] = []
  socket.on('message', (text) => heard.push({ ...JSON.parse(String(text)), at: performance.now() }))
  const closed = new Promise<{ code: number; at: number }>((resolve) =>
    socket.on('close', (code) => resolve({ code, at: performance.now() })),
  )
  const ear = { heard, closed, isOpen: () => socket.readyState === WebSocket.OPEN, close: () => socket.terminate() }
  return new Promise((resolve, reject) => socket.on('error', reject).on('open', () => resolve(ear)))
}

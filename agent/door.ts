import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type Agent, request } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { type DoorAnswer, type DoorBody, type DoorPath, door } from '@innkeeper/contract/agent/door'
import { type Nodes, openNodes } from './nodes.ts'
import { PinnedAgent } from './pinnedAgent.ts'

/** The control plane is unreachable, or its public key is wrong: retry. */
export class Away extends Error {}
/** The control plane rejects the request. */
export class Refused extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}
/** Timeouts in ms. A claim waits longer than the control plane's long poll of 25 s. */
const patience: Record<DoorPath, number> = {
  '/agent/enrol': 15_000,
  '/agent/claim': 40_000,
  '/agent/report': 20_000,
  '/agent/heartbeat': 10_000,
}

export interface Door {
  /** Throws `Away` or `Refused`. */
  ask<P extends DoorPath>(path: P, body: DoorBody<P>, signal?: AbortSignal): Promise<DoorAnswer<P>>
}

/**
 * The connection to the control plane, which fails over to another node. Only the public key authenticates the control plane (`pin`: base64 of the SPKI's
 * SHA-256, as in curl's --pinnedpubkey). Certificate names and dates are ignored. No request precedes the key check.
 */
export function openDoor(at: string | Nodes, pin: string, credential?: string): Door {
  const agent = new PinnedAgent(pin)
  const nodes = typeof at === 'string' ? openNodes([at]) : at
  return {
    async ask(path, body, signal) {
      const timeout = AbortSignal.timeout(patience[path])
      const until = signal ? AbortSignal.any([signal, timeout]) : timeout
      const url = path === '/agent/heartbeat' ? nodes.tried : nodes.current
      const { status, text } = await post(agent, new URL(path, url), JSON.stringify(body), credential, until).catch(
        (error: unknown) => {
          if (!signal?.aborted) nodes.failed(url)
          throw error
        },
      )
      if (status >= 500) nodes.failed(url)
      if (status >= 500 || status === 429) throw new Away(`${path}: ${status} ${short(text)}`)
      nodes.answered(url)
      if (status >= 300) throw new Refused(status, `${path}: ${status} ${short(text)}`)
      const read = door[path].returns.safeParse(parse(text))
      if (!read.success)
        throw new Away(`${path} answers what the contract does not know: ${read.error.message.slice(0, 300)}`)
      return read.data as DoorAnswer<typeof path> // validated by the schema of the same path
    },
  }
}

/** Downloads a file from the control plane. Returns its SHA-256; throws `Away` or `Refused`. */
export function fetchFile(url: string, pin: string, name: string, to: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(`/download/${name}`, url), {
      agent: new PinnedAgent(pin),
      signal: AbortSignal.timeout(300_000),
    })
    asked.on('error', (error) => reject(new Away(`${name}: ${error.message}`)))
    asked.on('response', (answer) => {
      if (answer.statusCode !== 200) {
        answer.resume()
        return reject(new Refused(answer.statusCode ?? 0, `${name} is not handed out`))
      }
      const hash = createHash('sha256')
      answer.on('data', (part: Buffer) => hash.update(part))
      pipeline(answer, createWriteStream(to, { mode: 0o755 })).then(
        () => resolve(hash.digest('hex')),
        (error: Error) => reject(new Away(`${name}: ${error.message}`)),
      )
    })
    asked.end()
  })
}

function post(
  agent: Agent,
  url: URL,
  body: string,
  credential: string | undefined,
  signal: AbortSignal,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const away = (error: Error) =>
      reject(new Away(`${url.host}: ${signal.aborted ? 'no answer in time' : error.message}`))
    const asked = request(url, {
      method: 'POST',
      agent,
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...(credential && { authorization: `Bearer ${credential}` }),
      },
    })
    asked.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      answer.on('error', away)
    })
    asked.on('error', away)
    asked.end(body)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // what is not JSON fails the schema
  }
}

/** The message of an error body, else its first characters. */
function short(text: string): string {
  const body = parse(text)
  if (body && typeof body === 'object' && 'message' in body) return String(body.message).slice(0, 300)
  return text.slice(0, 300)
}

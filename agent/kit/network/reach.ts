import { lookup } from 'node:dns'
import { type IncomingHttpHeaders, request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import { patientLookup } from '@innkeeper/contract/patientLookup'
import { type Reach, reachOf } from '@innkeeper/contract/reach'
import { log } from '../../log.ts'

/** One for the process, so that all share what is being looked up. */
const patiently = patientLookup(lookup)

/** Where this machine may connect to for somebody who names a host. */
export const reachFor = (privateTargets: readonly string[]): Reach =>
  reachOf({ privateTargets, ownAddresses, resolve: patiently, refuse: (why) => new Error(why) })
const ownAddresses = () => Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))

export const portOf = ({ port, protocol }: Pick<URL, 'port' | 'protocol'>) =>
  Number(port) || (protocol === 'https:' ? 443 : 80)

/**
 * All reasons look alike to people, because different words for a closed port, a silent one and a refused address would
 * show them the network of this machine. The log of the agent has the reason.
 */
function notReached(host: string, cause: unknown): Error {
  log('warn', `${host} was not reached: ${cause instanceof Error ? cause.message : cause}`)
  return new Error(
    `${host} gives no usable answer; private addresses have to be in INNKEEPER_PRIVATE_TARGETS of Innkeeper`,
  )
}

/** Throws unless the host may be reached, also when a program resolves its name itself. */
export async function judge(reach: Reach, url: URL): Promise<void> {
  const port = portOf(url)
  try {
    reach.check(url.hostname, port)
    await promisify(reach.lookup(port))(url.hostname.replace(/^\[|\]$/g, ''), {})
  } catch (error) {
    throw notReached(url.host, error)
  }
}

export interface Asked {
  url: URL
  method: string
  headers: Record<string, string>
  body?: string
  /** Milliseconds until the whole answer has to be there. */
  patienceMs: number
  mostBytes: number
}
export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** Sends one request to a judged address. Follows no redirect. */
export async function send(reach: Reach, asked: Asked): Promise<Answer> {
  const { url, method, headers, body, patienceMs } = asked
  const start = url.protocol === 'https:' ? overTls : overHttp
  try {
    reach.check(url.hostname, portOf(url))
    return await new Promise<Answer>((resolve, reject) => {
      const asking = start(url, {
        ...{ method, headers: { ...headers, ...(body && { 'content-length': `${Buffer.byteLength(body)}` }) } },
        ...{ agent: false, lookup: reach.lookup(portOf(url)), signal: AbortSignal.timeout(patienceMs) },
      })
      asking.on('error', reject)
      asking.on('response', (response) => {
        const { statusCode: status = 0, headers: answered } = response
        textOf(response, asked.mostBytes).then((text) => resolve({ status, headers: answered, text }), reject)
      })
      asking.end(body)
    })
  } catch (error) {
    throw notReached(url.host, error)
  }
}

async function textOf(response: AsyncIterable<Buffer>, mostBytes: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    parts.push(part)
    bytes += part.length
    if (bytes > mostBytes) throw new Error(`the answer is longer than ${mostBytes} bytes`)
  }
  return Buffer.concat(parts).toString('utf8')
}

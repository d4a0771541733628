import { type IncomingMessage, request } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { domain } from '@innkeeper/contract/values'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { action, type Work } from '../kit/work/action.ts'
import { servers } from '../servers/tables.ts'

/** Requests the site over HTTP from this node, as the last check of a workflow. */
export const probe = action(
  'website.probe',
  z.object({ serverId: z.int(), domain, expect: z.enum(['served', 'suspended']) }),
  {
    title: 'Probe',
    what: ({ domain, expect }) =>
      expect === 'served' ? `GET http://${domain}/ answers` : `GET http://${domain}/ answers 503`,
    run: ({ serverId, domain, expect }, work) =>
      askUntil(
        work,
        { serverId, host: domain, path: '/' },
        expect,
        ({ status }) => status !== undefined && fits(expect, status),
      ),
  },
)

interface Question {
  serverId: number
  host: string
  path: string
  /** Connects over TLS without verifying the certificate. */
  https?: boolean | undefined
}
interface Heard {
  status?: number | undefined
  location?: string | undefined
  /** Cache status that the edge reports. */
  cached?: string | undefined
  text: string
  ms: number
}

/**
 * Requests a host from a server until `enough` accepts the answer, at most 20 times. Throws with `expected` and the
 * last answer.
 */
export async function askUntil(
  { app, say, signal }: Work,
  { serverId, host, path, https = false }: Question,
  expected: string,
  enough: (heard: Heard) => boolean,
): Promise<{ status: number | undefined; ms: number }> {
  const [server] = await app.db
    .select({ address: servers.address, name: servers.name })
    .from(servers)
    .where(eq(servers.id, serverId))
  if (!server?.address) throw new Error(`${server?.name ?? 'The server'} has no address to ask`)
  const url = `http${https ? 's' : ''}://${host}${path}`
  let last = ''
  for (let tries = 0; tries < 20 && !signal.aborted; tries++) {
    const heard = await ask(server.address, host, path, https)
    last = heard.text
    say(`GET ${url} at ${server.address}: ${heard.text} in ${heard.ms} ms`)
    if (enough(heard)) return { status: heard.status, ms: heard.ms }
    await sleep(500, undefined, { signal }).catch(() => {}) // an aborted sleep ends the loop
  }
  throw new Error(`${url} was expected to be ${expected} and answers ${last}`)
}

/**
 * Redirects, 401 and 403 count as served, because an application may require a login; 404 on the first page does not.
 */
export const isServed = (status: number) => status < 400 || status === 401 || status === 403
const fits = (expect: 'served' | 'suspended', status: number) =>
  expect === 'suspended' ? status === 503 : isServed(status)

function ask(address: string, host: string, path: string, https: boolean): Promise<Heard> {
  const began = performance.now()
  const to = { host: address, path, headers: { host }, timeout: 5000, agent: false as const }
  return new Promise((resolve) => {
    const end = (text: string, more: Partial<Heard> = {}) =>
      resolve({ text, ...more, ms: Math.round(performance.now() - began) })
    const hear = (answer: IncomingMessage) => {
      answer.resume()
      const { statusCode: status, headers } = answer
      const { location, 'x-cache-status': cached } = headers
      end(location ? `${status} to ${location}` : String(status), { status, location, cached: cached?.toString() })
    }
    const asked = https
      ? tlsRequest({ ...to, port: 443, servername: host, rejectUnauthorized: false }, hear)
      : request({ ...to, port: 80 }, hear)
    asked.on('timeout', () => asked.destroy(new Error('no answer in 5 s')))
    asked.on('error', (error) => end(error.message))
    asked.end()
  })
}

import { type IncomingMessage, request } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { domain } from '@innkeeper/contract/kit/values'
import { eq } from 'drizzle-orm'
import * as z from 'zod'
import { looking, lookPatiently } from '../../kit/agents/patiently.ts'
import { action, type Work } from '../../kit/work/action.ts'
import { servers } from '../../machines/servers/tables.ts'
import { MOST_SITES, NetworkSite, networkOf } from './network.ts'

/**
 * Requests the site over HTTP from this node, as the last check of a workflow. `others`: names to which no redirect may
 * lead, such as that of a staging copy; redirects to the website's own name are followed.
 */
export const probe = action(
  'website.probe',
  z.object({
    serverId: z.int(),
    domain,
    expect: z.enum(['served', 'suspended']),
    others: z.array(domain).max(100).optional(),
    /** False: the website did not answer before the change, and is not expected to. */
    answered: z.boolean().optional(),
    /** Websites of its network that answered before the change. */
    sites: z.array(NetworkSite).max(MOST_SITES).optional(),
  }),
  {
    title: 'Probe',
    what: ({ domain, expect }) =>
      expect === 'served' ? `GET http://${domain}/ answers` : `GET http://${domain}/ answers 503`,
    async run({ serverId, domain, expect, others, answered, sites = [] }, work) {
      const ask = ({ host, path }: z.output<typeof NetworkSite>) =>
        askUntil(
          work,
          { serverId, host, path, follow: others !== undefined },
          others?.length ? `${expect} without leading to ${others.join(', ')}` : expect,
          ({ status, location }) =>
            status !== undefined &&
            fits(expect, status) &&
            !others?.some((other) => leadsTo(location, other) && !leadsTo(location, domain)),
        )
      if (answered === false) work.say(`${domain} did not answer before either`)
      const heard = answered === false ? {} : await ask({ host: domain, path: '/' })
      if (expect === 'served') for (const site of sites) await ask(site)
      return heard
    },
  },
)

/**
 * Notes whether the website and its network answer before a change. Never fails: a change may repair a website. If it
 * answered, and something no longer does after the change, the workflow is rolled back (closed.ts).
 */
export const firstProbe = action('website.probe-before', z.object({ serverId: z.int(), domain }), {
  title: 'Probe before',
  what: ({ domain }) => `notes whether http://${domain}/ answers, and the other websites of its network`,
  async run({ serverId, domain }, work) {
    const { app, say } = work
    const server = await addressOf(app, serverId)
    if (!server.address) return { served: false }
    const { address } = server
    const answers = async ({ host, path }: z.output<typeof NetworkSite>) => {
      const { status, text, ms } = await askThrough(address, { host, path, follow: true })
      say(`GET http://${host}${path} at ${address}: ${text} in ${ms} ms`)
      return status !== undefined && isServed(status)
    }
    const served = await answers({ host: domain, path: '/' })
    const sites: z.output<typeof NetworkSite>[] = []
    for (const site of await networkOf(work, serverId, domain)) if (await answers(site)) sites.push(site)
    return { served, sites }
  },
})

interface Question {
  serverId: number
  host: string
  path: string
  /** Connects over TLS without verifying the certificate. */
  https?: boolean | undefined
  /** Follows redirects to the same host, so that a redirect to https does not hide an error. */
  follow?: boolean
  /** Silence after which a request ends. */
  silenceMs?: number
}
interface Heard {
  status?: number | undefined
  location?: string | undefined
  /** Cache status that the edge reports. */
  cached?: string | undefined
  /** True if a server with more time might answer otherwise: silence, no service yet, or an error of a service. */
  late?: boolean
  text: string
  ms: number
}

/**
 * Requests a host from a server until `enough` accepts the answer; a slow server is waited for. Throws with `expected`
 * and the last answer.
 */
export async function askUntil(
  work: Work,
  { serverId, ...question }: Question,
  expected: string,
  enough: (heard: Heard) => boolean,
): Promise<{ status: number | undefined; ms: number }> {
  const server = await addressOf(work.app, serverId)
  if (!server.address) throw new Error(`${server.name} has no address to ask`)
  const { host, path, https } = question
  const url = `http${https ? 's' : ''}://${host}${path}`
  const { address } = server
  const look = async (silenceMs: number) => {
    const heard = await askThrough(address, { ...question, silenceMs })
    work.say(`GET ${url} at ${address}: ${heard.text} in ${heard.ms} ms`)
    return heard
  }
  const heard = await lookPatiently(work, serverId, look, enough, ({ late }) => !late)
  if (enough(heard)) return { status: heard.status, ms: heard.ms }
  throw new Error(`${url} was expected to be ${expected} and answers ${heard.text}`)
}

/**
 * Redirects, 401 and 403 count as served, because an application may require a login; 404 on the first page does not.
 */
export const isServed = (status: number) => status < 400 || status === 401 || status === 403
const fits = (expect: 'served' | 'suspended', status: number) =>
  expect === 'suspended' ? status === 503 : isServed(status)

async function addressOf({ db }: Work['app'], serverId: number) {
  const [server] = await db
    .select({ address: servers.address, name: servers.name })
    .from(servers)
    .where(eq(servers.id, serverId))
  return server ?? { address: null, name: 'The server' }
}

const MOST_REDIRECTS = 5
const ports: Record<string, string> = { 'http:': '80', 'https:': '443' }

/** The URL of a redirect; undefined if it cannot be read. */
const targetOf = (location: string | undefined, base: string) =>
  location !== undefined && URL.canParse(location, base) ? new URL(location, base) : undefined
const leadsTo = (location: string | undefined, host: string) =>
  `.${targetOf(location, 'http://relative.invalid/')?.hostname}`.endsWith(`.${host}`)
const withoutWww = (host: string) => host.replace(/^www\./, '')

/** Asks once, and with `follow` also where redirects to the same host lead. */
async function askThrough(
  address: string,
  { host, path, https = false, follow = false, silenceMs = looking.silenceMs }: Omit<Question, 'serverId'>,
) {
  let heard = await ask(address, host, path, https, silenceMs)
  for (let hops = 0; follow && hops < MOST_REDIRECTS; hops++) {
    const to = targetOf(heard.location, `http://${host}${path}`)
    if (!to || withoutWww(to.hostname) !== withoutWww(host)) break
    if ((to.port || ports[to.protocol]) !== ports[to.protocol]) break
    const next = await ask(address, to.hostname, `${to.pathname}${to.search}`, to.protocol === 'https:', silenceMs)
    heard = { ...next, text: `${heard.text}, ${next.text}`, ms: heard.ms + next.ms }
  }
  return heard
}

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'])

function ask(address: string, host: string, path: string, https: boolean, timeout: number): Promise<Heard> {
  const began = performance.now()
  const to = { host: address, path, headers: { host }, timeout, agent: false as const }
  return new Promise((resolve) => {
    const end = (text: string, more: Partial<Heard> = {}) =>
      resolve({ text, ...more, ms: Math.round(performance.now() - began) })
    const hear = (answer: IncomingMessage) => {
      answer.resume()
      const { statusCode: status, headers } = answer
      const { location, 'x-cache-status': cached } = headers
      const late = status !== undefined && status >= 500
      end(location ? `${status} to ${location}` : String(status), {
        status,
        location,
        cached: cached?.toString(),
        late,
      })
    }
    const asked = https
      ? tlsRequest({ ...to, port: 443, servername: host, rejectUnauthorized: false }, hear)
      : request({ ...to, port: 80 }, hear)
    let late = false
    asked.on('timeout', () => {
      late = true
      asked.destroy(new Error(`no answer in ${timeout / 1000} s`))
    })
    asked.on('error', (error: NodeJS.ErrnoException) =>
      end(error.message, { late: late || unreachable.has(error.code ?? '') }),
    )
    asked.end()
  })
}

import { type IncomingMessage, request as overHttp } from 'node:http'
import { request as overTls } from 'node:https'
import { checkServerIdentity, type TLSSocket } from 'node:tls'
import type { CheckAnswer, CheckedSite } from '@innkeeper/contract/agent/monitoring'

/** The agent has the same file (agent/drivers/monitoring/request.ts): server and agent share only the contract. */
const PATIENCE_MS = 10_000
/** Maximum number of redirects within a website. */
const HOPS = 3
/** Bytes of a page in which the word is searched. */
const PAGE_BYTES = 1_048_576

/** Requests a website at a given address, regardless of DNS, and judges the answer. Never throws. */
export async function request(site: CheckedSite): Promise<CheckAnswer> {
  const began = performance.now()
  let certificateUntil: string | null = null
  const answer = (reason: string | null, status: number | null = null): CheckAnswer => ({
    ...{ id: site.id, status, ms: Math.round(performance.now() - began), certificateUntil },
    reason: reason?.slice(0, 300) ?? null,
  })
  const signal = AbortSignal.timeout(PATIENCE_MS)
  let url = new URL(`http${site.https ? 's' : ''}://${site.domain}${site.path}`)
  try {
    for (let hop = 0; hop <= HOPS; hop++) {
      const { status, location, text, certificate } = await get(site, url, signal)
      certificateUntil = certificate?.until ?? certificateUntil
      if (certificate?.problem) return answer(certificate.problem, status)
      const to = location === undefined ? undefined : new URL(location, url)
      if (to && to.hostname === site.domain && isRedirect(status)) {
        url = to
        continue
      }
      if (!fits(status)) return answer(`answers ${status}`, status)
      if (site.word && !text.includes(site.word)) return answer(`the page does not contain “${site.word}”`, status)
      return answer(null, status)
    }
    return answer(`redirects more than ${HOPS} times`)
  } catch (error) {
    return answer(signal.aborted ? `no answer in ${PATIENCE_MS / 1000} s` : words(error))
  }
}

const isRedirect = (status: number) => [301, 302, 303, 307, 308].includes(status)
/** A request for a login is a valid answer of an application; 404 for the monitored page is not. */
const fits = (status: number) => status < 400 || status === 401 || status === 403

interface Got {
  status: number
  location: string | undefined
  text: string
  certificate: { until: string; problem: string | null } | undefined
}

function get({ address, domain, word, edge }: CheckedSite, url: URL, signal: AbortSignal): Promise<Got> {
  const headers = {
    host: domain,
    'user-agent': 'Innkeeper-Monitor',
    accept: 'text/html, */*',
    'accept-encoding': 'identity',
    ...(edge && { cookie: 'innkeeper-monitor=1' }), // edges answer requests with a cookie from no cache
  }
  const to = { host: address, path: `${url.pathname}${url.search}`, headers, agent: false as const, signal }
  return new Promise((resolve, reject) => {
    const hear = (response: IncomingMessage) => {
      const { statusCode: status = 0, headers: heard, socket } = response
      const certificate = url.protocol === 'https:' ? certificateOf(socket as TLSSocket, domain) : undefined
      const done = (text: string) => resolve({ status, location: heard.location, text, certificate })
      if (!word) {
        response.destroy()
        return done('')
      }
      const parts: Buffer[] = []
      let bytes = 0
      response.on('data', (part: Buffer) => {
        parts.push(part)
        bytes += part.length
        if (bytes > PAGE_BYTES) response.destroy()
      })
      response.on('close', () => (signal.aborted ? reject(signal.reason) : done(Buffer.concat(parts).toString('utf8'))))
    }
    const asked =
      url.protocol === 'https:'
        ? overTls({ ...to, port: 443, servername: domain, rejectUnauthorized: false }, hear)
        : overHttp({ ...to, port: 80 }, hear)
    asked.on('error', reject)
    asked.end()
  })
}

/**
 * A self-signed certificate is accepted as a choice. An expired certificate, or one for another name, fails for all
 * visitors.
 */
function certificateOf(socket: TLSSocket, domain: string): Got['certificate'] {
  const certificate = socket.getPeerCertificate()
  if (!certificate.valid_to) return undefined
  const until = new Date(certificate.valid_to)
  const expired = until.getTime() < Date.now() ? `the certificate expired on ${until.toISOString().slice(0, 10)}` : null
  const wrongName = checkServerIdentity(domain, certificate) ? `the certificate is not for ${domain}` : null
  return { until: until.toISOString(), problem: expired ?? wrongName }
}

const known: Record<string, string> = {
  ECONNREFUSED: 'refuses the connection',
  ECONNRESET: 'closes the connection without an answer',
  EHOSTUNREACH: 'the server cannot be reached',
  ENETUNREACH: 'the server cannot be reached',
  ETIMEDOUT: 'the server does not answer',
}
function words(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException // node only rejects with its own errors
  return known[code] ?? message
}

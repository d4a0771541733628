import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { isOwnCookie } from '../../../kit/http/browserSession.ts'
import { fromPreview, type Previewed, toPreview } from './rewriting.ts'

/** Headers that concern one connection, and headers that the preview sets itself. */
const notSentOn = new Set([
  ...['connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect', 'host'],
  ...['proxy-authorization', 'proxy-connection', 'proxy-authenticate', 'accept-encoding', 'http2-settings'],
])
/** Response headers that bind a name to https, which the preview does not serve. */
const notShown = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'trailer', 'strict-transport-security', 'alt-svc'],
])

/** The headers of a browser, as the website would get them without the preview. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  domain: string,
  previewed: Previewed,
): OutgoingHttpHeaders {
  const own = fromPreview(previewed)
  const sent: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notSentOn.has(name) && !/^(x-forwarded-|forwarded$|x-real-ip$)/.test(name))
      sent[name] = name === 'referer' || name === 'origin' ? own(String(value)) : value
  // the website must not learn the address of Innkeeper's page that contains the link
  if (typeof sent.referer === 'string' && sent.referer === headers.referer) delete sent.referer
  const cookies = withoutSession(headers.cookie ?? '')
  if (cookies) sent.cookie = cookies
  else delete sent.cookie
  return {
    ...sent,
    host: domain,
    'x-forwarded-proto': previewed.https ? 'https' : 'http',
    'accept-encoding': 'gzip, br',
    connection: 'close',
  }
}

/**
 * Cookies without those of Innkeeper. Browsers send these to Innkeeper's own name only; a program, or another name under which
 * somebody serves both, would bring them here.
 */
const withoutSession = (cookies: string): string =>
  cookies
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => !isOwnCookie(pair))
    .join('; ')

/** The website's headers, adapted for a browser of the preview. */
export function responseHeaders(headers: IncomingHttpHeaders, previewed: Previewed): OutgoingHttpHeaders {
  const shown = toPreview(previewed)
  const answer: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || notShown.has(name)) continue
    if (name === 'set-cookie') answer[name] = [value].flat().map(cookie)
    else if (name.startsWith('content-security-policy')) answer[name] = policy(String(value), previewed)
    else answer[name] = typeof value === 'string' ? shown(value) : value.map((one) => shown(one))
  }
  return answer
}

/**
 * A cookie only for the name in the preview, without `Secure`. Names that begin with `__Secure-` or `__Host-` require
 * `Secure`, so that they change.
 */
function cookie(text: string): string {
  const [pair = '', ...attributes] = text.split(';')
  const secure = /^\s*__(secure|host)-/i.test(pair)
  const kept = attributes.filter((one) => {
    const word = one.trim().toLowerCase()
    return !/^domain\s*=/.test(word) && (secure || (word !== 'secure' && !/^samesite\s*=\s*none$/.test(word)))
  })
  return [pair, ...kept].join(';')
}

/** The website's policy with the names of the preview, without the switch to https. */
function policy(text: string, previewed: Previewed): string {
  const shown = toPreview(previewed)
  const isOwn = (host: string) =>
    previewed.names.some((name) => name === host || (name.startsWith('*.') && host.endsWith(name.slice(1))))
  const source = (word: string) => {
    const host = /^(\*\.)?([a-z0-9.-]+)$/i.exec(word)?.[2]?.toLowerCase()
    return host !== undefined && isOwn(host) ? `${word}${previewed.suffix}` : shown(word)
  }
  return text
    .split(';')
    .map((directive) => directive.trim())
    .filter((directive) => !/^(upgrade-insecure-requests|block-all-mixed-content)\b/i.test(directive))
    .map((directive) => {
      const [name = '', ...sources] = directive.split(/\s+/)
      return [name, ...sources.map(source)].join(' ')
    })
    .join('; ')
}

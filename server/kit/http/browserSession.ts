import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

/**
 * The session of a browser (decision 172). Its token is in a cookie that scripts cannot read. The cookie counts only with
 * the header `x-innkeeper-session`, which pages of other origins cannot send. The value of the header is the mark of the
 * session, or `any` before the page knows it.
 */
export const SESSION_HEADER = 'x-innkeeper-session'
const ANY = 'any'
const MARK = /^cookie-[\w-]{16}$/

/** Identifies a session to its own pages, and opens nothing. */
export const markOf = (sessionKey: string): string =>
  `cookie-${createHash('sha256').update(sessionKey).digest('base64url').slice(0, 16)}`

/** Token of a request, and the mark that the session must have if the token is from the cookie. */
export interface Given {
  token: string
  mark?: string
}

/** The token of a call: the header of a program, or the cookie of Innkeeper’s own page. */
export function tokenOf({ headers, protocol, host }: Pick<FastifyRequest, 'headers' | 'protocol' | 'host'>): Given {
  const bearer = bearerOf(headers)
  if (bearer) return { token: bearer }
  const mark = headers[SESSION_HEADER]
  if (typeof mark !== 'string') return { token: '' }
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return { token: '' }
  if (!isOwnOrigin(headers, host)) return { token: '' }
  return { token: cookieOf(headers, protocol === 'https'), mark }
}

/** As `tokenOf`, for a socket, whose request has an Origin and offers the mark instead of sending a header. */
export function socketTokenOf(headers: IncomingHttpHeaders, offered: string): Given {
  if (!MARK.test(offered)) return { token: offered }
  if (!headers.origin || !isOwnOrigin(headers, undefined)) return { token: '' }
  return { token: cookieOf(headers, headers.origin.startsWith('https:')), mark: offered }
}

/** 401 if the cookie belongs to another session than the page: somebody else signed in in another tab. */
export function checkMark({ mark }: Given, sessionKey: string): void {
  if (mark === undefined || mark === ANY || mark === markOf(sessionKey)) return
  throw new Refusal(401, {
    code: 'other-session',
    message: 'Somebody else signed in in this browser meanwhile. Load the page again.',
  })
}

const bearerOf = (headers: IncomingHttpHeaders) => /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''

/** Whether the request comes from a page of Innkeeper, which alone can send the header. */
export const isOwnPage = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers[SESSION_HEADER] !== undefined

function isOwnOrigin({ origin, host }: IncomingHttpHeaders, forwardedHost: string | undefined): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin).host
  return from === bare(host) || from === bare(forwardedHost)
}

/** The host as `URL.host` writes it, without the port that a scheme implies. */
const bare = (host: string | undefined) => host?.toLowerCase().replace(/:(80|443)$/, '')

/**
 * Cookies do not distinguish ports, so the name has the port: two installations on one host stay apart. `__Host-` keeps
 * other hosts of the domain from setting it; browsers accept the prefix only over https.
 */
export function cookieName(name: string, headers: IncomingHttpHeaders, isSecure: boolean): string {
  const port = /:(\d{1,5})$/.exec(headers.host ?? '')?.[1]
  return `${isSecure ? '__Host-' : ''}${name}${port ? `-${port}` : ''}`
}

/** Value of a cookie; of several with one name, the first. */
export function readCookie(headers: IncomingHttpHeaders, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}

/** Whether a cookie, with its value or without, is one of Innkeeper's, whatever its port. */
export const isOwnCookie = (pair: string): boolean =>
  /^(?:__Host-)?innkeeper(?:-device|-flow)?(?:-\d{1,5})?(?:=|$)/.test(pair)

const NAME = 'innkeeper'
const cookieOf = (headers: IncomingHttpHeaders, isSecure: boolean) =>
  readCookie(headers, cookieName(NAME, headers, isSecure))

interface Wanted {
  name: string
  value: string
  /** Seconds; absent: until the browser closes. 0 removes the cookie. */
  maxAge?: number
  /** Lax: sent when another site leads to Innkeeper. */
  sameSite?: 'Strict' | 'Lax'
}

/** Adds a cookie that scripts cannot read. */
export function setCookie(
  { headers, protocol }: Pick<FastifyRequest, 'headers' | 'protocol'>,
  reply: FastifyReply,
  { name, value, maxAge, sameSite = 'Strict' }: Wanted,
): void {
  const isSecure = protocol === 'https'
  const parts = [`${cookieName(name, headers, isSecure)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`]
  if (isSecure) parts.push('Secure')
  if (maxAge !== undefined) parts.push(`Max-Age=${maxAge}`)
  const before = [reply.getHeader('set-cookie') ?? []].flat().map(String)
  reply.header('set-cookie', [...before, parts.join('; ')])
}

/** Stores the token in the browser, or removes it. The session row decides how long the token counts. */
export function keepInBrowser(request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  setCookie(request, reply, { name: NAME, value: token ?? '', maxAge: token === null ? 0 : 400 * 86_400 })
}

const DEVICE = 'innkeeper-device'
const DEVICE_VALUE = /^[\w-]{22}$/

/** Name of the browser for notifications of sign-ins from new devices. Makes one if the browser has none. */
export function deviceOf(request: FastifyRequest, reply: FastifyReply): string | null {
  if (!isOwnPage(request) && request.headers['sec-fetch-mode'] !== 'navigate') return null
  const known = readCookie(request.headers, cookieName(DEVICE, request.headers, request.protocol === 'https'))
  const value = DEVICE_VALUE.test(known)
    ? known
    : Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url')
  setCookie(request, reply, { name: DEVICE, value, maxAge: 400 * 86_400 })
  return createHash('sha256').update(value).digest('base64url')
}

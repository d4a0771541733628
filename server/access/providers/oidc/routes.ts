import { randomBytes } from 'node:crypto'
import type { Failure, Provider } from '@innkeeper/contract/access/providers'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  AuthorizationResponseError,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { App } from '../../../kit/app/app.ts'
import { writeLog } from '../../../kit/audit/audit.ts'
import { plainAddress } from '../../../kit/http/address.ts'
import { cookieName, deviceOf, keepInBrowser, readCookie, setCookie } from '../../../kit/http/browserSession.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { openSession } from '../../users/signIn/openSession.ts'
import { accountFor, Failed } from '../people/accounts.ts'
import { applyMapping } from '../people/mapping.ts'
import { hashOf, readProviders } from '../read.ts'
import { signInFlows } from '../tables.ts'
import { claimsOf } from './claims.ts'
import { connect, isAway } from './connect.ts'
import { addLogout } from './logout.ts'

const MINUTES = 10
/** Bounds the sign-ins under way: anybody can begin one. The oldest make room. */
const MOST_FLOWS = 10_000
const COOKIE = 'innkeeper-flow'

/** A path of Innkeeper's own pages. */
const ownPath = (to: unknown) => (typeof to === 'string' && /^\/(?![/\\])[^\s\\]{0,500}$/.test(to) ? to : null)

/**
 * Sign-in by an identity provider: authorization code with PKCE. The browser is led there and back, so that these are no
 * calls of the contract.
 */
export function oidcRoutes(server: FastifyInstance, app: App): void {
  const lead = (reply: FastifyReply, failure: Failure) => reply.redirect(`/login#failed=${failure}`)

  server.get('/api/auth/providers/:id/begin', async (request, reply) => {
    try {
      return reply.redirect(await begin(app, request, reply))
    } catch (error) {
      return lead(reply, await failed(app, request, error))
    }
  })
  server.get('/api/auth/providers/:id/callback', async (request, reply) => {
    setCookie(request, reply, { name: COOKIE, value: '', maxAge: 0, sameSite: 'Lax' })
    try {
      const { token, to } = await end(app, request, reply)
      keepInBrowser(request, reply, token)
      return reply.redirect(`/login#signed-in=${encodeURIComponent(to ?? '/')}`)
    } catch (error) {
      return lead(reply, await failed(app, request, error))
    }
  })
  addLogout(server, app)
}

async function providerOf(app: App, { params }: FastifyRequest): Promise<Provider> {
  const { id } = params as { id: string } // route parameters are strings
  const [provider] = /^\d{1,9}$/.test(id) ? await readProviders(app.db, Number(id)) : []
  if (!provider?.isEnabled) throw new Failed('off')
  return provider
}

const redirectUri = ({ protocol, host }: FastifyRequest, { id }: Pick<Provider, 'id'>) =>
  `${protocol}://${host}/api/auth/providers/${id}/callback`

/** Stores the flow and returns the address of the provider to which the browser is led. */
async function begin(app: App, request: FastifyRequest, reply: FastifyReply): Promise<string> {
  const provider = await providerOf(app, request)
  const config = await connect(app, provider, { isFresh: false })
  const [state, nonce, verifier, browser] = [
    randomState(),
    randomNonce(),
    randomPKCECodeVerifier(),
    randomBytes(24).toString('base64url'),
  ]
  await app.db.execute(sql`delete from sign_in_flows where expires_at < now() or state in
    (select state from sign_in_flows order by expires_at desc offset ${MOST_FLOWS})`)
  await app.db.insert(signInFlows).values({
    state: hashOf(state),
    providerId: provider.id,
    browser: hashOf(browser),
    nonce,
    verifier,
    to: ownPath((request.query as { to?: unknown }).to), // parseQuery returns an object
    expiresAt: new Date(Date.now() + MINUTES * 60_000).toISOString(),
  })
  setCookie(request, reply, { name: COOKIE, value: browser, maxAge: MINUTES * 60, sameSite: 'Lax' })
  return buildAuthorizationUrl(config, {
    redirect_uri: redirectUri(request, provider),
    scope: provider.scopes,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/** Uses the flow up, verifies the provider's answer, and opens a session for the account. */
async function end(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ token: string; to: string | null }> {
  const provider = await providerOf(app, request)
  const { state } = request.query as { state?: unknown } // parseQuery returns an object
  if (typeof state !== 'string') throw new Failed('state')
  const browser = readCookie(request.headers, cookieName(COOKIE, request.headers, request.protocol === 'https'))
  const [flow] = await app.db
    .delete(signInFlows)
    .where(
      and(
        eq(signInFlows.state, hashOf(state)),
        eq(signInFlows.providerId, provider.id),
        eq(signInFlows.browser, hashOf(browser)),
        gt(signInFlows.expiresAt, sql`now()`),
      ),
    )
    .returning()
  if (!flow) throw new Failed('state')
  const { nonce, verifier, to } = flow
  const answer = new URL(redirectUri(request, provider))
  answer.search = new URL(request.url, answer).search
  const { claims, sid } = await claimsOf(app, provider, answer, { state, nonce, verifier })
  const token = await app.db.transaction(async (tx) => {
    const person = await accountFor(app, tx, provider, claims)
    await applyMapping(app, tx, person.identityId)
    const opened = await openSession(app, tx, person.userId, {
      ip: plainAddress(request.ip),
      userAgent: request.headers['user-agent'] ?? null,
      device: deviceOf(request, reply),
      provider: { id: provider.id, sid },
    })
    const { userId, name, isNew } = person
    await writeLog(tx, { ...entryOf(request, provider), staffId: userId, staffName: name }, 'success', { isNew })
    return opened
  })
  return { token, to }
}

const entryOf = (request: FastifyRequest, { id, name }: { id?: number; name: string }) => ({
  staffId: null,
  staffName: 'guest',
  service: 'providers',
  action: 'sign-in',
  resource: 'provider',
  resourceId: id === undefined ? null : String(id),
  subject: name,
  workflowId: null,
  ip: plainAddress(request.ip),
  requestId: request.id,
})

/** What the person reads about a failure. The log of the process and the action log have the cause. */
async function failed(app: App, request: FastifyRequest, error: unknown): Promise<Failure> {
  const failure = failureOf(error)
  const cause = error instanceof Failed ? error.cause : error
  app.log.warn({ err: cause, failure, ip: plainAddress(request.ip) }, 'a sign-in by a provider failed')
  const { isLogged } = app.refusals.count(0, plainAddress(request.ip))
  if (isLogged && failure !== 'off') {
    const reason = cause instanceof Error ? `${failure}: ${cause.message}`.slice(0, 300) : failure
    await writeLog(app.db, entryOf(request, { name: 'Sign-in by a provider' }), 'failed', { error: reason }).catch(
      (second) => request.log.error({ err: second }, 'a failed sign-in could not be logged'),
    )
  }
  return failure
}

function failureOf(error: unknown): Failure {
  if (error instanceof Failed) return error.failure
  if (error instanceof Refusal) return error.body.code === 'suspended' ? 'suspended' : 'off'
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) return 'refused'
  return isAway(error) ? 'away' : 'answer'
}

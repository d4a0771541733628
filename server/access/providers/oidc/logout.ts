import type { Provider } from '@innkeeper/contract/access/providers'
import { sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { App } from '../../../kit/app/app.ts'
import { writeLog } from '../../../kit/audit/audit.ts'
import { rows } from '../../../kit/db/db.ts'
import { plainAddress } from '../../../kit/http/address.ts'
import { readProviders } from '../read.ts'
import { connect, fetchOf } from './connect.ts'
import { endSessionsOf } from './end.ts'

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
/** A logout token is valid for this time after it was made. */
const MINUTES = 5
const BODY_LIMIT = 20_000
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** Back-channel logout (OpenID Connect): the provider itself says that a session or all sessions of a person end. */
export function addLogout(server: FastifyInstance, app: App): void {
  // a failure of the plugin fails `ready`
  // oxlint-disable-next-line typescript/no-floating-promises
  server.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.post('/api/auth/providers/:id/logout', { bodyLimit: BODY_LIMIT }, async (request, reply) => {
      try {
        await logOut(app, request)
        return reply.code(200).send()
      } catch (error) {
        app.log.warn({ err: error, ip: plainAddress(request.ip) }, 'a logout by a provider was refused')
        return reply.code(400).send({ error: 'invalid_request', error_description: 'The logout token was refused' })
      }
    })
  })
}

async function logOut(app: App, request: FastifyRequest): Promise<void> {
  const { id } = request.params as { id: string } // route parameters are strings
  const [provider] = /^\d{1,9}$/.test(id) ? await readProviders(app.db, Number(id)) : []
  const token = request.body instanceof URLSearchParams ? request.body.get('logout_token') : undefined
  if (!provider || !token) throw new Error('no provider, or no token')
  const { sub, sid, jti } = await verified(app, provider, token)
  await app.db.transaction(async (tx) => {
    const [first] = await rows(
      tx,
      sql`insert into used_tickets (seal, expires_at)
        values (${`logout ${id} ${jti}`}, now() + make_interval(mins => ${MINUTES + 1})) on conflict do nothing returning seal`,
    )
    if (!first) throw new Error('the token was used before')
    const ended = await endSessionsOf(app, tx, {
      providerId: provider.id,
      ...(typeof sid === 'string' ? { sid } : { subject: sub ?? '' }),
    })
    await writeLog(
      tx,
      {
        ...{ staffId: null, staffName: provider.name, service: 'providers', action: 'logout', resource: 'provider' },
        ...{ resourceId: id, subject: provider.name, workflowId: null, ip: plainAddress(request.ip) },
        requestId: request.id,
      },
      'success',
      { people: ended },
    )
  })
}

async function verified(app: App, provider: Provider, token: string): Promise<JWTPayload> {
  // the provider is asked for its keys only if the token claims to be from it
  if (decodeJwt(token).iss !== provider.issuer && decodeJwt(token).iss !== `${provider.issuer}/`)
    throw new Error('the token is of another issuer')
  const { issuer, jwks_uri: keys } = (await connect(app, provider, { isFresh: false })).serverMetadata()
  if (!keys) throw new Error('the provider publishes no keys')
  const answer = await fetchOf(app)(keys, { method: 'GET', headers: {}, body: undefined, redirect: 'manual' })
  const set = (await answer.json()) as JSONWebKeySet // jose validates the set
  const { payload } = await jwtVerify(token, createLocalJWKSet(set), {
    issuer,
    audience: provider.clientId,
    algorithms,
    maxTokenAge: `${MINUTES}m`,
    clockTolerance: '30s',
    requiredClaims: ['iat', 'jti', 'events'],
  })
  const events = payload.events
  if (typeof events !== 'object' || events === null || !(EVENT in events)) throw new Error('it is no logout token')
  if (payload.nonce !== undefined) throw new Error('it is an identity token')
  if (payload.sub === undefined && typeof payload.sid !== 'string') throw new Error('it names nobody')
  return payload
}

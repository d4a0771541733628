import { eq, sql } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../../kit/app/app.ts'
import { isAway, sqlState } from '../../../kit/db/failures.ts'
import { databaseAway, Refusal } from '../../../kit/http/errors.ts'
import { jsonParser } from '../../../kit/http/jsonBody.ts'
import { hashOf, readProvider } from '../read.ts'
import { identityProviders } from '../tables.ts'
import { createUser, patchUser, removeUserOf, replaceUser } from './changeUsers.ts'
import { listOf, resourceTypes, schemas, serviceProviderConfig } from './discovery.ts'
import { errorBody, noResource, ScimError } from './errors.ts'
import { createGroup, listGroups, patchGroup, readGroup, removeGroup, replaceGroup } from './groups.ts'
import { type Asked, answerWith, idOf, type Resource } from './request.ts'
import { listUsers, readStored, resourceOf } from './users.ts'

const BODY_LIMIT = 512 * 1024
const TYPE = 'application/scim+json; charset=utf-8'

/**
 * SCIM 2.0 (RFC 7643, RFC 7644): an identity provider keeps accounts and groups. Its paths, bodies and errors are those of
 * the standard, so that these are no calls of the contract.
 */
export function scimRoutes(server: FastifyInstance, app: App): void {
  // a failure of the plugin fails `ready`
  // oxlint-disable-next-line typescript/no-floating-promises
  server.register(
    async (scope) => {
      scope.addContentTypeParser(
        'application/scim+json',
        { parseAs: 'buffer', bodyLimit: BODY_LIMIT },
        jsonParser(scope),
      )
      scope.setErrorHandler((error, request, reply) => answerError(request, reply, error))
      addRoutes(scope, app)
    },
    { prefix: '/scim/v2' },
  )
}

type Work = (asked: Asked) => Promise<unknown>

function addRoutes(scope: FastifyInstance, app: App): void {
  /** The provider is known before the body is read. */
  const known = new WeakMap<FastifyRequest, number>()
  const add = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, work: Work) =>
    scope.route({
      method,
      url,
      bodyLimit: BODY_LIMIT,
      async onRequest(request) {
        if (app.database.isAway()) throw databaseAway()
        known.set(request, await providerOf(app, request))
      },
      async handler(request, reply) {
        void reply.type(TYPE).header('cache-control', 'no-store')
        const provider = await readProvider(app.db, known.get(request) ?? 0)
        return work({ app, provider, request, reply })
      },
    })
  const created = (make: (asked: Asked) => Promise<Resource>) => async (asked: Asked) =>
    answerWith(asked, await make(asked), 201)
  const whole = (read: (asked: Asked) => Promise<Resource>) => async (asked: Asked) =>
    answerWith(asked, await read(asked))
  const gone = (remove: (asked: Asked) => Promise<void>) => async (asked: Asked) => {
    await remove(asked)
    return asked.reply.code(204).send()
  }
  add('GET', '/ServiceProviderConfig', async () => serviceProviderConfig)
  add('GET', '/ResourceTypes', async () => listOf(resourceTypes))
  add('GET', '/ResourceTypes/:id', async (asked) => oneOf(resourceTypes, asked))
  add('GET', '/Schemas', async () => listOf(schemas))
  add('GET', '/Schemas/:id', async (asked) => oneOf(schemas, asked))
  add('GET', '/Users', listUsers)
  add('POST', '/Users', created(createUser))
  add(
    'GET',
    '/Users/:id',
    whole(async (asked) => resourceOf(await readStored(app.db, asked.provider.id, idOf(asked)))),
  )
  add('PUT', '/Users/:id', whole(replaceUser))
  add('PATCH', '/Users/:id', whole(patchUser))
  add('DELETE', '/Users/:id', gone(removeUserOf))
  add('GET', '/Groups', listGroups)
  add('POST', '/Groups', created(createGroup))
  add('GET', '/Groups/:id', whole(readGroup))
  add('PUT', '/Groups/:id', whole(replaceGroup))
  add('PATCH', '/Groups/:id', whole(patchGroup))
  add('DELETE', '/Groups/:id', gone(removeGroup))
  // otherwise the web app answers, which serves every path without a route
  scope.all('/*', async () => {
    throw new ScimError(404, 'No such endpoint')
  })
}

function oneOf(all: readonly { id: string }[], asked: Asked) {
  const found = all.find(({ id }) => id === idOf(asked))
  if (!found) throw noResource('resource', idOf(asked))
  return found
}

/** The provider of the token; 401 without one. Its last use is recorded each minute. */
async function providerOf(app: App, request: FastifyRequest): Promise<number> {
  const token = /^Bearer (innkeeper_scim_[\w-]{43})$/i.exec(request.headers.authorization ?? '')?.[1]
  const [found] = token
    ? await app.db
        .select({ id: identityProviders.id, usedAt: identityProviders.scimUsedAt })
        .from(identityProviders)
        .where(eq(identityProviders.scimHash, hashOf(token)))
    : []
  if (!found) throw new ScimError(401, 'A token of the identity provider is required')
  await app.db
    .update(identityProviders)
    .set({ scimUsedAt: sql`now()` })
    .where(
      sql`${identityProviders.id} = ${found.id} and coalesce(${identityProviders.scimUsedAt}, 'epoch') < now() - interval '1 minute'`,
    )
  return found.id
}

function answerError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  const { status, detail, type } = said(error)
  if (status >= 500) request.log.error({ err: error, id: request.id }, 'a SCIM call failed')
  if (status === 401) void reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .type(TYPE)
    .header('cache-control', 'no-store')
    .send(errorBody(status, detail, type))
}

function said(error: unknown): { status: number; detail: string; type?: string | undefined } {
  if (error instanceof ScimError) return { status: error.status, detail: error.message, type: error.type }
  if (error instanceof Refusal) return { status: error.status === 422 ? 409 : error.status, detail: error.message }
  if (sqlState(error)?.code === '23505') return { status: 409, detail: 'It exists already', type: 'uniqueness' }
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)
    return { status: error.statusCode, detail: error.message, type: 'invalidSyntax' }
  // the provider asks again later
  if (isAway(error)) return { status: 503, detail: 'The database is unavailable. Try again.' }
  return { status: 500, detail: 'Internal error. Details are in the log.' }
}

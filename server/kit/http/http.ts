import { existsSync } from 'node:fs'
import { join } from 'node:path'
import multipart from '@fastify/multipart'
import fastifyStatic from '@fastify/static'
import { contract } from '@innkeeper/contract/index'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from 'fastify'
import { Histogram, type Registry } from 'prom-client'
import { agentVersion } from '../agents/downloads.ts'
import type { App } from '../app/app.ts'
import { isAway, sqlState } from '../db/failures.ts'
import type { Live } from '../live/live.ts'
import { addTraces } from '../trace/requests.ts'
import { openReadiness } from '../watch/readiness.ts'
import { openRegistry } from '../watch/registry.ts'
import { addWatch } from '../watch/watch.ts'
import { plainAddress } from './address.ts'
import { tokenOf } from './browserSession.ts'
import { docsPage } from './docs.ts'
import { conflict, databaseAway, diskFull, invalid, notFound, Refusal } from './errors.ts'
import { jsonParser } from './jsonBody.ts'
import { openapi } from './openapi.ts'
import { parseQuery } from './queryString.ts'
import { endSlowBodies } from './slowBodies.ts'
import type { Tls } from './tls.ts'

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"

/** Maximum number of bytes of a request without files. A zone file of 50,000 records fits. */
const BODY_LIMIT = 8 * 1_048_576

export type Phase = 'starting' | 'running' | 'stopping'

interface HttpOptions {
  phase?: () => Phase
  registry?: Registry
  /** Serves https. The certificate may change while the server listens. */
  tls?: Tls | undefined
}

/**
 * Opens the web server: headers, errors, request log, documentation, live sockets and the web app. `bind` adds the
 * calls.
 */
export async function openHttp(
  app: App,
  live: Live,
  { phase = () => 'running', registry = openRegistry(app, { sockets: () => live.count }), tls }: HttpOptions = {},
): Promise<FastifyInstance> {
  const serverFactory: FastifyServerFactory | undefined = tls && ((handler) => tls.serve(handler))
  const server = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // onResponse logs requests
    // X-Forwarded-For is read from the right: the first address that is not a trusted proxy is the visitor's
    trustProxy: app.settings.trustProxy.length > 0 && app.settings.trustProxy,
    bodyLimit: BODY_LIMIT,
    return503OnClosing: false, // a request on a connection that was open before the stop is answered
    requestIdHeader: false,
    genReqId: ({ headers }) => givenId(headers['x-request-id']) ?? crypto.randomUUID(),
    ...(serverFactory && { serverFactory }),
    routerOptions: { querystringParser: parseQuery, ignoreTrailingSlash: true, maxParamLength: 300 },
    // a path that cannot be decoded reaches no route, hook or error handler
    frameworkErrors: (error, request, reply) =>
      void guard(request, reply)
        .code(error.statusCode ?? 400)
        .send({ code: 'address', message: 'That address cannot be read', requestId: request.id }),
  })
  server.removeContentTypeParser('application/json')
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, jsonParser(server))
  await server.register(multipart) // each contract sets its limits, see upload.ts
  server.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))

  endSlowBodies(server)
  addTraces(server, actorOf)
  server.addHook('onRequest', (request, reply, done) => {
    guard(request, reply).header('x-request-id', request.id)
    if (tls) reply.header('strict-transport-security', HSTS)
    const prefix = request.headers['x-forwarded-prefix']
    if (typeof prefix === 'string' && /[^/]/.test(prefix)) return done(prefixed(prefix))
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    // whoever is not signed in could make the server read and parse large bodies at addresses that do not exist
    if (request.is404 && (length !== undefined || encoding !== undefined)) done(notFound('call'))
    else done()
  })
  const seconds = new Histogram({
    name: 'innkeeper_http_seconds',
    help: 'Time to answer, by call and status',
    labelNames: ['method', 'route', 'status', 'actor'],
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
    registers: [registry],
  })
  const access = app.log.child({}, { redact: [] }) // the logged fields are listed below: nothing to redact
  server.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, id, ip } = request
    const { statusCode: status, elapsedTime } = reply
    const actor = actorOf(request)
    seconds.observe({ method, route: routeOptions.url ?? '-', status, actor }, elapsedTime / 1000)
    access.info({ id, ip: plainAddress(ip), method, url: loggedPath(request), status, ms: Math.round(elapsedTime) })
    done()
  })
  server.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error, request.routeOptions.bodyLimit)
    if (!refusal) request.log.error({ err: error, id: request.id }, 'a call failed')
    const { status, body } =
      refusal ?? new Refusal(500, { code: 'internal', message: 'Internal error. Details are in the log.' })
    return reply.code(status).send({ ...body, requestId: request.id })
  })

  addWatch(server, app, openReadiness(app, phase), registry)
  // built on the first request, because hundreds of schemas would slow down the start
  let document: ReturnType<typeof openapi> | undefined
  server.get('/api/openapi.json', async () => {
    document ??= openapi(contract, agentVersion(app.settings))
    return document
  })
  server.get('/api/docs', async (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage(contract)))

  server.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    if (request.url?.startsWith('/ws?') || request.url === '/ws')
      live.upgrade(request, socket, head).catch((error: Error) => socket.destroy(error))
    else socket.destroy()
  })
  await serveWeb(server, join(app.settings.repository, 'web/dist'))
  return server
}

/** Who asked: a program with its token, somebody signed in on the page, or somebody who is not signed in. */
function actorOf(request: FastifyRequest): 'token' | 'page' | 'guest' {
  const { token, mark } = tokenOf(request)
  if (!token) return 'guest'
  return mark === undefined ? 'token' : 'page'
}

/** A year. Innkeeper's name serves nothing but Innkeeper. */
const HSTS = 'max-age=31536000'

/** The id that the web app gave its request, so that people, journal and action log have the same one. */
const givenId = (given: string | string[] | undefined): string | undefined =>
  typeof given === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? given : undefined

const prefixed = (prefix: string) =>
  new Refusal(400, {
    code: 'prefix',
    message: `A proxy serves Innkeeper below ${prefix.slice(0, 100)}. Innkeeper needs a host name of its own: https://innkeeper.example.com/`,
  })

const guards = {
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}
const apiGuards = { 'cache-control': 'no-store', ...guards }

/** Default headers of every answer. A handler can override them, for example for a sandboxed download. */
const guard = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply.headers(request.url.startsWith('/api') ? apiGuards : guards)

/** The path without its query. People search for names of customers: a path with a searched text is named by its route. */
const loggedPath = (request: FastifyRequest): string => {
  const route = request.routeOptions.url
  return route && /:(term|text)\b/.test(route) ? route : pathOf(request)
}

const pathOf = ({ url }: FastifyRequest): string => {
  const end = url.indexOf('?')
  return end < 0 ? url : url.slice(0, end)
}

/** Pages of one-use links, which customers open: neither kept nor found, and no other page hears of them. */
const isPrivatePage = (path: string) => /^\/new-password\/?$/.test(path)
const privatePage = {
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
}

/** Serves the built web app. Every path without a file gets the app, which has the routes. */
async function serveWeb(server: FastifyInstance, root: string): Promise<void> {
  const built = existsSync(join(root, 'index.html'))
  if (built)
    await server.register(fastifyStatic, {
      root,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, path) => {
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
        if (isPrivatePage(pathOf(reply.request))) reply.headers(privatePage)
      },
    })
  server.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    if (path.startsWith('/api') || /^\/assets\//.test(path) || request.method !== 'GET') throw notFound('call')
    if (!built)
      return reply
        .code(503)
        .type('text/plain')
        .send('The web app is not built: npm start builds it, and a package has it.')
    return reply.header('cache-control', 'no-cache').sendFile('index.html')
  })
}

function refusalOf(error: unknown, bodyLimit = BODY_LIMIT): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (sqlState(error)?.code === '53100') return diskFull()
  if (isAway(error)) return databaseAway()
  if (sqlState(error)?.code === '23505') return conflict('That name is taken already')
  if (sqlState(error)?.code.startsWith('22')) return invalid({ '': 'A value is out of range or of the wrong kind' })
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 413)
    return new Refusal(413, {
      code: 'too-large',
      message:
        bodyLimit < BODY_LIMIT
          ? `More than ${bodyLimit / 1024} KiB in one request`
          : `More than ${BODY_LIMIT / 1_048_576} MiB in one request. Send it in parts.`,
    })
  if (error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500)
    return new Refusal(error.statusCode, {
      code: 'invalid',
      message: error.message,
    })
  return undefined
}

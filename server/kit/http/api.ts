import { missing, readsToo } from '@innkeeper/contract/kit/access'
import { type Contract, type Endpoint, type Input, type Output, statusOf } from '@innkeeper/contract/kit/endpoint'
import { binary, type Served, type Upload, type Written } from '@innkeeper/contract/kit/transfer'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Logger } from 'pino'
import * as z from 'zod'
import { type Staff, standing } from '../access/sessions.ts'
import type { App } from '../app/app.ts'
import { languageOf, speakIn } from '../app/language.ts'
import { type Audit, auditOf, type Entry, entryOf, logged, websiteOf, writeDenied, writeLog } from '../audit/audit.ts'
import type { Db } from '../db/db.ts'
import { clearCounts } from '../db/page.ts'
import { keepBlobs } from '../storage/blobs.ts'
import { plainAddress } from './address.ts'
import { checkMark, deviceOf, isOwnPage, keepInBrowser, markOf, tokenOf } from './browserSession.ts'
import { compiled, REFUSED } from './compiled.ts'
import { sendFile } from './download.ts'
import { databaseAway, denied, owing, Refusal, unavailable, withoutRow } from './errors.ts'
import { idempotencyKeyOf, once, usualStatus } from './idempotency.ts'
import { readInput } from './input.ts'
import { narrowed } from './narrowed.ts'
import { admitToken } from './tokenRules.ts'
import { dropUploads } from './upload.ts'
import type { StillMay } from './whileAllowed.ts'

/** Context of a handler. */
export interface Context {
  staff: Staff
  /** The transaction of the call if the call writes. */
  db: Db
  now: Date
  log: Logger
  audit: Audit
  app: App
  /** `authority`: host and port. `token`: for browsers the mark of the session, because scripts may not read their token. */
  request: { ip: string; id: string; host: string; authority: string; userAgent: string | null; token: string }
  browser: Browser
  /** For calls whose contract has several success codes. */
  status(code: number): void
  /** Runs the last transaction of a `stream`, which also writes the log row, so that no success lacks a row. */
  lastly<T>(work: (tx: Db) => Promise<T>): Promise<T>
}
/** The browser of a call from Innkeeper's own page. Programs have none: the functions do nothing for them. */
interface Browser {
  /** Stores the token of a session in a cookie; null removes it. */
  keep(token: string | null): void
  /** Moves a token that the page sent as a program would into the cookie. */
  adopt(): void
  /** Name of the browser, which stays the same from sign-in to sign-in. */
  device(): string | null
}
export type Handlers<C extends Contract> = {
  [K in keyof C]: (input: Input<C[K], 'out'>, context: Context) => Promise<Output<C[K], 'in'>>
}

const guest: Staff = {
  id: 0,
  username: '',
  name: 'guest',
  isAdmin: false,
  scopes: [],
  departmentId: null,
  owes: null,
  sessionKey: '',
  endsAt: 0,
}
// generic type for `bind`; `Handlers` checks each handler against its contract
type AnyHandler = (input: Record<string, unknown>, context: Context) => Promise<unknown>

/** The calls of a domain, for `Domain.calls`: adds each to the web server under its path and aliases. */
export const calls =
  <C extends Contract>(domain: string, contract: C, handlers: Handlers<C>) =>
  (server: FastifyInstance, app: App): void =>
    bind(server, app, domain, contract, handlers)

/** Serves a domain. Every call runs token → staff → permission → input → handler → output → log row. */
export function bind<C extends Contract>(
  server: FastifyInstance,
  app: App,
  domain: string,
  contract: C,
  handlers: Handlers<C>,
): void {
  for (const [name, endpoint] of Object.entries(contract)) {
    const serve = serveCall(app, domain, name, endpoint, handlers[name] as unknown as AnyHandler)
    for (const url of [endpoint.path, ...(endpoint.spec.aliases ?? [])])
      server.route({
        method: endpoint.method,
        url: `/api${url.replace(/:\w+\*$/, '*')}`,
        ...beforeBody(app, endpoint),
        handler: serve,
      })
  }
}

/** Maximum number of bytes of a JSON body from somebody who is not signed in. */
const GUEST_BODY = 65_536

/**
 * What is judged before the body is read. Without it, everybody could make the server store and parse large bodies. The
 * call itself authenticates again, because the session may end while the body arrives.
 */
function beforeBody(app: App, endpoint: Endpoint): Pick<RouteOptions, 'bodyLimit' | 'onRequest'> {
  if (endpoint.access === 'public') return endpoint.spec.content ? {} : { bodyLimit: GUEST_BODY }
  return {
    async onRequest(request) {
      const { headers } = request
      if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
      try {
        if (app.database.isAway()) throw databaseAway()
        await whoAsks(app, endpoint, request)
      } catch (error) {
        await discardBody(request)
        throw error
      }
    },
  }
}

/**
 * Waits for the end of a JSON body without storing the body. A proxy would answer 502 to an answer that comes while the
 * proxy still sends. Uploads have no such limit of size and are refused at once.
 */
function discardBody({ raw, headers, routeOptions }: FastifyRequest): Promise<void> {
  if (/^(multipart\/|application\/octet-stream)/.test(headers['content-type'] ?? '')) return Promise.resolve()
  return new Promise((done) => {
    let bytes = 0
    raw.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > (routeOptions.bodyLimit ?? 0)) done()
    })
    raw.once('end', done).once('close', done)
  })
}

function serveCall(app: App, domain: string, name: string, endpoint: Endpoint, handler: AnyHandler) {
  const names = entryOf(domain, name, endpoint)
  const fixed = statusOf(endpoint)
  const { returns } = endpoint.spec

  /** Lists and sums are read from a standby, if there is one; one row is found as quickly on the primary. */
  const read = async (call: (db: Db) => Promise<unknown>) => {
    const { replica } = app.database
    if (!replica || endpoint.schemas.params || returns === binary) return call(app.db)
    return replica.read(call, (error) => error instanceof Refusal)
  }

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    if (app.database.isAway()) throw databaseAway()
    const staff = await whoAsks(app, endpoint, request)
    const ip = plainAddress(request.ip)
    const entry: Entry = {
      ...names,
      staffId: staff.id || null,
      staffName: nameInLog(staff, endpoint),
      resourceId: null,
      workflowId: null,
      ip,
      requestId: request.id,
    }
    /** Whether the refusal of this call gets a log row. */
    const getsRow = () => {
      const { isLogged, isFirstLost } = app.refusals.count(staff.id, ip)
      if (isFirstLost)
        app.log.warn({ staff: staff.id, ip }, 'refused calls get no log rows for a while: there are too many')
      return isLogged
    }
    const deny = async (refusal: unknown) => {
      if (!(refusal instanceof Refusal && refusal.status === 429) && getsRow())
        await writeDenied(app.db, app.storedRow, { ...entry, resourceId: askedFor(request) })
      throw refusal
    }
    if (staff.token)
      try {
        admitToken(app, endpoint, staff.token, ip, reply)
      } catch (refusal) {
        await deny(refusal)
      }
    const lacking = lackingOf(endpoint, request, staff)
    if (lacking.length) await deny(denied(lacking))
    if (staff.owes && !endpoint.spec.whileOwing) throw owing(staff.owes)
    const key = idempotencyKeyOf(endpoint, request)
    const logFailure = (error: unknown, as: 'failed' | 'denied' = 'failed') =>
      writeLog(app.db, { ...entry, workflowId: null }, as, { error: reasonOf(error) }).catch((second) =>
        request.log.error({ err: second }, 'a failed call could not be logged'),
      )
    /** Throws once the session has ended or lacks the permission. While the database is away, nothing can be said. */
    const stillMay: StillMay = async () => {
      if (!staff.id) return
      const now = await app.sessions.byKey(staff.sessionKey).catch((error: unknown) => {
        if (error instanceof Refusal) throw error
        return staff
      })
      if (now.owes && !endpoint.spec.whileOwing) throw owing(now.owes)
      const lost = lackingOf(endpoint, request, now)
      if (lost.length) throw denied(lost)
    }
    const { input, uploads } = await readInput(app, endpoint, request, stillMay).catch(async (error: unknown) => {
      if (endpoint.effect !== 'read' && !isSenders(error) && getsRow()) await logFailure(error)
      throw error
    })
    if (typeof input.id === 'number') entry.resourceId = String(input.id)
    entry.websiteId = websiteOf(endpoint.path, input)
    const mayRead = isOwn(endpoint, request, staff) || readsToo(staff, endpoint.access)
    let status = fixed
    let isLogged = false
    let isAgain = false
    /** Runs the call in its transaction, keeps its files and writes its log row. */
    const held = <T>(tx: Db, work: () => Promise<T>): Promise<T> => {
      const whole = async () => {
        const done = await work()
        await keepBlobs(tx, keysOf(uploads))
        return done
      }
      return endpoint.spec.unfinished ? whole() : logged(tx, app.storedRow, entry, whole)
    }
    const context: Omit<Context, 'db'> = {
      staff,
      now: new Date(),
      log: request.log as Logger, // the instance that Fastify got as its logger
      audit: auditOf(entry),
      app,
      request: {
        ip,
        id: request.id,
        host: request.hostname,
        authority: request.host,
        userAgent: request.headers['user-agent'] ?? null,
        token: tokenShown(request, staff),
      },
      browser: {
        keep: (token) => {
          if (isOwnPage(request)) keepInBrowser(request, reply, token)
        },
        adopt: () => {
          const { token, mark } = tokenOf(request)
          if (isOwnPage(request) && mark === undefined && !staff.token) keepInBrowser(request, reply, token)
        },
        device: () => deviceOf(request, reply),
      },
      status: (code) => {
        status = code
      },
      lastly: (work) =>
        app.db.transaction(async (tx) => {
          const done = await held(tx, () => work(tx))
          Object.freeze(entry) // the log row is written: later changes of the entry would be lost
          isLogged = true
          return done
        }),
    }
    const call = async (db: Db) => {
      const answer = await handler(input, { ...context, db })
      if (returns === binary) return answer
      if (returns === undefined || answer === undefined) return undefined
      const whole = checked(returns, answer, `${endpoint.method} ${endpoint.path}`)
      return endpoint.effect === 'read' || creates(endpoint) || mayRead ? whole : narrowed(whole, input)
    }

    let answer: unknown
    try {
      if (endpoint.effect === 'read') answer = await read(call)
      else if (endpoint.effect === 'stream') {
        answer = await call(app.db)
        if (!isLogged) await app.db.transaction((tx) => held(tx, async () => undefined))
      } else {
        const work = (tx: Db) => held(tx, () => call(tx))
        answer = await app.db.transaction(async (tx) => {
          if (key === undefined) return work(tx)
          const done = await once(app, tx, { staff, endpoint, key, input, reply }, async () => {
            const made = await work(tx)
            return { answer: made, status: status ?? usualStatus(endpoint, made) }
          })
          status = done.status
          isAgain = done.isAgain
          return done.answer
        })
        if (isAgain) await dropUploads(app, uploads)
      }
    } catch (thrown) {
      const error = endpoint.spec.live && thrown instanceof z.ZodError ? notUnderstood(request, thrown) : thrown
      await dropUploads(app, uploads)
      const isDenied = error instanceof Refusal && error.status === 403
      const isLogged = !(error instanceof Refusal) || error.isLogged
      if (isLogged && (isDenied || endpoint.effect !== 'read') && getsRow())
        await logFailure(error, isDenied ? 'denied' : 'failed')
      throw mayRead ? error : withoutRow(error)
    }
    if (endpoint.effect !== 'read') clearCounts(app.db)
    app.uses.note(staff, isOwn(endpoint, request, staff) ? 'signedIn' : endpoint.access)
    // `Handlers` ensures this type of answer
    if (returns === binary) return sendFile(request, reply, answer as Served | Written, stillMay)
    reply.code(status ?? (answer === undefined ? 204 : 200))
    return answer === undefined ? reply.send() : answer
  }
  return (request: FastifyRequest, reply: FastifyReply) =>
    speakIn(languageOf(request.headers['accept-language']), () => serve(request, reply))
}

/** Names the token of a program, and a person who may make the call by an elevation only. */
function nameInLog(staff: Staff, { access }: Endpoint): string {
  if (staff.token) return `${staff.name} (token ${staff.token.name})`
  const isByElevation = !missing(staff, access).length && missing(standing(staff), access).length > 0
  return isByElevation ? `${staff.name} (elevated)` : staff.name
}

/** Permissions that the call needs and the caller lacks. */
const lackingOf = (endpoint: Endpoint, request: FastifyRequest, staff: Staff) =>
  isOwn(endpoint, request, staff) ? [] : missing(staff, endpoint.access)

/** True if the path names the caller. A program with a token needs the permission. */
function isOwn({ spec: { own } }: Endpoint, request: FastifyRequest, staff: Staff): boolean {
  // Fastify's parameters are strings
  return own !== undefined && !staff.token && (request.params as Record<string, unknown>)[own] === String(staff.id)
}

/** True if the call creates a row. Its caller sees the whole row. */
const creates = ({ method, schemas, access }: Endpoint) =>
  method === 'POST' && !schemas.params && [access].flat().every((scope) => scope.endsWith(':create'))

/** Authenticates by token, or by ticket for a download that the browser opens. */
async function whoAsks(app: App, endpoint: Endpoint, request: FastifyRequest): Promise<Staff> {
  if (endpoint.access === 'public') return guest
  const query = request.query as Record<string, unknown> // the type that parseQuery returns
  const kind = endpoint.spec.ticket
  if (!kind || typeof query.ticket !== 'string') return bySession(app, request)
  const { isRecorded = false, binds = [] } = kind
  const bound = Object.fromEntries(binds.map((key) => [key, query[key]]))
  const target = { path: request.url.replace(/\?.*/, ''), query: bound, isRecorded }
  return app.sessions.byKey(await app.tickets.open(app.db, query.ticket, target))
}

async function bySession(app: App, request: FastifyRequest): Promise<Staff> {
  const given = tokenOf(request)
  const staff = await app.sessions.authenticate(given.token, plainAddress(request.ip))
  checkMark(given, staff.sessionKey)
  return staff
}

/** The token of a program. A browser gets the mark of its session instead, which opens nothing. */
const tokenShown = (request: FastifyRequest, { sessionKey }: Staff): string =>
  isOwnPage(request) ? markOf(sessionKey) : tokenOf(request).token

const keysOf = (uploads: Upload[]) => uploads.map(({ key }) => key)
/** True for errors of the request, before the call starts. */
const isSenders = (error: unknown) =>
  error instanceof Refusal ? error.status < 500 : error instanceof Error && 'statusCode' in error
const reasonOf = (error: unknown) => (error instanceof Refusal ? (error.inLog ?? error.body.message) : 'internal error')

/** Id of the path, for the log row of a call that is refused before its input is read. */
function askedFor(request: FastifyRequest): string | null {
  const { id } = request.params as { id?: string } // route parameters are strings
  return id && /^\d{1,9}$/.test(id) ? id : null
}

/** Of a call that queries a server: the server answered nonsense, or its agent has another version. */
function notUnderstood(request: FastifyRequest, error: z.ZodError): Refusal {
  request.log.error({ err: error }, 'the answer of a server was not understood')
  return unavailable('The server answered what Innkeeper does not understand. Its agent may have another version.')
}

function checked(schema: z.ZodType, answer: unknown, call: string): unknown {
  const quickly = compiled(schema)(answer)
  if (quickly !== REFUSED) return quickly
  const result = schema.safeParse(answer)
  if (result.success) return result.data
  throw new Error(`${call} answered what its contract does not say: ${z.prettifyError(result.error)}`)
}

import { rmSync } from 'node:fs'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { roles } from '../access/roles/tables.ts'
import { hashPassword } from '../access/users/signIn/passwords.ts'
import { users } from '../access/users/tables.ts'
import { openSessions } from '../kit/access/sessions.ts'
import { openPermissionUses } from '../kit/access/uses.ts'
import type { App } from '../kit/app/app.ts'
import { wordingOf } from '../kit/app/secretKinds.ts'
import { secretsUnder } from '../kit/app/secrets.ts'
import { readSettings } from '../kit/app/settings.ts'
import { refusals } from '../kit/audit/refusals.ts'
import { openDatabase } from '../kit/db/open.ts'
import { openHttp } from '../kit/http/http.ts'
import { ticketsUnder } from '../kit/http/tickets.ts'
import { rates } from '../kit/http/tokenRules.ts'
import { openLive } from '../kit/live/live.ts'
import { diskStorage } from '../kit/storage/disk.ts'
import { readScopes, route, rowScopes, secretKinds, services } from '../registry.ts'
import { emptyDatabase } from './emptyDatabase.ts'
import { dumpOf, keepOn, template, templateOn } from './template.ts'

export interface Answer {
  status: number
  // any answer: each test states its expectation
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
}

/** The API without a TCP port, on PGlite in memory, or on a new database of the server that TEST_POSTGRES names. */
export interface TestApp {
  app: App
  http: FastifyInstance
  /** The data folder; uploads are in its folder `files/`. */
  folder: string
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    more?: {
      token?: string
      body?: unknown
      raw?: string | Buffer
      type?: string
      headers?: Record<string, string>
    },
  ): Promise<Answer>
  /**
   * A signed-in person with exactly these scopes, or an administrator. A person with a name can sign in again with the
   * password `password of <name>`.
   */
  somebody(scopes: string[] | 'admin', name?: string): Promise<{ id: number; token: string }>
  close(): Promise<void>
  /** Closes the app and keeps its data as a template for other test apps. */
  freeze(): Promise<Frozen>
}

/** A template for test apps: the name of a database on the tests' PostgreSQL or a dump of PGlite, and the uploads. */
export interface Frozen {
  database: string | Blob
  folder?: string
}
const newest = async (): Promise<Frozen> => {
  const server = process.env.TEST_POSTGRES
  return { database: server ? await templateOn(server) : await template() }
}

let people = 0
/** One hash for all unnamed people, who do not sign in again, because hashing is slow on purpose. */
const unnamed = hashPassword('a password that nobody uses')
/** The signing key of test tokens. */
export const TOKEN_KEY = 'a secret for tests only, long enough for HS256'

/** Opens a test app. `more` adds calls that exist only in the test. */
export async function openTestApp(
  log: Logger = pino({ level: 'silent' }),
  more: (http: FastifyInstance, app: App) => void = () => {},
  frozen?: Frozen,
): Promise<TestApp> {
  const settings = readSettings(
    {
      ...process.env,
      PORT: '0',
      INNKEEPER_KEY: 'a key for tests only',
      INNKEEPER_PRACTICE: 'off',
      INNKEEPER_PRIVATE_TARGETS: '127.0.0.0/8,::1',
      INNKEEPER_LOG: 'silent',
    },
    [],
  )
  const from = frozen ?? (await newest())
  const place = await emptyDatabase(typeof from.database === 'string' ? from.database : undefined)
  const database = await openDatabase(place.url, {
    ...(typeof from.database !== 'string' && { from: from.database }),
    strict: true,
  })
  const { db } = database
  const folder = await mkdtemp(join(tmpdir(), 'innkeeper-test-'))
  if (from.folder) await cp(from.folder, folder, { recursive: true })
  const sessions = await openSessions(database, TOKEN_KEY)
  const app: App = {
    settings,
    database,
    db,
    sessions,
    secrets: secretsUnder(settings.key, wordingOf(secretKinds)),
    storage: diskStorage(folder),
    tickets: ticketsUnder(TOKEN_KEY),
    refusals: refusals(),
    rates: rates(),
    uses: openPermissionUses(db),
    log,
    ...services,
  }
  const live = await openLive(database, sessions, { readScopes, rowScopes })
  const http = await openHttp(app, live)
  route(http, app)
  more(http, app)
  await http.ready()
  const stop = async () => {
    live.close()
    await http.close()
    await database.close()
  }
  return {
    app,
    http,
    folder,
    async call(method, path, { token, body, raw, type = 'application/json', headers = {} } = {}) {
      const answer = await http.inject({
        method,
        url: path,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...((body !== undefined || raw !== undefined) && { 'content-type': type }),
          ...headers,
        },
        ...(raw !== undefined ? { payload: raw } : body !== undefined && { payload: JSON.stringify(body) }),
      })
      const json = /json/.test(String(answer.headers['content-type']))
      return { status: answer.statusCode, body: json && answer.body ? answer.json() : answer.body }
    },
    async somebody(scopes, given) {
      const name = given ?? `person${++people}x${process.pid}`
      const [role] =
        scopes === 'admin'
          ? []
          : await db
              .insert(roles)
              .values({ name: `role of ${name}`, scopes })
              .returning()
      const [user] = await db
        .insert(users)
        .values({
          username: name,
          email: `${name}@example.org`,
          firstName: 'Some',
          lastName: name,
          passwordHash: await (given ? hashPassword(`password of ${name}`) : unnamed),
          isAdmin: scopes === 'admin',
          roleId: role?.id,
        })
        .returning()
      return { id: user!.id, token: await sessions.open(db, user!.id, { ip: null, userAgent: null }) }
    },
    async close() {
      await stop()
      await place.drop()
      await rm(folder, { recursive: true, force: true })
    },
    async freeze() {
      const dump = place.url === 'memory:' ? await dumpOf(database) : undefined
      await stop()
      process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
      const { TEST_POSTGRES: server } = process.env
      return { database: dump ?? (await keepOn(server ?? '', new URL(place.url).pathname.slice(1))), folder }
    },
  }
}

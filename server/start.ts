import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ensureScopes } from './access/scopes/sync.ts'
import { ensureAdministrator } from './access/users/administrator.ts'
import { openPreview } from './hosting/websites/preview/preview.ts'
import { openSessions } from './kit/access/sessions.ts'
import { type AgentsDoor, openAgentsDoor } from './kit/agents/door.ts'
import type { App } from './kit/app/app.ts'
import { nameOfKey } from './kit/app/keyring.ts'
import { openLog } from './kit/app/log.ts'
import { offerTasks } from './kit/app/offeredTasks.ts'
import { wordingOf } from './kit/app/secretKinds.ts'
import { secretsUnder } from './kit/app/secrets.ts'
import type { Settings } from './kit/app/settings.ts'
import { refusals } from './kit/audit/refusals.ts'
import { startSealing } from './kit/audit/sealing.ts'
import { checkProgram, SCHEMA_CHANNEL, TooOld } from './kit/db/migrations.ts'
import { openDatabase } from './kit/db/open.ts'
import { openHttp } from './kit/http/http.ts'
import { openTickets } from './kit/http/tickets.ts'
import { rates } from './kit/http/tokenRules.ts'
import { type Live, openLive } from './kit/live/live.ts'
import { openStorage } from './kit/storage/open.ts'
import { startWorker } from './kit/work/worker.ts'
import { agentRegistry } from './machines/servers/agents/registry.ts'
import { startPractice } from './machines/servers/enrolment/practice.ts'
import { readScopes, route, schedules, secretKinds, services } from './registry.ts'
import { tasks } from './tasks.ts'

export interface Running {
  app: App
  /** The port of this node; undefined without the API role. */
  port: number | undefined
  agentPort: number | undefined
  /** The first administrator's password, if it was generated at this start. */
  password: string | undefined
  /** Resolves when the database needs a newer program than this one. */
  outdated: Promise<TooOld>
  stop(): Promise<void>
}

/** Starts all parts of one process in the order of their dependencies; stops them in reverse. */
export async function start(settings: Settings, log: Logger = openLog(settings.logLevel)): Promise<Running> {
  const closing: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    const database = await openDatabase(settings.database, { keyName: nameOfKey(settings.key) })
    closing.push(() => database.close())
    const { db } = database
    const outdated = Promise.withResolvers<TooOld>()
    if (!settings.embedded)
      await database.listen(SCHEMA_CHANNEL, () => {
        checkProgram(db).catch((error: unknown) => {
          if (error instanceof TooOld) outdated.resolve(error) // otherwise the database is away, and is asked again
        })
      })
    const secrets = secretsUnder(settings.key, wordingOf(secretKinds))
    await secrets.currentKey(db) // a wrong key is named at once
    const jwtKey = await secrets.readOrMake(db, 'sessions', () =>
      Buffer.from(crypto.getRandomValues(new Uint8Array(48))).toString('base64'),
    )
    const sessions = await openSessions(database, jwtKey)
    const { password } = await ensureAdministrator(db, settings.adminPassword)
    await ensureScopes(db)
    const storage = openStorage(settings)
    const tickets = await openTickets(db, secrets)
    const app: App = {
      settings,
      database,
      db,
      secrets,
      sessions,
      storage,
      tickets,
      refusals: refusals(),
      rates: rates(),
      log,
      ...services,
    }
    if (settings.embedded) closing.push(await offerTasks(settings, db, tasks))

    let http: FastifyInstance | undefined
    let live: Live | undefined
    let door: AgentsDoor | undefined
    if (settings.roles.has('worker')) {
      const worker = await startWorker(app, schedules)
      closing.push(() => worker.stop())
      const sealing = startSealing(app)
      closing.push(() => sealing.stop())
    }
    if (settings.roles.has('api')) {
      const sockets = await openLive(database, sessions, readScopes)
      live = sockets
      let ready = false
      http = await openHttp(app, live, () => ready)
      route(http, app)
      const listening = http
      closing.push(() => listening.close())
      closing.push(() => sockets.close()) // closed before the listener, which waits for every connection to end
      door = await openAgentsDoor(app, agentRegistry)
      closing.push(() => door?.close())
      await http.listen({ port: settings.port, host: settings.host })
      ready = true
      closing.push(() => {
        ready = false
      })
      app.practice = startPractice(app)
      closing.push(() => app.practice?.stop())
      if (settings.practice !== 'off') {
        const preview = await openPreview(app)
        closing.push(() => preview.close())
      }
    }
    const address = http?.server.address()
    const port = typeof address === 'object' && address ? address.port : undefined
    return { app, port, agentPort: door?.port, password, outdated: outdated.promise, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { ensureScopes } from './access/scopes/sync.ts'
import { ensureAdministrator } from './access/users/administrator.ts'
import { openPreview } from './hosting/websites/preview/preview.ts'
import { openSessions } from './kit/access/sessions.ts'
import { openPermissionUses } from './kit/access/uses.ts'
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
import { openHttp, type Phase } from './kit/http/http.ts'
import { openTickets } from './kit/http/tickets.ts'
import { openRedirect } from './kit/http/tls.ts'
import { rates } from './kit/http/tokenRules.ts'
import { openLive } from './kit/live/live.ts'
import { openStorage } from './kit/storage/open.ts'
import { openTraces } from './kit/trace/send.ts'
import { startReporting } from './kit/watch/nodes.ts'
import { openReadiness } from './kit/watch/readiness.ts'
import { openRegistry } from './kit/watch/registry.ts'
import { openWorkerPort } from './kit/watch/workerPort.ts'
import type { Rounds } from './kit/work/schedule.ts'
import { startWorker } from './kit/work/worker.ts'
import { agentRegistry } from './machines/servers/agents/registry.ts'
import { startPractice } from './machines/servers/enrolment/practice.ts'
import { challengeAnswer } from './net/ssl/own/ownCertificate.ts'
import { openCertificate } from './operating/certificate.ts'
import { readScopes, route, rowScopes, schedules, secretKinds, services } from './registry.ts'
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
  /** From now on /readyz says that the process stops; it still takes requests. */
  drain(): void
  stop(): Promise<void>
}

/** Starts all parts of one process in the order of their dependencies; stops them in reverse. */
export async function start(settings: Settings, log: Logger = openLog(settings.logLevel)): Promise<Running> {
  const closing: (() => unknown)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    const traces = openTraces(settings, log)
    closing.push(() => traces?.stop())
    const database = await openDatabase(settings.database, {
      keyName: nameOfKey(settings.key),
      replica: settings.replica,
    })
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
    const uses = openPermissionUses(db)
    closing.push(() => uses.flush())
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
      uses,
      log,
      ...services,
    }
    if (settings.embedded) closing.push(await offerTasks(settings, db, tasks))

    let http: FastifyInstance | undefined
    let door: AgentsDoor | undefined
    let rounds: Rounds | undefined
    let phase: Phase = 'starting'
    if (settings.roles.has('worker')) {
      const worker = await startWorker(app, schedules)
      rounds = worker.rounds
      app.rounds = rounds
      closing.push(() => worker.stop())
      const sealing = startSealing(app)
      closing.push(() => sealing.stop())
      if (settings.workerPort !== undefined) {
        const readiness = openReadiness(app, () => phase)
        const watch = await openWorkerPort(app, settings.workerPort, readiness, openRegistry(app, { rounds }))
        closing.push(() => watch.close())
      }
    }
    if (settings.roles.has('api')) {
      const sockets = await openLive(database, sessions, { readScopes, rowScopes })
      const certificate = await openCertificate(app)
      closing.push(() => certificate?.stop())
      const registry = openRegistry(app, { sockets: () => sockets.count, ...(rounds && { rounds }) })
      http = await openHttp(app, sockets, { phase: () => phase, registry, tls: certificate?.tls })
      route(http, app)
      const listening = http
      closing.push(() => listening.close())
      closing.push(() => sockets.close()) // closed before the listener, which waits for every connection to end
      door = await openAgentsDoor(app, agentRegistry)
      closing.push(() => door?.close())
      await http.listen({ port: settings.port, host: settings.host })
      if (settings.httpPort !== undefined) {
        const redirect = openRedirect({ name: settings.publicHost, port: settings.port }, (token) =>
          challengeAnswer(app, token),
        )
        await listenOn(redirect, settings.httpPort, settings.host)
        closing.push(() => redirect.close())
      }
      certificate?.begin()
      app.practice = startPractice(app)
      closing.push(() => app.practice?.stop())
      if (settings.practice !== 'off') {
        const preview = await openPreview(app)
        closing.push(() => preview.close())
      }
    }
    phase = 'running'
    const drain = () => {
      phase = 'stopping'
    }
    closing.push(drain)
    const address = http?.server.address()
    const port = typeof address === 'object' && address ? address.port : undefined
    const reporting = startReporting(app, port)
    closing.push(() => reporting.stop())
    return { app, port, agentPort: door?.port, password, outdated: outdated.promise, drain, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function listenOn(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, resolve)
  })
}

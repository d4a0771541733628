import { createReadStream } from 'node:fs'
import {
  type Answer,
  Answer as answerSchema,
  type Chunk,
  Chunk as chunkSchema,
  type DoorAnswer,
  type DoorPath,
  door,
  operation,
} from '@innkeeper/contract/agent/door'
import Fastify, { type FastifyBaseLogger, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import * as z from 'zod'
import type { App } from '../app/app.ts'
import type { Db } from '../db/db.ts'
import { isAway } from '../db/failures.ts'
import { plainAddress } from '../http/address.ts'
import { invalid, Refusal, unavailable } from '../http/errors.ts'
import { endSlowBodies } from '../http/slowBodies.ts'
import { beat, finish, LEASE_S } from '../work/claim.ts'
import { openQueue } from '../work/queue.ts'
import { serveBlobs } from './blobs.ts'
import { agentVersion, type Download, download, downloads, installScript } from './downloads.ts'
import { agentsIdentity } from './identity.ts'

const POLL_MS = 25_000
const BODY = 2_000_000

/** Functions of the servers domain that the agents' port needs, to identify agents and to store heartbeats. */
export interface AgentRegistry {
  enrol(app: App, body: z.output<(typeof door)['/agent/enrol']['body']>): Promise<DoorAnswer<'/agent/enrol'>>
  isGoodToken(db: Db, token: string): Promise<boolean>
  /** Id of the server that has this credential; undefined if there is none. */
  serverOf(db: Db, credential: string): Promise<number | undefined>
  recordHeartbeat(
    db: Db,
    serverId: number,
    beat: z.output<(typeof door)['/agent/heartbeat']['body']>,
    peer: string,
  ): Promise<void>
}

export interface AgentsDoor {
  port: number
  close(): Promise<void>
}

/** Listens for agents on a separate TLS port. The enrolment command carries the pin of its key. */
export async function openAgentsDoor(app: App, registry: AgentRegistry): Promise<AgentsDoor> {
  const caller = (request: FastifyRequest) => callerOf(app, registry, request)
  const { key, cert, pin } = await agentsIdentity(app)
  const queue = await openQueue(app)
  const server = Fastify({
    https: { key, cert, minVersion: 'TLSv1.2' },
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }), // agents send requests all the time
    bodyLimit: BODY,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
  })
  endSlowBodies(server)
  server.removeContentTypeParser(['application/json', 'text/plain'])
  server.addContentTypeParser('application/json', { parseAs: 'string' }, async (_: unknown, body: string | Buffer) => {
    try {
      return JSON.parse(String(body), clean)
    } catch {
      throw invalid({ '': 'The body is not JSON' })
    }
  })
  server.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    if (!refusal) app.log.error({ err: error, url: request.routeOptions.url }, 'an agent’s call failed')
    const { status, body } = refusal ?? new Refusal(500, { code: 'internal', message: 'Internal error' })
    return reply.code(status).send(body)
  })

  const serve = <P extends DoorPath>(path: P, handle: (request: FastifyRequest) => Promise<DoorAnswer<P>>) =>
    server.post(path, handle)
  serve('/agent/enrol', ({ body }) => registry.enrol(app, read(door['/agent/enrol'].body, body)))
  serve('/agent/claim', async (request) => {
    const serverId = await caller(request)
    const { lane, free, held } = read(door['/agent/claim'].body, request.body)
    const { socket } = request.raw
    const found = await queue.next(serverId, lane, free, POLL_MS, { gone: () => socket.destroyed, held })
    return { ...found, leaseMs: LEASE_S * 1000 }
  })
  serve('/agent/report', async (request) => {
    const serverId = await caller(request)
    const { held, chunks, answers } = readReport(request.body)
    const { gone, stop } = await beat(app.db, serverId, held, chunks)
    return { gone, stop, accepted: await finish(app.db, serverId, answers) }
  })
  serve('/agent/heartbeat', async (request) => {
    const serverId = await caller(request)
    await registry.recordHeartbeat(
      app.db,
      serverId,
      read(door['/agent/heartbeat'].body, request.body),
      plainAddress(request.ip),
    )
    return { version: agentVersion(app.settings), addresses: app.settings.agentAddresses }
  })

  serveBlobs(server, app, caller)

  server.get('/enrol', async (request, reply) => {
    const { host, authorization } = request.headers
    const token = /^Bearer ([\w-]{1,100})$/.exec(authorization ?? '')?.[1] ?? ''
    // the value becomes part of a shell script
    if (!/^[a-z0-9.:[\]-]{1,260}$/i.test(host ?? '')) throw invalid({ host: 'Not a host name or address' })
    const good = await registry.isGoodToken(app.db, token)
    reply.type('text/x-shellscript; charset=utf-8')
    return installScript(app.settings, good ? { url: `https://${host}`, pin, token } : undefined)
  })
  for (const name of Object.keys(downloads) as Download[])
    server.get(`/download/${name}`, (_request, reply) => send(app, name, reply))

  await server.listen({ port: app.settings.agentPort, host: app.settings.agentHost })
  const address = server.server.address()
  const port = typeof address === 'object' && address ? address.port : app.settings.agentPort
  app.settings.agentPort = port // port 0 picks a free port: store the chosen port for enrolment commands
  return {
    port,
    async close() {
      queue.close()
      await server.close()
    },
  }
}

/** jsonb and text columns reject NUL and unpaired surrogates; the agent would send such a report again forever. */
const clean = (_: string, value: unknown) =>
  typeof value === 'string' ? value.replaceAll('\0', '\ufffd').toWellFormed() : value

async function callerOf(app: App, registry: AgentRegistry, request: FastifyRequest): Promise<number> {
  const credential = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  const serverId = credential && (await registry.serverOf(app.db, credential))
  if (!serverId) throw new Refusal(401, { code: 'credential', message: 'This credential is unknown or revoked' })
  return serverId
}

function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  throw invalid(Object.fromEntries(result.error.issues.map((issue) => [issue.path.join('.'), issue.message])))
}

const some = z.array(z.unknown()).max(200)
const Report = z.object({ held: some, chunks: some, answers: some })

/** Drops an invalid line; an invalid answer blocks only its own action. The other lines and answers are stored. */
function readReport(body: unknown): { held: z.output<typeof operation>[]; chunks: Chunk[]; answers: Answer[] } {
  const { held, chunks, answers } = read(Report, body)
  const good = <S extends z.ZodType>(schema: S, items: unknown[]) =>
    items.flatMap((item) => schema.safeParse(item).data ?? []) as z.output<S>[] // flatMap loses the item type
  return {
    held: good(operation, held),
    chunks: good(chunkSchema, chunks),
    answers: answers.flatMap((answer) => {
      const result = answerSchema.safeParse(answer)
      if (result.success) return result.data
      const which = operation.safeParse(answer).data
      const reason = `The agent’s answer was not understood: ${z.prettifyError(result.error)}`.slice(0, 4000)
      return which ? { ...which, status: 'blocked' as const, reason } : []
    }),
  }
}

async function send(app: App, name: Download, reply: FastifyReply) {
  const file = await download(app.settings, name)
  if (!file)
    throw new Refusal(404, {
      code: 'not-found',
      message: `${downloads[name]} is missing: npm start builds it, and a package has it`,
    })
  reply.type('application/octet-stream').header('content-length', file.size)
  return reply.send(createReadStream(file.path))
}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (isAway(error)) return unavailable('The database is unavailable. Try again.')
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status < 500 ? new Refusal(status, { code: 'invalid', message: (error as Error).message }) : undefined
}

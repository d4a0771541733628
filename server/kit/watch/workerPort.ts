import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { Registry } from 'prom-client'
import type { App } from '../app/app.ts'
import { Refusal } from '../http/errors.ts'
import type { Readiness } from './readiness.ts'
import { addWatch } from './watch.ts'

/** The port of a worker, which serves nothing else: on the loopback address, because it has no https. */
export async function openWorkerPort(
  app: App,
  port: number,
  readiness: () => Promise<Readiness>,
  registry: Registry,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  server.setErrorHandler((error, _request, reply) => {
    if (error instanceof Refusal) return reply.code(error.status).send(error.body)
    app.log.error({ err: error }, 'the port of the worker')
    return reply.code(500).send({ code: 'internal', message: 'Internal error' })
  })
  addWatch(server, app, readiness, registry)
  await server.listen({ port, host: '127.0.0.1' })
  const address = server.server.address()
  return { port: typeof address === 'object' && address ? address.port : port, close: () => server.close() }
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { App } from '../app/app.ts'
import { notFound } from '../http/errors.ts'
import type { Readiness } from './readiness.ts'

/** Adds `/healthz` (alive), `/readyz` (may get requests) and `/metrics` to a web server. */
export function addWatch(
  server: FastifyInstance,
  { settings }: Pick<App, 'settings'>,
  readiness: () => Promise<Readiness>,
  registry: Registry,
): void {
  server.get('/healthz', async () => ({ alive: true }))
  server.get('/readyz', async (_request, reply) => {
    const now = await readiness()
    return reply.code(now.ready ? 200 : 503).send(now)
  })
  server.get('/metrics', async (request, reply) => {
    const { metricsToken } = settings
    const allowed = metricsToken ? request.headers.authorization === `Bearer ${metricsToken}` : isFromHere(request)
    if (!allowed) throw notFound('page')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

const forwarding = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']

/** True for a direct request from this machine. A forwarded request never counts, whatever address it claims. */
const isFromHere = ({ ip, headers }: FastifyRequest): boolean =>
  ['127.0.0.1', '::1', '::ffff:127.0.0.1'].includes(ip) && forwarding.every((name) => headers[name] === undefined)

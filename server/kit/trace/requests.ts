import type { FastifyInstance, FastifyRequest } from 'fastify'
import { at, isTracing, newSpanId, now, type Place, readParent, record } from './trace.ts'

interface Begun {
  place: Place
  parentId?: string
  from: number
}

/**
 * Measures every request. A program says by `traceparent` which span it belongs to. Otherwise the id of the request is the
 * id of the trace, so that the id in an error dialog finds it (decision 190).
 */
export function addTraces(server: FastifyInstance, actorOf: (request: FastifyRequest) => string): void {
  if (!isTracing()) return
  const begun = new WeakMap<FastifyRequest, Begun>()
  server.addHook('onRequest', (request, _reply, done) => {
    const parent = readParent(request.headers.traceparent)
    const place = { traceId: parent?.traceId ?? request.id.replaceAll('-', ''), spanId: newSpanId() }
    begun.set(request, { place, from: now(), ...(parent && { parentId: parent.spanId }) })
    at(place, done)
  })
  // what comes with the body runs elsewhere: the handler gets its place once more
  server.addHook('preHandler', (request, _reply, done) => {
    const known = begun.get(request)
    if (known) at(known.place, done)
    else done()
  })
  server.addHook('onResponse', (request, reply, done) => {
    const known = begun.get(request)
    const { url = '-' } = request.routeOptions
    if (known && url !== '-' && url.startsWith('/api'))
      record({
        ...known.place,
        ...(known.parentId && { parentId: known.parentId }),
        ...{ name: `${request.method} ${url}`, kind: 'server', from: known.from, to: now() },
        failed: reply.statusCode >= 500,
        attributes: {
          'http.request.method': request.method,
          'http.route': url,
          'http.response.status_code': reply.statusCode,
          'innkeeper.actor': actorOf(request),
          'innkeeper.request': request.id,
        },
      })
    done()
  })
}

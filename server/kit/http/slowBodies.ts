import type { FastifyInstance, FastifyRequest } from 'fastify'

const limits = {
  /** Seconds that every body may take, and the pace that it needs afterwards: uploads may be large and lines slow. */
  freeS: 20,
  bytesPerS: 1_000,
  /** Seconds after which a body that is no upload must be whole. */
  wholeS: 30,
  lookMs: 2_000,
}

interface Body {
  since: number
  /** Bytes of the connection when the request began. */
  from: number
  isUpload: boolean
}

/**
 * Ends requests whose body drips: each would hold a connection and memory without bound. Neither Node's request timeout,
 * which would end slow uploads too, nor the one of a silent connection notices them.
 */
export function endSlowBodies(
  server: FastifyInstance,
  { freeS, bytesPerS, wholeS, lookMs }: typeof limits = limits,
): void {
  const bodies = new Map<FastifyRequest['raw'], Body>()
  server.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    if (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined) {
      const isUpload = /^(multipart\/|application\/octet-stream)/.test(headers['content-type'] ?? '')
      bodies.set(raw, { since: performance.now(), from: raw.socket.bytesRead, isUpload })
      const over = () => bodies.delete(raw)
      raw.once('end', over).once('close', over)
    }
    done()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [raw, { since, from, isUpload }] of bodies) {
      const seconds = (now - since) / 1000
      const isOurs = raw.readableLength >= raw.readableHighWaterMark // it waits for us to read on
      const wanted = (seconds - freeS) * bytesPerS
      const isSlow = raw.socket.bytesRead - from < wanted && !isOurs
      if (isSlow || (!isUpload && seconds > wholeS)) raw.destroy()
    }
  }, lookMs)
  timer.unref()
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer)
    done()
  })
}

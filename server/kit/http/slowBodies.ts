import type { FastifyInstance, FastifyRequest } from 'fastify'

const limits = {
  /** Seconds that every body may take. Afterwards it needs at least `bytesPerS` on average. */
  freeS: 20,
  bytesPerS: 1_000,
  /** Seconds within which a body that is not an upload must be complete. */
  wholeS: 30,
  lookMs: 2_000,
}

interface Body {
  since: number
  /** Bytes that the connection had received when the request began. */
  from: number
  isUpload: boolean
}

/**
 * Closes connections whose body arrives too slowly, because each would occupy a connection and memory without limit.
 * Node's request timeout would end slow uploads too, and its timeout for silent connections does not detect slow
 * bodies.
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
      const isOurs = raw.readableLength >= raw.readableHighWaterMark // the sender waits until this server reads more
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

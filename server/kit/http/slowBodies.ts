import type { FastifyInstance, FastifyRequest } from 'fastify'

const limits = {
  /** Seconds of a window. In each window a body needs at least `bytesPerS` on average. */
  windowS: 20,
  bytesPerS: 1_000,
  /** Seconds within which a body that is not an upload must be complete. */
  wholeS: 30,
  lookMs: 2_000,
}

interface Body {
  since: number
  /** Start of the current window, and the bytes that the connection had received then. */
  window: { since: number; from: number }
  isUpload: boolean
}

/**
 * Closes connections whose body arrives too slowly, because each would occupy a connection and memory without limit.
 * Node's request timeout would end slow uploads too, and its timeout for silent connections does not detect slow
 * bodies. A fast beginning earns no time for a slow rest.
 */
export function endSlowBodies(
  server: FastifyInstance,
  { windowS, bytesPerS, wholeS, lookMs }: typeof limits = limits,
): void {
  const bodies = new Map<FastifyRequest['raw'], Body>()
  server.addHook('onRequest', ({ raw, headers }, _reply, done) => {
    if (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined) {
      const isUpload = /^(multipart\/|application\/octet-stream)/.test(headers['content-type'] ?? '')
      const since = performance.now()
      bodies.set(raw, { since, window: { since, from: raw.socket.bytesRead }, isUpload })
      const over = () => bodies.delete(raw)
      raw.once('end', over).once('close', over)
    }
    done()
  })
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [raw, body] of bodies) {
      const { since, window, isUpload } = body
      const { bytesRead } = raw.socket
      const isOver = now - window.since > windowS * 1000
      const isOurs = raw.readableLength >= raw.readableHighWaterMark // the sender waits until this server reads more
      const isSlow = isOver && !isOurs && bytesRead - window.from < windowS * bytesPerS
      if (isSlow || (!isUpload && now - since > wholeS * 1000)) raw.destroy()
      else if (isOver || isOurs) body.window = { since: now, from: bytesRead }
    }
  }, lookMs)
  timer.unref()
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer)
    done()
  })
}

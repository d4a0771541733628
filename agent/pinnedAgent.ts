import { createHash, timingSafeEqual } from 'node:crypto'
import { Agent } from 'node:https'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect } from 'node:tls'

/** An HTTPS agent that accepts only the pinned key. */
export class PinnedAgent extends Agent {
  readonly #pin: Buffer
  constructor(pin: string) {
    super({ keepAlive: true, maxSockets: 8, maxCachedSessions: 0 })
    this.#pin = Buffer.from(pin, 'base64')
  }

  override createConnection(
    options: ConnectionOptions,
    done?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    const socket = connect({ ...options, rejectUnauthorized: false, session: undefined })
    const refuse = (error: Error) => done?.(error, socket)
    socket.once('error', refuse)
    socket.once('secureConnect', () => {
      const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
      const seen = createHash('sha256')
        .update(key ?? '')
        .digest()
      if (seen.length !== this.#pin.length || !timingSafeEqual(seen, this.#pin))
        return socket.destroy(
          new Error(`the key of ${options.host} is not the pinned one (sha256//${seen.toString('base64')})`),
        )
      socket.off('error', refuse)
      done?.(null, socket)
    })
    return undefined
  }
}

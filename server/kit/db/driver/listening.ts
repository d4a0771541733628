import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Time between two beats; `RETURN_MS`: time in which a beat must return. A stall is noticed within the sum of both. */
const PAUSE_MS = 2_000
const RETURN_MS = 3_000
const RECONNECT_MS = 200

interface Ear {
  heard: (payload: string) => void
  lost?: (() => void) | undefined
  /** Called with false when no connection to the database can be made, and with true when one was. */
  reached: (isThere: boolean) => void
}

const isNetworks = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && /^E[A-Z]+$/.test(String(error.code))) || /timeout/.test(error.message))

/**
 * One LISTEN connection that reconnects whenever it ends or stalls. A half-open connection gives neither errors nor
 * notifications, so the connection sends a heartbeat to itself on its own channel. NOTIFY keeps the order of commits, so that a beat that
 * returns proves that all earlier notifications have arrived.
 */
export function keepListening(connectionString: string, channel: string, { heard, lost, reached }: Ear) {
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let drop = () => {}
  const { promise: listening, resolve } = Promise.withResolvers<void>()

  const connect = () => {
    if (closed) return
    const own = `beat_${randomBytes(9).toString('hex')}`
    const client = new pg.Client({
      connectionString,
      application_name: `innkeeper listens to ${channel}`, // pg_stat_activity
      keepAlive: true,
      connectionTimeoutMillis: RETURN_MS,
    })
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      lost?.()
      if (!closed) timer = setTimeout(connect, RECONNECT_MS)
      // a stalled connection never answers `end`, so that its socket is destroyed too
      client.end().catch(() => {})
      client.connection.stream.destroy()
    }
    drop = over
    const awaitReturn = () => {
      timer = setTimeout(over, RETURN_MS)
    }
    const beat = () => {
      awaitReturn()
      client.query('select pg_notify($1, $2)', [own, '']).catch(over)
    }
    client.on('notification', ({ channel: from, payload = '' }) => {
      if (isOver) return
      if (from !== own) return heard(payload)
      clearTimeout(timer)
      timer = setTimeout(beat, PAUSE_MS)
    })
    client.on('error', over).on('end', over)
    client
      .connect()
      .catch((error: unknown) => {
        if (!isOver && isNetworks(error)) reached(false)
        throw error
      })
      .then(() => {
        reached(true)
        awaitReturn()
        return client.query(`listen "${channel}"; listen "${own}"`)
      })
      .then(() => {
        if (isOver) return
        heard('')
        resolve()
        clearTimeout(timer)
        beat()
      })
      .catch(over)
  }
  connect()

  return {
    listening,
    end() {
      closed = true
      drop()
    },
  }
}

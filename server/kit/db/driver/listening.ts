import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Time between two beats, and time in which a beat must return. Together: how long a stalled connection is believed. */
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
 * One LISTEN connection that connects again whenever it ends or stalls. A connection can be half open: no error, and no
 * notification either. So it notifies itself on a channel of its own. NOTIFY keeps the order of commits: a beat that
 * returned proves that everything committed before it was heard.
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
      // a stalled connection never answers the farewell: cut the socket
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

import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Time between two beats; `RETURN_MS`: time in which a beat must return. A stall is noticed within the sum of both. */
const PAUSE_MS = 2_000
const RETURN_MS = 3_000
const RECONNECT_MS = 200

interface Ear {
  channel: string
  heard: (payload: string) => void
  lost?: (() => void) | undefined
  /** Resolves when PostgreSQL listened to the channel for the first time. */
  listening: PromiseWithResolvers<void>
}

/** What pg_stat_activity shows: a node, and the key in its settings (keyring.ts). */
export const listenerName = (keyName: string): string => `innkeeper listens ${keyName}`.trim()

const isNetworks = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && /^E[A-Z]+$/.test(String(error.code))) || /timeout/.test(error.message))

/**
 * The LISTEN connection of a node. All channels share it, because PostgreSQL wakes every listening connection at each
 * commit that notifies. It connects at the first channel and again whenever it ends or stalls. A half-open connection
 * gives neither errors nor notifications, so the connection sends a heartbeat to itself on a channel of its own. NOTIFY
 * keeps the order of commits, so that a beat that returns proves that all earlier notifications have arrived.
 *
 * `reached` is called with false when no connection to the database can be made, and with true when one was.
 */
export function openListener(connectionString: string, reached: (isThere: boolean) => void, keyName = '') {
  const ears: Ear[] = []
  let closed = false
  let timer: NodeJS.Timeout | undefined
  let drop: (() => void) | undefined
  /** Listens to a channel on the current connection; undefined while there is none. */
  let subscribe: ((ear: Ear) => Promise<void>) | undefined

  const connect = () => {
    if (closed) return
    const own = `beat_${randomBytes(9).toString('hex')}`
    const client = new pg.Client({
      connectionString,
      application_name: listenerName(keyName),
      keepAlive: true,
      pipeline: true, // a new channel does not wait for a beat
      connectionTimeoutMillis: RETURN_MS,
    })
    let isOver = false
    const over = () => {
      if (isOver) return
      isOver = true
      subscribe = undefined
      clearTimeout(timer)
      for (const { lost } of ears) lost?.()
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
      if (from !== own) {
        for (const { channel, heard } of ears) if (channel === from) heard(payload)
        return
      }
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
      .then(async () => {
        reached(true)
        awaitReturn()
        subscribe = async ({ channel, heard, listening }) => {
          await client.query(`listen "${channel}"`)
          if (isOver) return
          heard('')
          listening.resolve()
        }
        await Promise.all([client.query(`listen "${own}"`), ...ears.map(subscribe)])
        if (isOver) return
        clearTimeout(timer)
        beat()
      })
      .catch(over)
  }

  return {
    /** Calls `heard` with each payload, and with '' whenever payloads may have been missed before. */
    listen(channel: string, heard: Ear['heard'], lost?: Ear['lost']): Promise<void> {
      const ear = { channel, heard, lost, listening: Promise.withResolvers<void>() }
      ears.push(ear)
      if (!drop) connect()
      else subscribe?.(ear).catch(drop)
      return ear.listening.promise
    },
    end() {
      closed = true
      drop?.()
    },
  }
}

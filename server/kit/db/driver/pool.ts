import type { Client, ClientConfig, PoolClient } from 'pg'
import { traced } from '../../trace/statements.ts'
import type { Db } from '../db.ts'
import { isAway as isAwayError } from '../failures.ts'
import { shapeQuickly } from './mapping.ts'
import { shareReads } from './prepared.ts'
import { Readers } from './readers.ts'
import type { Turn } from './turn.ts'

export const config = { casing: 'snake_case' as const }
// JIT compilation, chosen for an estimate of a hundred thousand rows, took 400 ms for a list of five
export const options = '-c timezone=UTC -c jit=off'

/** What pg_stat_activity shows of the shared connections for reads. */
export const sharedReads = 'innkeeper reads'

/** Maximum number of milliseconds to get a connection of the pool, including the wait for a free one. */
const CONNECT_MS = 10_000

type Connect = (
  done?: (error: Error | undefined, client: undefined, release: () => void) => void,
) => Promise<PoolClient> | void

const gone = () => new Error('Connection terminated: the database cannot be reached')

export interface OpenPool {
  db: Db
  /**
   * Closes all connections when the server is unreachable, because statements on stalled ones would wait for minutes. Until
   * it is reached again, calls are refused at once.
   */
  reached(isThere: boolean): void
  isAway(): boolean
  counts(): { open: number; idle: number; waiting: number }
  /** Runs a statement on a connection of the pool. */
  ask(text: string): Promise<Record<string, unknown>[]>
  end(): Promise<void>
}

/** Connections to one PostgreSQL server: the pool, and shared ones for short reads. */
export async function openPool(
  connectionString: string,
  size: { min: number; max: number },
  turn?: Turn,
): Promise<OpenPool> {
  const [{ default: pg }, { drizzle }] = await Promise.all([import('pg'), import('drizzle-orm/node-postgres')])
  /** The connections of the pool and the shared connections for reads. */
  const open = new Set<Client>()
  const keep = <C extends Client>(client: C): C => {
    open.add(client)
    client.on('end', () => open.delete(client))
    return client
  }
  let isAway = false
  // `min` keeps idle connections: on a new one, the first write of a person takes three times as long
  // `pipeline`: reads that a transaction starts together do not wait for each other's answers
  const pool = new pg.Pool({
    ...{ connectionString, options, connectionTimeoutMillis: CONNECT_MS, pipeline: true },
    ...size,
  })
  const connect = pool.connect.bind(pool) as Connect
  pool.connect = ((done) => {
    if (!isAway) return connect(done)
    return done ? done(gone(), undefined, () => {}) : Promise.reject(gone())
  }) as Connect as typeof pool.connect // the overloads are one implementation
  pool.on('error', () => {}) // an idle client lost its connection: the pool opens another one
  // the pool does not listen on checked-out clients: an unhandled connection error would end the process
  pool.on('connect', (client) => {
    client.on('error', () => {})
    keep(client)
  })

  const db = traced(shapeQuickly(drizzle(pool, config)))
  const shared: ClientConfig & { pipeline: true } = {
    ...{ connectionString, options, application_name: sharedReads, keepAlive: true, pipeline: true },
  }
  const readers = new Readers(pool, () => keep(new pg.Client(shared)))
  shareReads(pool, readers)
  const lend: () => Promise<PoolClient> = pool.connect.bind(pool)
  turn?.guard(pool, 'query', 'connect')
  turn?.guard(readers, 'query')
  const onLoan = new WeakMap<PoolClient, typeof db>()
  // Drizzle's own transaction never releases the connection if `begin` fails: after sixteen failures every call waits
  const inTransaction: typeof db.transaction = async (work, how) => {
    const client = await lend()
    // differs only in $client
    const known = onLoan.get(client) ?? (traced(shapeQuickly(drizzle(client, config))) as unknown as typeof db)
    onLoan.set(client, known)
    let reason: unknown
    let broken = true // begin, commit or rollback failed: the state of the connection is unknown
    try {
      const done = await known.transaction(async (tx) => {
        try {
          return await work(tx) // await once: a bare query runs again for each await
        } catch (error) {
          reason = error
          throw error
        }
      }, how)
      broken = false
      return done
    } catch (error) {
      broken = error !== reason || isAwayError(error)
      throw error
    } finally {
      client.release(broken)
    }
  }
  db.transaction = turn ? (work, how) => turn.hold(() => inTransaction(work, how)) : inTransaction

  return {
    db,
    reached(isThere) {
      isAway = !isThere
      if (isAway) for (const client of open) client.connection.stream.destroy(gone())
    },
    isAway: () => isAway,
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    ask: async (text) => (await pool.query(text)).rows,
    async end() {
      await readers.end()
      await pool.end()
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Client, PoolClient } from 'pg'
import { traced } from '../../trace/statements.ts'
import type { Database, Db, Opening } from '../db.ts'
import { isAway as isAwayError, NoDatabase, reasonOf } from '../failures.ts'
import { checkProgram, MIGRATING, migrateTo, statePrograms, TooOld } from '../migrations.ts'
import { openListener } from './listening.ts'
import { shapeQuickly } from './mapping.ts'
import { shareReads } from './prepared.ts'
import { Readers } from './readers.ts'

const config = { casing: 'snake_case' as const }

/** Maximum number of milliseconds to get a connection of the pool, including the wait for a free one. */
const CONNECT_MS = 10_000

type Connect = (
  done?: (error: Error | undefined, client: undefined, release: () => void) => void,
) => Promise<PoolClient> | void

const gone = () => new Error('Connection terminated: the database cannot be reached')

export async function openPostgres(
  servingUrl: string,
  { schema, owner: asOwner, now, keyName }: Opening,
): Promise<Database> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  // JIT compilation, chosen for an estimate of a hundred thousand rows, took 400 ms for a list of five
  const options = '-c timezone=UTC -c jit=off'
  const ownerUrl = process.env.DATABASE_OWNER_URL ?? servingUrl
  const connectionString = asOwner ? ownerUrl : servingUrl
  /** The connections of the pool and the shared connections for reads. */
  const open = new Set<Client>()
  const keep = <C extends Client>(client: C): C => {
    open.add(client)
    client.on('end', () => open.delete(client))
    return client
  }
  let isAway = false
  /**
   * Closes all connections when the database is unreachable, because statements on stalled ones would wait for minutes.
   */
  const reached = (isThere: boolean) => {
    isAway = !isThere
    if (isAway) for (const client of open) client.connection.stream.destroy(gone())
  }
  // `min` keeps idle connections: on a new one, the first write of a person takes three times as long
  // `pipeline`: reads that a transaction starts together do not wait for each other's answers
  const pool = new pg.Pool({
    ...{ connectionString, options, min: 4, max: 16, connectionTimeoutMillis: CONNECT_MS },
    pipeline: true,
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

  const migrator = new pg.Pool({ connectionString: ownerUrl, max: 1, options })
  migrator.on('error', () => {}) // the loop below gets the same error from its query
  // both connections are tried, because each has a role of its own
  const isServed = ownerUrl !== servingUrl
  let waitsFor = ''
  let isOwners = true
  for (;;) {
    try {
      isOwners = true
      const owner = drizzle(migrator, config)
      await owner.execute(sql`select pg_advisory_lock(${MIGRATING})`) // only one of several starting nodes migrates
      if (schema === 'as-is') break
      const hint = await checkProgram(owner)
      if (hint) console.error(hint)
      await migrateTo(schema, (migrationsFolder) => migrate(owner, { migrationsFolder }))
      if (schema === undefined) await statePrograms(owner)
      if (isServed) await grantUse(owner, decodeURIComponent(new URL(servingUrl).username))
      isOwners = false
      if (isServed && !asOwner) await pool.query('select 1')
      break
    } catch (error) {
      const [name, url] =
        isOwners && isServed ? (['DATABASE_OWNER_URL', ownerUrl] as const) : (['DATABASE_URL', servingUrl] as const)
      const why = new NoDatabase(`${name} (${placeOf(url)}): ${reasonOf(error)}`, { cause: error })
      if (now || !isAwayError(error)) {
        await Promise.all([migrator.end(), pool.end()])
        throw error instanceof TooOld ? error : why
      }
      if (waitsFor !== why.message) console.error(`Waits for the database. ${why.message}`)
      waitsFor = why.message
      await sleep(500)
    }
  }
  await migrator.end() // releases the advisory lock

  const db = traced(shapeQuickly(drizzle(pool, config)))
  const readers = new Readers(pool, () =>
    keep(new pg.Client({ connectionString, options, keepAlive: true, pipeline: true })),
  )
  shareReads(pool, readers)
  const onLoan = new WeakMap<PoolClient, typeof db>()
  // Drizzle's own transaction never releases the connection if `begin` fails: after sixteen failures every call waits
  db.transaction = async (work, how) => {
    const client = await pool.connect()
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

  const listener = openListener(connectionString, reached, keyName)
  return {
    db,
    kind: 'postgresql',
    isAway: () => isAway,
    listen: listener.listen,
    pool: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      listener.end()
      await readers.end()
      await pool.end()
    },
  }
}

/** Role, host, port and name of the database of a URL, without the password. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'not a URL'
  const { username, host, pathname, searchParams } = new URL(url)
  return `${username && `${decodeURIComponent(username)}@`}${searchParams.get('host') ?? (host || 'local socket')}${pathname}`
}

/** Privileges of the serving role if another role owns the tables: everything except changes of the action log. */
async function grantUse(owner: Db, role: string): Promise<void> {
  const name = sql.identifier(role)
  await owner.execute(sql`grant usage on schema public to ${name}`)
  await owner.execute(sql`grant select, insert, update, delete on all tables in schema public to ${name}`)
  await owner.execute(sql`grant usage on all sequences in schema public to ${name}`)
  await owner.execute(sql`grant usage on schema drizzle to ${name}`) // backups store the schema version
  await owner.execute(sql`grant select on all tables in schema drizzle to ${name}`)
  await owner.execute(
    sql`revoke update, delete, truncate on action_logs, action_log_seals, action_log_cuts from ${name}`,
  )
}

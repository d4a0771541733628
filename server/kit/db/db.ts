import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type { PoolClient } from 'pg'
import * as tables from '../../tables.ts'
import { checkRoom, keepRoom } from './driver/diskSpace.ts'
import { shapeQuickly } from './driver/mapping.ts'
import { Readers } from './driver/readers.ts'
import { lockFolder } from './folderLock.ts'
import { MIGRATING, migrateTo } from './migrations.ts'

/** One face for PostgreSQL and the embedded PGlite; a transaction has it too. */
export type Db = PgDatabase<PgQueryResultHKT, typeof tables>

export interface Database {
  db: Db
  kind: 'postgresql' | 'embedded'
  /** `heard('')` after every (re)connection: whatever was notified meanwhile is lost. `lost()` when it goes. */
  listen(channel: string, heard: (payload: string) => void, lost?: () => void): Promise<void>
  close(): Promise<void>
}

const config = { schema: tables, casing: 'snake_case' as const }

export interface Opening {
  /** The schema it is brought to, see migrations.ts; `as-is` leaves it alone. Absent: the newest. */
  schema?: number | 'as-is'
  /** As the role that owns the tables, where DATABASE_OWNER_URL names one. */
  owner?: boolean
  /** Rejects where the database is away; else it is waited for. */
  now?: boolean
  /** A data folder as a tar, for a new embedded database to begin with. */
  from?: Blob
}

/** `postgres://…` is a server; `memory:` is embedded and forgets; anything else is the folder of an embedded one. */
export async function openDatabase(url: string, opening: Opening = {}): Promise<Database> {
  return /^postgres(ql)?:/.test(url) ? openPostgres(url, opening) : openEmbedded(url, opening)
}

async function openPostgres(servingUrl: string, { schema, owner: asOwner, now }: Opening): Promise<Database> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  // compiled for a guess of a hundred thousand rows, a list of five took 400 ms
  const options = '-c timezone=UTC -c jit=off'
  const ownerUrl = process.env.DATABASE_OWNER_URL ?? servingUrl
  const connectionString = asOwner ? ownerUrl : servingUrl
  const pool = new pg.Pool({ connectionString, max: 16, options })
  pool.on('error', () => {}) // an idle client lost its server: the pool makes another
  // on loan a client has no listener of the pool's: unheard, a lost connection ends the process
  pool.on('connect', (client) => client.on('error', () => {}))

  const migrator = new pg.Pool({ connectionString: ownerUrl, max: 1, options })
  migrator.on('error', () => {}) // the loop below sees the same error from its query
  for (;;) {
    try {
      const owner = drizzle(migrator, config)
      await owner.execute(sql`select pg_advisory_lock(${MIGRATING})`) // of several nodes that start, one migrates
      if (schema === 'as-is') break
      await migrateTo(schema, (migrationsFolder) => migrate(owner, { migrationsFolder }))
      if (ownerUrl !== servingUrl) await grantUse(owner, decodeURIComponent(new URL(servingUrl).username))
      break
    } catch (error) {
      if (now || !isAway(error)) {
        await Promise.all([migrator.end(), pool.end()])
        throw error
      }
      await sleep(500)
    }
  }
  await migrator.end() // frees the advisory lock

  const db = shapeQuickly(drizzle(pool, config))
  const readers = new Readers(pool, () => new pg.Client({ connectionString, options, keepAlive: true, pipeline: true }))
  readersOf.set(pool, readers)
  const onLoan = new WeakMap<PoolClient, typeof db>()
  // Drizzle's own keeps the connection for ever when `begin` fails: after sixteen of those every call waits
  db.transaction = async (work, how) => {
    const client = await pool.connect()
    const known = onLoan.get(client) ?? (shapeQuickly(drizzle(client, config)) as unknown as typeof db) // differs in $client alone
    onLoan.set(client, known)
    let reason: unknown
    let broken = true // begin, commit or rollback failed: nobody knows what is open on it
    try {
      const done = await known.transaction(async (tx) => {
        try {
          return await work(tx) // once: a bare query runs anew each time somebody asks for its end
        } catch (error) {
          reason = error
          throw error
        }
      }, how)
      broken = false
      return done
    } catch (error) {
      broken = error !== reason || isAway(error)
      throw error
    } finally {
      client.release(broken)
    }
  }

  const listeners: { end(): Promise<void> }[] = []
  let closed = false
  return {
    db,
    kind: 'postgresql',
    listen: (channel, heard, lost) =>
      new Promise((resolve) => {
        const connect = () => {
          if (closed) return
          const client = new pg.Client({ connectionString, keepAlive: true })
          let again = () => {
            again = () => {}
            lost?.()
            setTimeout(connect, 200)
            client.end().catch(() => {}) // it is lost already
          }
          listeners.push(client)
          client.on('notification', (n) => heard(n.payload ?? ''))
          client.on('error', () => again()).on('end', () => again())
          client
            .connect()
            .then(() => client.query(`listen "${channel}"`))
            .then(
              () => {
                heard('')
                resolve()
              },
              () => again(),
            )
        }
        connect()
      }),
    async close() {
      closed = true
      await Promise.allSettled(listeners.map((client) => client.end()))
      await readers.end()
      await pool.end()
    },
  }
}

/** What the serving role may do where another one owns the tables: everything but change the action log. */
async function grantUse(owner: Db, role: string): Promise<void> {
  const name = sql.identifier(role)
  await owner.execute(sql`grant usage on schema public to ${name}`)
  await owner.execute(sql`grant select, insert, update, delete on all tables in schema public to ${name}`)
  await owner.execute(sql`grant usage on all sequences in schema public to ${name}`)
  await owner.execute(sql`grant usage on schema drizzle to ${name}`) // a backup says which schema it is of
  await owner.execute(sql`grant select on all tables in schema drizzle to ${name}`)
  await owner.execute(sql`revoke update, delete, truncate on action_logs, action_log_seals from ${name}`)
}

async function openEmbedded(url: string, { schema, from }: Opening): Promise<Database> {
  const [{ PGlite }, { btree_gin }, { btree_gist }, { pg_trgm }, { drizzle }, { migrate }] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/contrib/btree_gin'),
    import('@electric-sql/pglite/contrib/btree_gist'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ])
  const inMemory = url === 'memory:'
  if (!inMemory) mkdirSync(url, { recursive: true, mode: 0o700 })
  if (!inMemory) checkRoom(url)
  const unlock = inMemory ? () => {} : lockFolder(url) // two processes on one folder lose rows
  const lite = await PGlite.create({
    ...(inMemory ? {} : { dataDir: url }),
    ...(from && { loadDataDir: from }),
    extensions: { btree_gin, btree_gist, pg_trgm },
    postgresqlconf: ['shared_buffers = 16MB', "timezone = 'UTC'"],
  })
  if (!inMemory) keepRoom(lite, url)
  const db = shapeQuickly(drizzle(lite, config))
  if (schema !== 'as-is') await migrateTo(schema, (migrationsFolder) => migrate(db, { migrationsFolder }))
  return {
    db,
    kind: 'embedded',
    async listen(channel, heard) {
      await lite.listen(channel, heard)
      heard('')
    },
    async close() {
      await lite.close()
      unlock()
    },
  }
}

/** The database is down, starting or ending us, or chose us to break a deadlock: the same call may succeed in a moment. */
export function isAway(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = 'code' in e && typeof e.code === 'string' ? e.code : ''
    if (/^(08|53|57P|40)|^E[A-Z]+$/.test(code)) return true
    if (/^(Connection terminated|Client has encountered a connection error|timeout exceeded)/.test(e.message))
      return true
  }
  return false
}

/** What is wrong, without the statement and its values that Drizzle puts around it. */
export const rootOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? rootOf(error.cause) : error.message
}

/** The SQL state of a failed statement, as `23505` for a name that is taken, wherever the driver put it. */
export function sqlState(error: unknown): { code: string; constraint?: string } | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code))
      return { code: e.code, constraint: 'constraint' in e ? String(e.constraint) : undefined }
  }
  return undefined
}

/** Rows of a statement that is clearer as SQL. `T` is what its select list says: nothing checks it. */
export async function rows<T>(db: Db, statement: SQL): Promise<T[]> {
  const result = await db.execute(statement)
  return (result as unknown as { rows: T[] }).rows // both drivers answer { rows }; their shared type says nothing
}

/** By the pool of a database. A transaction reads on its own connection; the embedded one has but one. */
const readersOf = new WeakMap<object, Readers>()
const readerOf = ({ client }: Inside['session']): object => readersOf.get(client) ?? client

/**
 * A read that is built once and prepared once per connection; in a transaction too: what was built is only handed to
 * that connection. It may neither write nor lock: see Readers.
 * `const byId = statement((db) => db.select()….where(eq(t.id, sql.placeholder('id'))).prepare('things_by_id'))`
 */
export function statement<P extends object>(build: (db: Db) => P): (db: Db) => P {
  const built = new Map<unknown, P>() // by kind of database: the two drivers have classes of their own
  return (db) => {
    const { session } = insideOf(db)
    const known = built.get(session.constructor) ?? build(db)
    built.set(session.constructor, known)
    return Object.assign(Object.create(known) as P, { client: readerOf(session) })
  }
}

/** What Drizzle has and does not show in its types. */
interface Inside {
  dialect: { sqlToQuery(statement: SQL): { sql: string; params: unknown[] } }
  session: {
    /** The connection, or the pool of them. */
    client: object
    prepareQuery(query: { sql: string; params: unknown[] }, fields: undefined, name?: string): { execute(): unknown }
  }
}
const insideOf = (db: Db) => db as unknown as Inside

/** A statement as PostgreSQL gets it, for callers that put together the text of several. */
export const textOf = (db: Db, statement: SQL) => insideOf(db).dialect.sqlToQuery(statement)

/** `kept`: planned once per connection and then known by name, for text that does not vary with its values; `once`: for these. */
type Plan = 'kept' | 'once'

function prepared(db: Db, sql: string, params: unknown[], plan: Plan) {
  return insideOf(db).session.prepareQuery({ sql, params }, undefined, plan === 'kept' ? statementName(sql) : undefined)
}

/** Rows of a statement that is text already. `T` is what its select list says: nothing checks it. */
export async function runText<T>(db: Db, sql: string, params: unknown[], plan: Plan): Promise<T[]> {
  return ((await prepared(db, sql, params, plan).execute()) as { rows: T[] }).rows // of both drivers
}

/** The same of one that neither writes nor locks: see Readers. */
export async function readText<T>(db: Db, sql: string, params: unknown[], plan: Plan): Promise<T[]> {
  const query = Object.assign(prepared(db, sql, params, plan), { client: readerOf(insideOf(db).session) })
  return ((await query.execute()) as { rows: T[] }).rows
}

const names = new Map<string, string>()

export function statementName(text: string): string {
  let name = names.get(text)
  if (!name) {
    if (names.size >= 1000) names.clear() // filters multiply; what a connection knows by name it keeps
    name = `q${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
    names.set(text, name)
  }
  return name
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Database, Db, Opening } from '../db.ts'
import { isAway as isAwayError, NoDatabase, reasonOf } from '../failures.ts'
import { checkProgram, MIGRATING, migrateTo, statePrograms, TooOld } from '../migrations.ts'
import { shareCounts } from '../page.ts'
import { openListener } from './listening.ts'
import { config, openPool, options } from './pool.ts'
import { openReplica } from './replica.ts'
import { Turn } from './turn.ts'

export async function openPostgres(
  servingUrl: string,
  { schema, owner: asOwner, now, keyName, replica: replicaUrl, strict }: Opening,
): Promise<Database> {
  const [{ default: pg }, { drizzle }, { migrate }] = await Promise.all([
    import('pg'),
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
  ])
  const ownerUrl = process.env.DATABASE_OWNER_URL ?? servingUrl
  const connectionString = asOwner ? ownerUrl : servingUrl
  const pool = await openPool(connectionString, { min: 4, max: 16 }, strict ? new Turn() : undefined)

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
      if (isServed && !asOwner) await pool.ask('select 1')
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

  const { db } = pool
  const listener = openListener(connectionString, pool.reached, keyName)
  const replica =
    replicaUrl === undefined ? undefined : openReplica(await openPool(replicaUrl, { min: 0, max: 16 }), db)
  if (replica) shareCounts(db, replica.db)
  return {
    db,
    kind: 'postgresql',
    isAway: pool.isAway,
    listen: listener.listen,
    pool: pool.counts,
    ...(replica && { replica }),
    async close() {
      listener.end()
      await replica?.close()
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

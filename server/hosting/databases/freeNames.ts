import { type DatabaseEngine, POSTGRESQL_NAME } from '@innkeeper/contract/kit/values'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { conflict, refused } from '../../kit/http/errors.ts'
import { type Kept, keptByMoves } from '../websites/parts/keptByMoves.ts'
import { databases, databaseUsers } from './tables.ts'

/**
 * Throws 409 if the name of the database is taken on the server, in either engine, because configuration files of
 * applications are found by the names in them. Also 409 if a running workflow renames another database to this name.
 * Holds a lock on the names of the server until the transaction ends, so that two calls cannot take the same name.
 */
export async function checkName(db: Db, serverId: number, name: string, engine: DatabaseEngine): Promise<void> {
  if (engine === 'postgresql' && name.length > POSTGRESQL_NAME)
    throw refused(`PostgreSQL keeps ${POSTGRESQL_NAME} characters of a name`, {
      name: `At most ${POSTGRESQL_NAME} characters in PostgreSQL`,
    })
  if (name.startsWith('ik_'))
    throw refused(`${name} is a name of Innkeeper itself`, { name: 'Names with ik_ belong to Innkeeper' })
  await db.execute(sql`select pg_advisory_xact_lock(${NAMES}, ${serverId})`)
  const [taken] = await db
    .select({ websiteId: databases.websiteId })
    .from(databases)
    .where(
      and(
        eq(databases.serverId, serverId),
        or(eq(databases.name, name), sql`${databases.next}->>'name' = ${name}`),
        isNull(databases.deletedAt),
      ),
    )
  if (taken) throw conflict(`${name} is a database of website ${taken.websiteId}`, { fields: { name: 'Is taken' } })
  const kept = (await keptByMoves(db, serverId, 'databases')).find((one) => one.name === name)
  if (kept) throw conflict(leaving(name, kept), { fields: { name: 'Is taken until the end of a move' } })
}
const leaving = (name: string, { domain }: Kept) =>
  `The move of ${domain} keeps ${name} on this server until it ends: end the move first, or choose another name`
const NAMES = 1847203 // key space of the advisory locks on names of database servers

/**
 * Throws 409 if another account than `id` of this name and host exists on the server, or an account of this name belongs
 * to another website.
 */
export async function checkUsername(
  db: Db,
  serverId: number,
  websiteId: number,
  {
    id,
    username,
    engine,
    host = 'localhost',
  }: { id?: number; username: string; engine: DatabaseEngine; host?: string },
): Promise<void> {
  if (username.startsWith('ik_'))
    throw refused(`${username} is a name of Innkeeper itself`, { username: 'Names with ik_ belong to Innkeeper' })
  if (engine === 'postgresql' && username.startsWith('pg_'))
    throw refused(`${username} is a name of the server itself`, { username: 'Names with pg_ belong to PostgreSQL' })
  await db.execute(sql`select pg_advisory_xact_lock(${NAMES}, ${serverId})`)
  const found = await db
    .select({
      id: databaseUsers.id,
      websiteId: databaseUsers.websiteId,
      host: databaseUsers.host,
      next: databaseUsers.next,
    })
    .from(databaseUsers)
    .where(
      and(eq(databaseUsers.serverId, serverId), eq(databaseUsers.username, username), isNull(databaseUsers.deletedAt)),
    )
  const taken = found.find(
    (one) =>
      one.id !== id &&
      // PostgreSQL knows an account by its name alone
      (engine === 'postgresql' || one.websiteId !== websiteId || one.host === host || one.next?.host === host),
  )
  if (taken)
    throw conflict(
      taken.websiteId === websiteId
        ? `${username} from ${host} exists already`
        : `${username} is an account of website ${taken.websiteId}`,
      { fields: { username: 'Is taken' } },
    )
  const kept = (await keptByMoves(db, serverId, 'database_users')).find((one) => one.name === username)
  if (kept) throw conflict(leaving(username, kept), { fields: { username: 'Is taken until the end of a move' } })
}

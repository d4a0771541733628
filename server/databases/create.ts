import { randomBytes } from 'node:crypto'
import { type DatabaseEngine, POSTGRESQL_NAME, postgresqlShape } from '@innkeeper/contract/values'
import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { App } from '../kit/app/app.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { conflict, refused } from '../kit/http/errors.ts'
import type { PlanStep } from '../kit/work/action.ts'
import type { Site } from '../websites/siteSteps.ts'
import { freeNames } from './names.ts'
import { type Account, readAccounts } from './read.ts'
import { engineSteps, ensureSteps } from './steps.ts'
import { databaseGrants, databases, databaseUsers } from './tables.ts'

export interface WantedDatabase {
  engine?: DatabaseEngine | undefined
  name?: string | undefined
  username?: string | undefined
  charset?: string | undefined
  collation?: string | undefined
}
interface Made {
  database: typeof databases.$inferSelect
  account: Account
  steps: PlanStep[]
}

/** 24 characters that need no escaping: about 139 bits. */
export const newPassword = (): string => {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789'
  let text = ''
  while (text.length < 24) for (const byte of randomBytes(32)) if (byte < 224) text += letters[byte % 56]
  return text.slice(0, 24)
}

/**
 * Inserts the rows and the password of a new database and returns the steps that create it. 409 if a name is taken on
 * the server, 422 if the plan has no room.
 */
export async function makeDatabase(app: App, db: Db, site: Site, wanted: WantedDatabase, by: number): Promise<Made> {
  await checkRoom(db, site)
  const free = await freeNames(db, site.server.id, site.domain)
  const { engine = 'mariadb', name = free.name, username = free.username } = wanted
  const shape = shapeOf(engine, wanted)
  await checkName(db, site.server.id, name, engine)
  await checkUsername(db, site.server.id, site.id, { username, engine })
  const of = { websiteId: site.id, serverId: site.server.id, createdBy: by }
  const [database] = await db
    .insert(databases)
    .values({ ...of, engine, name, ...shape, status: 'creating' })
    .returning()
  const [user] = await db
    .insert(databaseUsers)
    .values({ ...of, engine, username, secret: '' })
    .returning({ id: databaseUsers.id })
  if (!database || !user) throw new Error('an insert answered no row')
  const secret = await keepPassword(app, db, user.id)
  await db.update(databaseUsers).set({ secret }).where(eq(databaseUsers.id, user.id))
  await db.insert(databaseGrants).values({ databaseUserId: user.id, databaseId: database.id })
  const [account] = await readAccounts(db, eq(databaseUsers.id, user.id))
  if (!account) throw new Error('an account was not saved')
  return {
    database,
    account,
    steps: [...(await engineSteps(db, site.server.id, engine)), ...ensureSteps(database, account)],
  }
}

/** Creates a password and stores it encrypted. Returns the name of the secret. */
export async function keepPassword(app: App, db: Db, userId: number): Promise<string> {
  const name = `database-user:${userId}:${randomBytes(6).toString('hex')}`
  await app.secrets.write(db, name, newPassword())
  return name
}

/** Character set and collation of a new database. 422 beside the field for those that PostgreSQL does not have. */
function shapeOf(engine: DatabaseEngine, { charset, collation }: WantedDatabase) {
  if (engine === 'mariadb') {
    const chosen = charset ?? 'utf8mb4'
    return { charset: chosen, collation: collationOf(chosen, collation) }
  }
  const no = 'A PostgreSQL database has UTF8 and C.UTF-8'
  if (charset !== undefined) throw refused(no, { charset: no })
  if (collation !== undefined && collation !== postgresqlShape.collation) throw refused(no, { collation: no })
  return postgresqlShape
}

/** The collation to use; 422 for a collation of another character set. */
export function collationOf(charset: string, wanted?: string): string {
  const collation = wanted ?? defaultCollation[charset] ?? `${charset}_general_ci`
  if (!collation.startsWith(`${charset}_`))
    throw refused(`${collation} is not a collation of ${charset}`, { collation: `Begins with ${charset}_` })
  return collation
}

const defaultCollation: Record<string, string> = {
  utf8mb4: 'utf8mb4_unicode_ci',
  utf8mb3: 'utf8mb3_general_ci',
  latin1: 'latin1_swedish_ci',
}

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
  if (engine === 'postgresql' && name.startsWith('ik_'))
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
}
const NAMES = 1_847_203 // key space of the advisory locks on names of database servers

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
  if (engine === 'postgresql') {
    if (/^(?:pg|ik)_/.test(username))
      throw refused(`${username} is a name of the server itself`, {
        username: 'Names with pg_ and ik_ belong to the server',
      })
  }
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
}

/** Throws if the system account already has as many databases as its plan allows, counted over all its websites. */
export async function checkRoom(db: Db, { systemUser }: Site): Promise<void> {
  const [use] = await rows<{ plan: string; most: number; used: number }>(
    db,
    sql`select p.name as plan, p.databases as most, (select count(*)::int from databases d
        join websites w on w.website_id = d.website_id and w.deleted_at is null
        where w.system_user_id = u.system_user_id and d.deleted_at is null) as used
      from system_users u join plans p on p.plan_id = u.plan_id where u.system_user_id = ${systemUser.id} for update of u`,
  )
  if (use && use.used >= use.most)
    throw refused(`The plan ${use.plan} allows ${use.most} databases, and ${systemUser.username} has ${use.used}`, {
      websiteId: 'Its plan allows no more databases',
    })
}

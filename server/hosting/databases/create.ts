import { randomBytes } from 'node:crypto'
import { type DatabaseEngine, postgresqlShape } from '@innkeeper/contract/kit/values'
import { eq } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { checkRoom } from '../plans/room.ts'
import type { Site } from '../websites/siteSteps.ts'
import { checkName, checkUsername } from './freeNames.ts'
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
  await checkRoom(db, site.systemUser.id, { databases: 1 }, 'websiteId')
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

/** A new name for the secret with the password of an account. */
export const newSecretName = (userId: number): string => `database-user:${userId}:${randomBytes(6).toString('hex')}`

/** Creates a password and stores it encrypted. Returns the name of the secret. */
export async function keepPassword(app: App, db: Db, userId: number): Promise<string> {
  const name = newSecretName(userId)
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

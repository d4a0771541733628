import { and, eq, isNull } from 'drizzle-orm'
import type { App } from '../../kit/app/app.ts'
import type { Db } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { type OutputReference, type PlanStep, step } from '../../kit/work/action.ts'
import { checkRoom } from '../plans/room.ts'
import type { Site } from '../websites/siteSteps.ts'
import { databaseEnsure, dumpDrop, importLoad } from './actions.ts'
import { configSteps } from './configuration.ts'
import { collationOf, keepPassword, newSecretName } from './create.ts'
import { changeable } from './dumps/beginImport.ts'
import { fileOf, importSteps, onDump } from './dumps/steps.ts'
import { checkName, checkUsername } from './freeNames.ts'
import { readAccounts } from './read.ts'
import { accountStep, engineOf, engineSteps, shapeIn } from './steps.ts'
import { databaseGrants, databaseImports, databases, databaseUsers } from './tables.ts'

/** A database that arrives with a dump in the spool folder of the server. */
export interface Arriving {
  name: string
  username: string
  charset: string
  /** True: an earlier step writes the hash of the account's password into its secret. False: a new password. */
  hashed: boolean
  /** Name of the dump, for people. */
  fileName: string
  /** What the action that writes the dump answers: its checksum belongs to it. */
  written: OutputReference
}
export interface Arrived {
  id: number
  importId: number
  userId: number
  secret: string
  /** The dump has this name in the spool folder. */
  file: string
  steps: PlanStep[]
}
const MOST_BYTES = 200 * 1024 ** 3

/** Inserts the rows of a database, and of its account unless that has arrived before, and answers the steps that load its dump. */
export async function arrive(
  app: App,
  db: Db,
  site: Site,
  wanted: Arriving,
  staff: { id: number; name: string },
): Promise<Arrived> {
  const { name, username, charset, hashed, written } = wanted
  await checkRoom(db, site.systemUser.id, { databases: 1 }, 'plan')
  await checkName(db, site.server.id, name, 'mariadb')
  const of = { websiteId: site.id, serverId: site.server.id, createdBy: staff.id }
  const [database] = await db
    .insert(databases)
    .values({ ...of, name, charset, collation: collationOf(charset), status: 'creating' })
    .returning()
  if (!database) throw new Error('an insert answered no row')
  const known = await accountNamed(db, site, username)
  const user = known ?? (await makeAccount(app, db, site, wanted, staff.id))
  await db.insert(databaseGrants).values({ databaseUserId: user.id, databaseId: database.id })
  const [account] = await readAccounts(db, eq(databaseUsers.id, user.id))
  const [row] = await db
    .insert(databaseImports)
    .values({
      ...{
        databaseId: database.id,
        source: 'folder' as const,
        fileName: wanted.fileName,
        status: 'importing' as const,
      },
      ...{ staffName: staff.name, createdBy: staff.id },
    })
    .returning({ id: databaseImports.id })
  if (!account || !row) throw new Error('an account or an import was not saved')
  const file = fileOf(row.id)
  const on = onDump(database)
  return {
    ...{ id: database.id, importId: row.id, userId: user.id, secret: account.secret, file },
    steps: [
      ...(await engineSteps(db, site.server.id, 'mariadb')),
      step(
        databaseEnsure,
        { ...shapeIn(database), name, fresh: true },
        { server: site.server.id, resource: { type: 'database', id: database.id, name } },
      ),
      // the privileges on a second database of the account
      accountStep(account, { password: true, ...(!known && { fresh: true }) }),
      step(
        importLoad,
        {
          ...engineOf(database),
          aside: name,
          ...shapeIn(database),
          foreign: foreignOf(file, written, username),
          fresh: true,
        },
        on,
      ),
      step(dumpDrop, { file }, on),
      ...(hashed ? [] : configSteps(site, [{ was: name, name, account }])),
    ],
  }
}

/** Steps that replace the contents of a database by another dump in the spool folder. The former contents go to the trash. */
export async function arriveAgain(
  app: App,
  db: Db,
  { id }: { id: number },
  fileName: string,
  written: OutputReference,
  staff: { id: number; name: string },
): Promise<{ importId: number; file: string; steps: PlanStep[] }> {
  const { database, ...where } = await changeable(db, id)
  const [row] = await db
    .insert(databaseImports)
    .values({
      ...{ databaseId: id, source: 'folder' as const, fileName, status: 'importing' as const },
      ...{ staffName: staff.name, createdBy: staff.id },
    })
    .returning({ id: databaseImports.id })
  const [account] = await db
    .select({ username: databaseUsers.username })
    .from(databaseUsers)
    .innerJoin(databaseGrants, eq(databaseGrants.databaseUserId, databaseUsers.id))
    .where(and(eq(databaseGrants.databaseId, id), isNull(databaseUsers.deletedAt)))
  if (!row) throw new Error('an import was not saved')
  if (!account) throw refused(`${database.name} has no account, which would own its views and procedures`)
  const file = fileOf(row.id)
  const foreign = foreignOf(file, written, account.username)
  const from = { id: row.id, database, from: { foreign }, ...where, keepDays: app.settings.trashDays }
  return { importId: row.id, file, steps: importSteps(from) }
}

/** A dump that an earlier action of the workflow has written: it is read once, while it is loaded. */
const foreignOf = (file: string, written: OutputReference, definer: string) => ({
  // filled in when the action is claimed
  ...{ file, written: written as unknown as { file: string; sha256: string }[] },
  ...{ mostBytes: MOST_BYTES, definer },
})

async function accountNamed(db: Db, site: Site, username: string) {
  const [known] = await db
    .select({ id: databaseUsers.id })
    .from(databaseUsers)
    .where(
      and(
        eq(databaseUsers.serverId, site.server.id),
        eq(databaseUsers.websiteId, site.id),
        eq(databaseUsers.username, username),
        isNull(databaseUsers.deletedAt),
      ),
    )
  return known
}

async function makeAccount(app: App, db: Db, site: Site, { username, hashed }: Arriving, by: number) {
  await checkUsername(db, site.server.id, site.id, { username, engine: 'mariadb' })
  const [user] = await db
    .insert(databaseUsers)
    .values({ username, websiteId: site.id, serverId: site.server.id, status: 'creating', secret: '', createdBy: by })
    .returning({ id: databaseUsers.id })
  if (!user) throw new Error('an insert answered no row')
  const secret = hashed ? newSecretName(user.id) : await keepPassword(app, db, user.id)
  await db.update(databaseUsers).set({ secret }).where(eq(databaseUsers.id, user.id))
  return user
}

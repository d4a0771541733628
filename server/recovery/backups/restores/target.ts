import type { Website } from '@innkeeper/contract/hosting/websites'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { type Account, readAccounts } from '../../../hosting/databases/read.ts'
import { databases, databaseUsers } from '../../../hosting/databases/tables.ts'
import { folderOf, hasOwnFolder } from '../../../hosting/websites/folders.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import { readWebsite } from '../../../hosting/websites/view.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import type { Configuration } from '../configuration.ts'
import { placeOf } from '../runs/place.ts'
import type { Dumped, Wanted } from './content.ts'

/** A database of the backup with the database that receives it. */
export interface Loading extends Omit<Dumped, 'id' | 'name'> {
  /** The database of the target. */
  id: number
  name: string
  /** Its id in the backup. */
  from: number
  was: string
  account: Account
}

/** The existing website that receives a restore. Throws 422 if its state does not allow this. */
export async function targetOf(db: Db, websiteId: number) {
  const website = await readWebsite(db, websiteId)
  const refuse = (why: string) => refused(why, { websiteId: why })
  if (website.kind === 'alias') throw refuse(`${website.domain} is an alias: it has no files`)
  if (website.status !== 'active' && website.status !== 'suspended')
    throw refuse(`${website.domain} is ${website.status}: it can be restored only while it is active or suspended`)
  return { website, site: await readSite(db, websiteId) }
}

/** The owner who receives content of somebody else's website; undefined if both websites have the same owner. */
export async function otherOwner(
  db: Db,
  websiteId: number,
  { ownerId: id, ownerName: name }: Website,
): Promise<{ id: number; name: string } | undefined> {
  const [from] = await rows<{ owner: number }>(
    db,
    sql`select owner_id as owner from websites where website_id = ${websiteId}`,
  )
  return from?.owner === id ? undefined : { id, name }
}

/**
 * The folder that receives the files. A snapshot holds the whole folder of a website, or only the document root if the
 * website shares its folder; the receiving website must be of the same sort.
 */
export function receivingPlace(site: Site, { website: then }: Configuration) {
  if (then.websiteId === site.id) return placeOf(site)
  const whole = then.path !== then.documentRoot
  if (whole && !hasOwnFolder(site)) {
    const why = `${site.domain} has no folder of its own, and this backup holds a whole folder`
    throw refused(why, { websiteId: why })
  }
  return { username: site.systemUser.username, path: whole ? folderOf(site) : site.documentRoot }
}

/** The name that the databases of the backup contain, and that the receiving website does not have. */
export const strangeNames = (site: Site, { website: then }: Configuration, { names = true }: Pick<Wanted, 'names'>) =>
  names && then.domain !== site.domain ? [then.domain] : []

/** Databases of a website that receive a restore. */
export const liveDatabases = (db: Db, websiteId: number) =>
  db
    .select()
    .from(databases)
    .where(and(eq(databases.websiteId, websiteId), isNull(databases.deletedAt)))
    .orderBy(databases.id)

/**
 * The receiving database for each database of the backup: in the same website the same database; in another website the
 * chosen one, or the one at the same position in the order of creation. `gone`: databases without a receiving one.
 */
export async function receiving(
  db: Db,
  websiteId: number,
  same: boolean,
  dumped: readonly Dumped[],
  into: Wanted['into'] = [],
): Promise<{ loading: Loading[]; gone: string[] }> {
  const live = await liveDatabases(db, websiteId)
  const strange = into.find(({ target }) => !live.some(({ id }) => id === target))
  if (strange)
    throw refused(`Database ${strange.target} does not belong to the website`, { into: 'Belongs to another website' })
  const unrestored = into.find(({ database }) => !dumped.some(({ id }) => id === database))
  if (unrestored)
    throw refused(`Database ${unrestored.database} is not restored`, {
      into: `Database ${unrestored.database} is not restored`,
    })
  if (new Set(into.map(({ target }) => target)).size < into.length)
    throw refused('Two databases cannot go into the same one', { into: 'Chosen twice' })
  const accounts = live.length
    ? await readAccounts(
        db,
        and(eq(databaseUsers.websiteId, websiteId), isNull(databaseUsers.deletedAt)) ?? isNull(databaseUsers.id),
      )
    : []
  const free = live.filter(({ id }) => !into.some(({ target }) => target === id))
  const next = (engine: Dumped['engine']) => {
    const found = free.find((one) => one.engine === engine)
    if (found) free.splice(free.indexOf(found), 1)
    return found
  }
  const loading: Loading[] = []
  const gone: string[] = []
  for (const { id, name: was, ...dump } of dumped) {
    const chosen = into.find(({ database }) => database === id)
    const found = same
      ? live.find((one) => one.id === id)
      : chosen
        ? live.find((one) => one.id === chosen.target)
        : next(dump.engine)
    if (found && found.engine !== dump.engine)
      throw refused(`${was} cannot be loaded into ${found.name}: their engines differ`, {
        into: 'Has another engine',
      })
    const account = accounts.find(
      ({ engine, grants }) =>
        engine === dump.engine &&
        grants.some(({ database, privileges }) => database === found?.name && privileges === 'all'),
    )
    if (found && account) loading.push({ ...dump, id: found.id, name: found.name, from: id, was, account })
    else gone.push(was)
  }
  return { loading, gone }
}

/** Domains of other websites whose files are in the folder that is exchanged. */
export async function alsoInside(db: Db, site: Site, folder: string): Promise<string[]> {
  const found = await rows<{ domain: string }>(
    db,
    sql`select domain from websites where system_user_id = ${site.systemUser.id} and website_id <> ${site.id}
      and kind <> 'alias' and deleted_at is null and starts_with(document_root, ${`${folder}/`}) order by domain limit 20`,
  )
  return found.map(({ domain }) => domain)
}

/** Sizes of databases by id. */
export async function sizesOf(db: Db, ids: number[]): Promise<Map<number, number | null>> {
  const found = ids.length ? await db.select().from(databases).where(inArray(databases.id, ids)) : []
  return new Map(found.map(({ id, size }) => [id, size]))
}

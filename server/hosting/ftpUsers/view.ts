import type { FtpUser } from '@innkeeper/contract/hosting/ftpUsers'
import { and, asc, eq, inArray, isNull, type SQL } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { servers } from '../../machines/servers/tables.ts'
import { owners } from '../owners/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { folderOf } from '../websites/folders.ts'
import type { Site } from '../websites/siteSteps.ts'
import { websites } from '../websites/tables.ts'
import { ftpUsers } from './tables.ts'

/** FTP users in the form of the contract, by name, without deleted ones. */
async function readFtpUsers(db: Db, which: SQL): Promise<FtpUser[]> {
  const found = await db
    .select({ user: ftpUsers, website: websites, ownerName: owners.name, server: servers, account: systemUsers })
    .from(ftpUsers)
    .innerJoin(websites, eq(websites.id, ftpUsers.websiteId))
    .innerJoin(owners, eq(owners.id, websites.ownerId))
    .innerJoin(servers, eq(servers.id, ftpUsers.serverId))
    .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
    .where(and(which, isNull(ftpUsers.deletedAt)))
    .orderBy(asc(ftpUsers.username), asc(ftpUsers.id))
  return found.map(({ user, website, ownerName, server, account }) => {
    const { secret: _, next: __, closedAt: ___, deletedWithWebsite: ____, state, ...shown } = user
    const { domain, documentRoot, ownerId, systemUserId } = website
    // safe cast: the folder of a website follows from these fields
    const site = folderOf({ documentRoot, domain, systemUser: account } as unknown as Site)
    return {
      ...shown,
      ...{ domain, ownerId, ownerName, systemUserId, account: account.username, serverName: server.name },
      name: user.username.slice(prefixLength(user.username, account.username)),
      state: state === 'deleted' ? 'deleting' : state,
      shown: shownAs(user, website),
      homeDir: user.folder ? `${site}/${user.folder}` : site,
      connection: { host: server.address, port: 21, implicitPort: 990 },
      refused: whyRefused(user, website),
    }
  })
}

/** A user that moved to an account of another name keeps its login name. */
export const prefixLength = (username: string, account: string) =>
  username.startsWith(`${account}_`) ? account.length + 1 : username.indexOf('_') + 1

/** The state that people see. list.ts finds users by the same rules. */
function shownAs(
  { state, status, expiresAt }: typeof ftpUsers.$inferSelect,
  website: typeof websites.$inferSelect,
): FtpUser['shown'] {
  if (state !== 'ready') return state === 'deleted' ? 'deleting' : state
  if (status !== 'active') return status
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return 'expired'
  return website.status === 'suspended' ? 'suspended' : 'active'
}

function whyRefused(
  { status, reason, expiresAt, state }: typeof ftpUsers.$inferSelect,
  website: typeof websites.$inferSelect,
): string | null {
  if (website.status === 'suspended') return `The website ${website.domain} is suspended`
  if (status !== 'active') return `The FTP user is ${status}${reason ? `: ${reason}` : ''}`
  if (expiresAt && Date.parse(expiresAt) <= Date.now()) return 'The FTP user has expired'
  return state === 'creating' ? 'The FTP user is being created' : null
}

/** One FTP user. Throws 404 if it is missing. */
export async function readFtpUser(db: Db, id: number): Promise<FtpUser> {
  const [found] = await readFtpUsers(db, eq(ftpUsers.id, id))
  if (!found) throw notFound('FTP user', id)
  return found
}

/** The FTP users with these ids, in this order. */
export const readInOrder = async (db: Db, ids: number[]): Promise<FtpUser[]> =>
  ids.length ? inOrder(ids, await readFtpUsers(db, inArray(ftpUsers.id, ids))) : []

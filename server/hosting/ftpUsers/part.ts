import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { conflict } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { servers } from '../../machines/servers/tables.ts'
import { folderOf } from '../websites/folders.ts'
import { keptByMoves } from '../websites/parts/keptByMoves.ts'
import { comesAlong, type Part } from '../websites/parts/parts.ts'
import type { Site } from '../websites/siteSteps.ts'
import { stateBefore } from '../websites/stateBefore.ts'
import { readWebsite } from '../websites/view.ts'
import { lockNames, takenName } from './checks.ts'
import { bringFtpUsers, ftpUsersClosed, ftpUsersNow, keepFtpUsers } from './keep.ts'
import { removalStep, serviceSteps, stateOf, userStep } from './steps.ts'
import { ftpUsers } from './tables.ts'

const live = (db: Db, websiteId: number) =>
  db
    .select()
    .from(ftpUsers)
    .where(and(eq(ftpUsers.websiteId, websiteId), isNull(ftpUsers.deletedAt)))
    .orderBy(ftpUsers.id)
/** Resource type of the steps of a move. These do not change the rows of the users (lifecycle.ts). */
const MOVED = 'moved-ftp-user'
const OLD = 'old-ftp-user'

/** FTP users follow their website; a backup has them, and a restore adds those that are missing. A staging copy gets none. */
export const ftpUserPart: Part = {
  kind: 'ftp-user',
  title: 'FTP users',
  order: 60,
  along: { ...comesAlong, copy: 'FTP users are not copied: add those who work on the copy' },
  async list(db, ids) {
    const found = await db
      .select({ user: ftpUsers, where: servers.name })
      .from(ftpUsers)
      .innerJoin(servers, eq(servers.id, ftpUsers.serverId))
      .where(and(inArray(ftpUsers.websiteId, ids), isNull(ftpUsers.deletedAt)))
      .orderBy(ftpUsers.id)
    return found.map(({ user: { id, websiteId, username, folder }, where }) => ({
      ...{ websiteId, type: 'ftp-user', id, name: username, where },
      detail: folder ? `in ${folder}` : 'in the whole website',
    }))
  },
  suspend: async (db, site) => (await live(db, site.id)).map((user) => userStep(site, user, 'suspended')),
  activate: async (db, site) => (await live(db, site.id)).map((user) => userStep(site, user, stateOf(user))),
  remove: async (db, site) => (await live(db, site.id)).map((user) => removalStep(user, site.server.id)),
  async restore(db, site) {
    await refuseTaken(db, site)
    const back = await db
      .update(ftpUsers)
      .set({ state: 'creating', deletedAt: null, deletedWithWebsite: false })
      .where(and(eq(ftpUsers.websiteId, site.id), ftpUsers.deletedWithWebsite, isNotNull(ftpUsers.deletedAt)))
      .returning()
    const state = await stateBefore(db, site.id)
    return back.map((user) => userStep(site, user, stateOf(user, state)))
  },
  async rename(db, site, to) {
    const users = folderOf(site) === folderOf(to) ? [] : await live(db, site.id)
    const { status } = await readWebsite(db, site.id)
    const state = status === 'suspended' ? 'suspended' : 'active'
    return {
      changes: users.map(({ username }) => ({
        title: `Folder of FTP user ${username}`,
        ...{ before: folderOf(site), after: folderOf(to) },
      })),
      steps: users.map((user) => userStep(to, user, stateOf(user, state))),
    }
  },
  async moveCheck(db, site, targetServerId) {
    const users = await live(db, site.id)
    if (!users.length) return []
    const taken = await rows<{ username: string }>(
      db,
      sql`select mine.username from ftp_users mine join ftp_users other on other.username = mine.username
        where mine.website_id = ${site.id} and mine.deleted_at is null and other.website_id <> ${site.id}
          and other.server_id = ${targetServerId} and other.deleted_at is null order by mine.username`,
    )
    const kept = (await keptByMoves(db, targetServerId, 'ftp_users')).filter(
      (one) => one.websiteId !== site.id && users.some(({ username }) => username === one.name),
    )
    taken.push(...kept.map(({ name }) => ({ username: name })))
    const names = (of: { username: string }[]) => of.map(({ username }) => username).join(', ')
    const say = (level: 'ok' | 'blocker', text: string) => [{ key: 'ftp', title: 'FTP users', level, text }]
    return taken.length
      ? say('blocker', `${names(taken)}: belongs to somebody else on the target server`)
      : say('ok', `${names(users)}: with the same passwords`)
  },
  /** FTP is locked on the old server from the freeze on, because later uploads there would be lost. */
  async move(db, { from, to, state }) {
    const users = await live(db, from.id)
    if (!users.length) return { files: [], prepare: [], frozen: [] }
    return {
      files: [],
      prepare: await serviceSteps(db, to.server.id),
      freeze: users.map((user) => userStep(from, user, 'suspended', OLD)),
      frozen: users.map((user) => userStep(to, user, stateOf(user, state), MOVED)),
    }
  },
  async moved(tx, websiteId, serverId) {
    await tx
      .update(ftpUsers)
      .set({ serverId, ...nextVersion })
      .where(and(eq(ftpUsers.websiteId, websiteId), isNull(ftpUsers.deletedAt)))
    await changed(tx, 'ftpUsers')
  },
  keep: keepFtpUsers,
  closed: ftpUsersClosed,
  now: ftpUsersNow,
  bringBack: bringFtpUsers,
  leave: async (db, site) => (await live(db, site.id)).map((user) => removalStep(user, site.server.id, OLD)),
}

/** Throws 409 if somebody else has the login name of an FTP user that was deleted with the website. */
async function refuseTaken(db: Db, site: Site): Promise<void> {
  await lockNames(db, site.server.id)
  const gone = await db
    .select()
    .from(ftpUsers)
    .where(and(eq(ftpUsers.websiteId, site.id), ftpUsers.deletedWithWebsite, isNotNull(ftpUsers.deletedAt)))
  for (const { id, username } of gone) {
    const taken = await takenName(db, site.server.id, username, id)
    if (taken)
      throw conflict(`${taken.text} by now: rename or delete that FTP user first`, {
        fields: { domain: `The name of its FTP user ${username} is taken` },
      })
  }
}

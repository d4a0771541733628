import { ftpStatus } from '@innkeeper/contract/hosting/ftpUsers'
import { missing } from '@innkeeper/contract/kit/access'
import { ftpFolder, ftpUsername } from '@innkeeper/contract/kit/values'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import * as z from 'zod'
import type { App } from '../../kit/app/app.ts'
import { namesText } from '../../kit/app/namesText.ts'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { denied, refused } from '../../kit/http/errors.ts'
import { changed } from '../../kit/live/live.ts'
import { step } from '../../kit/work/action.ts'
import { checkRoom } from '../plans/room.ts'
import type { Bringing, Kept } from '../websites/parts/parts.ts'
import { readSite } from '../websites/site.ts'
import type { Site } from '../websites/siteSteps.ts'
import { websites } from '../websites/tables.ts'
import { ftpPasswordsBring, type KeptHashes } from './actions.ts'
import { lockNames, newSecretName, takenName } from './checks.ts'
import { serviceSteps, stateOf, userStep } from './steps.ts'
import { ftpUsers } from './tables.ts'
import { prefixLength } from './view.ts'

const Settings = z.object({
  folder: ftpFolder,
  quotaMb: z.int().nullable(),
  uploadKbps: z.int().nullable(),
  downloadKbps: z.int().nullable(),
  sessions: z.int().nullable(),
  expiresAt: z.string().nullable(),
  status: ftpStatus,
  reason: z.string().nullable(),
  passwordSetAt: z.string(),
})
/** `name` is the login name without the account. */
const One = z.object({ id: z.int(), username: ftpUsername, name: z.string(), settings: Settings })
const Facts = z.object({ websiteId: z.int(), ownerId: z.int(), users: z.array(One) })
type One = z.output<typeof One>

const textOf = (users: readonly { username: string }[]) =>
  namesText(
    users.map(({ username }) => username),
    4,
  )

/** The FTP users of a website, with the hashes of their passwords, for a backup. */
export async function keepFtpUsers({ secrets }: Pick<App, 'secrets'>, db: Db, site: Site): Promise<Kept | undefined> {
  const users: One[] = []
  const content: KeptHashes = {}
  for (const user of await live(db, site.id)) {
    const hash = await secrets.readKept(db, user.secret)
    if (!hash) continue
    const { id, username } = user
    content[id] = hash
    const name = username.slice(prefixLength(username, site.systemUser.username))
    users.push({ id, username, name, settings: Settings.parse(user) })
  }
  if (!users.length) return undefined
  const facts: z.output<typeof Facts> = { websiteId: site.id, ownerId: await ownerOf(db, site.id), users }
  return { text: textOf(users), facts, content }
}

/** Why the FTP users of a backup cannot come to a website. Their people know the passwords, so the owner must be theirs. */
export async function ftpUsersClosed(db: Db, { id, domain }: Pick<Site, 'id' | 'domain'>, kept: unknown) {
  const facts = Facts.parse(kept)
  const site = await readSite(db, id)
  if ((await ownerOf(db, id)) !== facts.ownerId)
    return `Their people would sign in to ${domain}, which belongs to another owner: add FTP users there`
  const coming = await comingTo(db, site, facts)
  if (!coming.length) return `${domain} has them all: they keep their settings and passwords of today`
  return coming.find(({ why }) => why)?.why
}

/** What a restore adds. FTP users that exist stay as they are, because their passwords may have been changed for a reason. */
export async function ftpUsersNow(db: Db, { id }: Pick<Site, 'id'>, kept: unknown): Promise<string> {
  const facts = Facts.parse(kept)
  const site = await readSite(db, id)
  const now = await live(db, id)
  const coming = await comingTo(db, site, facts)
  const stays = now.length ? `${textOf(now)}, unchanged by the restore` : 'none'
  return coming.length ? `${stays}; added with the passwords of the backup: ${textOf(coming)}` : stays
}

/** Steps that add the FTP users that the website lacks. */
export async function bringFtpUsers(
  context: Context,
  site: Site,
  kept: unknown,
  from: string,
): Promise<Bringing & { made: { was: number; id: number; username: string }[] }> {
  const { db, staff } = context
  if (missing(staff, 'ftp-user:user:create').length) throw denied(['ftp-user:user:create'])
  const facts = Facts.parse(kept)
  await lockNames(db, site.server.id)
  const coming = await comingTo(db, site, facts)
  await checkRoom(db, site.systemUser.id, { ftpUsers: coming.length }, 'settings')
  const made: (typeof ftpUsers.$inferSelect)[] = []
  for (const { one, username, why } of coming) {
    if (why) throw refused(why, { settings: why })
    const [row] = await db
      .insert(ftpUsers)
      .values({
        ...{ ...one.settings, username, websiteId: site.id, serverId: site.server.id },
        ...{ secret: '', state: 'creating', createdBy: staff.id },
      })
      .returning()
    if (!row) throw new Error('an insert answered no row')
    const secret = newSecretName(row.id)
    await db.update(ftpUsers).set({ secret }).where(eq(ftpUsers.id, row.id))
    made.push({ ...row, secret })
  }
  if (!made.length) throw refused(`${site.domain} has all FTP users of this backup`, { settings: 'None is missing' })
  const state = await stateOfSite(db, site.id)
  const hashes = made.map(({ secret }, i) => ({ was: coming[i]?.one.id ?? 0, secret }))
  return {
    made: made.map(({ id, username }, i) => ({ was: coming[i]?.one.id ?? 0, id, username })),
    steps: [
      ...(await serviceSteps(db, site.server.id)),
      step(
        ftpPasswordsBring,
        { from, hashes },
        { resource: { type: 'ftp-passwords', id: site.id, name: site.domain } },
      ),
      ...made.map((user) => userStep(site, user, stateOf(user, state))),
    ],
    async begun(workflowId) {
      const ids = made.map(({ id }) => id)
      await db.update(ftpUsers).set({ workflowId }).where(inArray(ftpUsers.id, ids))
      await changed(db, 'ftpUsers')
    },
  }
}

interface Coming {
  one: One
  username: string
  /** Why the FTP user cannot come. */
  why?: string
}

/**
 * FTP users of the backup that the website does not have: by id, because a login name may change, and by name. The website
 * of the backup keeps its login names. Another one has its account in front, and a number behind if the name is taken,
 * because websites of an owner may share an account.
 */
async function comingTo(db: Db, site: Site, { websiteId, users }: z.output<typeof Facts>): Promise<Coming[]> {
  const now = await live(db, site.id)
  const coming: Coming[] = []
  for (const one of users) {
    const wanted = websiteId === site.id ? one.username : `${site.systemUser.username}_${one.name}`
    if (now.some(({ id, username }) => id === one.id || username === wanted)) continue
    const others = websiteId === site.id ? [] : [2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${wanted}${n}`)
    let found: Coming | undefined
    for (const username of [wanted, ...others]) {
      const why = await unusable(db, site, username, coming)
      if (!why || !found) found = { one, username, ...(why && { why }) }
      if (!why) break
    }
    if (found) coming.push(found)
  }
  return coming
}

async function unusable(db: Db, site: Site, username: string, chosen: readonly Coming[]): Promise<string | undefined> {
  if (!ftpUsername.safeParse(username).success) return `${username} is no login name`
  if (chosen.some((one) => one.username === username)) return `${username} comes twice`
  return (await takenName(db, site.server.id, username))?.text
}

const live = (db: Db, websiteId: number) =>
  db
    .select()
    .from(ftpUsers)
    .where(and(eq(ftpUsers.websiteId, websiteId), isNull(ftpUsers.deletedAt)))
    .orderBy(ftpUsers.id)

async function rowOf(db: Db, websiteId: number) {
  const [row] = await db
    .select({ ownerId: websites.ownerId, status: websites.status })
    .from(websites)
    .where(eq(websites.id, websiteId))
  if (!row) throw new Error(`website ${websiteId} is gone`)
  return row
}
const ownerOf = async (db: Db, id: number) => (await rowOf(db, id)).ownerId
const stateOfSite = async (db: Db, id: number) =>
  (await rowOf(db, id)).status === 'suspended' ? 'suspended' : 'active'

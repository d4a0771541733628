import type { ftpUsers as contract } from '@innkeeper/contract/hosting/ftpUsers'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import type { PlanStep } from '../../kit/work/action.ts'
import { checkRoom } from '../plans/room.ts'
import { readSite } from '../websites/site.ts'
import { startOn } from '../websites/startWorkflow.ts'
import { readWebsite } from '../websites/view.ts'
import { checkExpiry, checkName, keepPassword, loginName } from './checks.ts'
import { listFtpUsers } from './list.ts'
import { liveHandlers } from './live.ts'
import { serverHandlers } from './servers.ts'
import { type Row, removalStep, serviceSteps, stateOf, userStep } from './steps.ts'
import { type FtpSettings, ftpUsers } from './tables.ts'
import { readFtpUser } from './view.ts'

export const ftpUsersHandlers: Handlers<typeof contract> = {
  ...liveHandlers,
  ...serverHandlers,
  list: (input, { db }) => listFtpUsers(db, input),
  one: ({ id }, { db }) => readFtpUser(db, id),

  async create({ websiteId, name, password, ...wanted }, context) {
    const { db, app, staff } = context
    const { status, kind, domain } = await readWebsite(db, websiteId)
    const why = kind === 'alias' ? 'an alias' : status
    if (why !== 'active') throw refused(`${domain} is ${why}: it gets no FTP user`, { websiteId: `Is ${why}` })
    const site = await readSite(db, websiteId)
    const username = loginName(site, name)
    checkExpiry(wanted.expiresAt)
    await checkRoom(db, site.systemUser.id, { ftpUsers: 1 }, 'websiteId')
    await checkName(db, site.server.id, username)
    const [made] = await db
      .insert(ftpUsers)
      .values({
        ...wanted,
        username,
        websiteId,
        serverId: site.server.id,
        secret: '',
        state: 'creating',
        createdBy: staff.id,
      })
      .returning()
    if (!made) throw new Error('an insert answered no row')
    const { secret, shown } = await keepPassword(app, db, made, password)
    await db.update(ftpUsers).set({ secret }).where(eq(ftpUsers.id, made.id))
    const user = { ...made, secret }
    const steps = [...(await serviceSteps(db, site.server.id)), userStep(site, user, stateOf(user))]
    return { ...(await begin(context, user, 'ftp-user.create', steps)), password: shown }
  },

  async update({ id, version, name, ...wanted }, context) {
    const { db } = context
    const { user, website } = await held(context, id, version)
    const site = await readSite(db, user.websiteId)
    const username = name === undefined ? undefined : loginName(site, name)
    // unless the name changes, a login from a former account keeps its login name
    const renamed = name !== undefined && name !== (await readFtpUser(db, id)).name
    if (renamed && username) await checkName(db, site.server.id, username, id)
    if (wanted.expiresAt !== user.expiresAt) checkExpiry(wanted.expiresAt)
    if (wanted.status === 'active') wanted.reason = null
    const next = differences(user, { ...wanted, ...(renamed && username && { username }) })
    if (!Object.keys(next).length) {
      context.status(200)
      return { data: await readFtpUser(db, id), workflowId: null }
    }
    context.status(202)
    await db.update(ftpUsers).set({ next }).where(eq(ftpUsers.id, id))
    const after: Row = { ...user, ...next }
    return begin(context, user, 'ftp-user.change', [userStep(site, after, stateOf(after, website))])
  },

  async setPassword({ id, version, password }, context) {
    const { db, app, now } = context
    const { user, website } = await held(context, id, version)
    const { secret, shown } = await keepPassword(app, db, user, password)
    const next = { secret, passwordSetAt: now.toISOString() }
    await db.update(ftpUsers).set({ next }).where(eq(ftpUsers.id, id))
    const step = userStep(await readSite(db, user.websiteId), { ...user, secret }, stateOf(user, website))
    return { ...(await begin(context, user, 'ftp-user.change', [step])), password: shown }
  },

  async remove({ id, version }, context) {
    const { user } = await held(context, id, version)
    await context.db.update(ftpUsers).set({ state: 'deleting' }).where(eq(ftpUsers.id, id))
    return begin(context, user, 'ftp-user.delete', [removalStep(user, user.serverId)])
  },
}

/** Locks an FTP user and reads it with the state of its website. 422 unless both can be changed now. */
async function held({ db, audit }: Context, id: number, version: number | undefined) {
  const [user] = await db.select().from(ftpUsers).where(eq(ftpUsers.id, id)).for('update')
  const shown = await readFtpUser(db, id)
  audit.before(shown)
  checkVersion(shown, version, shown.username)
  if (!user || shown.state === 'creating' || shown.state === 'deleting')
    throw refused(`${shown.username} is ${shown.state}: wait for it`)
  return { user, website: await websiteState(db, shown.websiteId) }
}

async function websiteState(db: Db, websiteId: number): Promise<'active' | 'suspended'> {
  const { status, domain } = await readWebsite(db, websiteId)
  if (status !== 'active' && status !== 'suspended')
    throw refused(`${domain} is ${status}: its FTP users can only be changed while it is active or suspended`)
  return status
}

type Wanted = { [K in keyof FtpSettings]?: FtpSettings[K] | undefined }
/** The wanted values that differ from the present ones. */
const differences = (user: Row, wanted: Wanted): Partial<FtpSettings> =>
  Object.fromEntries(
    // safe cast: the keys are those of Wanted
    Object.entries(wanted).filter(([key, value]) => value !== undefined && !same(user[key as keyof Wanted], value)),
  )
const same = (a: unknown, b: unknown) =>
  a === b || (typeof a === 'string' && typeof b === 'string' && /^\d{4}-/.test(a) && Date.parse(a) === Date.parse(b))

/** Starts a workflow on the website of the user, with the website's lock. */
async function begin(context: Context, { id, websiteId }: Row, kind: string, plan: PlanStep[]) {
  const { db, staff, audit } = context
  const { domain } = await readWebsite(db, websiteId)
  const workflowId = await startOn(db, { id: websiteId, domain }, kind, plan, staff)
  await db.update(ftpUsers).set({ workflowId, version: sql`version + 1` }).where(eq(ftpUsers.id, id))
  const data = await readFtpUser(db, id)
  audit.of('ftp-user', id)
  audit.workflow(workflowId)
  audit.after(data)
  await changed(db, 'ftpUsers', id)
  return { data, workflowId }
}

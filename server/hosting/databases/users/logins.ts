import { randomBytes } from 'node:crypto'
import type { databases as contract } from '@innkeeper/contract/hosting/databases/calls'
import { missing } from '@innkeeper/contract/kit/access'
import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { denied, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { automatic, nextTry } from '../../../kit/work/automatic.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { startOn } from '../../websites/startWorkflow.ts'
import { readWebsite } from '../../websites/view.ts'
import { keepPassword } from '../create.ts'
import { checkUsername } from '../freeNames.ts'
import { readAccounts, readDatabase } from '../read.ts'
import { beginUser } from '../startWorkflow.ts'
import { accountRemoval, accountStep } from '../steps.ts'
import { databaseGrants, databaseUsers } from '../tables.ts'

/** Title of the round. */
const ROUND = 'a database login could not be ended'

const WRITE = 'database:login:write'

export const loginHandlers: Pick<Handlers<typeof contract>, 'openLogin'> = {
  async openLogin({ id, minutes, privileges, reason }, context) {
    const { db, app, staff, now } = context
    const { name, engine, status, websiteId, serverId, domain } = await readDatabase(db, id)
    if (privileges === 'all' && missing(staff, WRITE).length) throw denied([WRITE])
    if (status !== 'active') throw refused(`${name} is ${status}: it accepts no logins`)
    const website = await readWebsite(db, websiteId)
    if (website.status !== 'active') throw refused(`${domain} is ${website.status}: its accounts are locked`)
    const username = `login_${randomBytes(6).toString('hex')}`
    await checkUsername(db, serverId, websiteId, { username, engine })
    const loginEndsAt = new Date(now.getTime() + Number(minutes) * 60_000).toISOString()
    const login = { loginEndsAt, loginReason: reason, loginBy: staff.name, createdBy: staff.id }
    const [made] = await db
      .insert(databaseUsers)
      .values({ username, engine, websiteId, serverId, status: 'creating', secret: '', ...login })
      .returning({ id: databaseUsers.id })
    if (!made) throw new Error('an insert answered no row')
    const secret = await keepPassword(app, db, made.id)
    await db.update(databaseUsers).set({ secret }).where(eq(databaseUsers.id, made.id))
    await db.insert(databaseGrants).values({ databaseUserId: made.id, databaseId: id, privileges })
    const [account] = await readAccounts(db, eq(databaseUsers.id, made.id))
    const password = await app.secrets.read(db, secret)
    if (!account || !password) throw new Error('a login was not saved')
    context.status(201)
    const steps = [accountStep(account, { password: true })]
    return { ...(await beginUser(context, made.id, 'database-user.create', steps)), password }
  },
}

const AT_ONCE = 20

/** Deletes logins whose time is over, with their open connections. Skips websites that a workflow has locked. */
export async function endLogins(app: App): Promise<number> {
  const due = await rows<{ id: number; websiteId: number; domain: string }>(
    app.db,
    sql`select u.database_user_id as id, w.website_id as "websiteId", w.domain from database_users u
      join websites w on w.website_id = u.website_id and w.status in ('active', 'suspended')
      where u.login_ends_at <= now() and u.deleted_at is null and u.status in ('active', 'failed')
        and coalesce(u.retry_at <= now(), true)
        and not exists (select from resource_locks l where l.resource = 'website:' || w.website_id)
      order by ${failedLast(app, ROUND, sql`u.database_user_id`)}, u.login_ends_at limit ${AT_ONCE}`,
  )
  // one workflow at a time changes a website: a later round deletes its other logins, which are refused with 409 now
  await eachOf(app, ROUND, due, ({ id, websiteId, domain }) =>
    app.db.transaction(async (tx) => {
      const [account] = await readAccounts(tx, eq(databaseUsers.id, id))
      if (!account) return
      const plan = [accountRemoval(account, app.settings.trashDays)]
      const by = { id: null, name: 'Innkeeper' }
      const workflowId = await startOn(tx, { id: websiteId, domain }, 'database-user.delete', plan, by)
      await tx
        .update(databaseUsers)
        .set({ status: 'deleting', retryAt: null, workflowId })
        .where(eq(databaseUsers.id, id))
      await changed(tx, 'databases')
    }),
  )
  return due.length
}

/** Declares the workflows of this file, for domain.ts. */
export function loginWorkflows(): void {
  automatic('database-user.delete', async (tx, { id: workflowId }, { why, failures }) => {
    // the rollback sets `active` later; if the rollback stops too, `failed` stays. Both are retried (endLogins)
    const [login] = await tx
      .update(databaseUsers)
      .set({ status: 'failed', retryAt: nextTry(failures).toISOString() })
      .where(and(eq(databaseUsers.workflowId, workflowId), isNotNull(databaseUsers.loginEndsAt)))
      .returning()
    if (!login) return
    await changed(tx, 'databases')
    if (failures > 1) return
    await notify(tx, {
      to: await holdersOf(tx, 'database:user:delete'),
      reason: 'server',
      level: 'warning',
      title: `The timed login ${login.username} of ${login.loginBy ?? 'a former colleague'} has ended, but is not deleted yet`,
      body: `${why}. Innkeeper tries again by itself, the first time in five minutes.`,
      link: `/databases/users/edit/${login.id}`,
    })
  })
}

import type { systemUsers as contract, SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { eq, sql } from 'drizzle-orm'
import { rows } from '../../kit/db/db.ts'
import type { Context, Handlers } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { cancelStopped } from '../../kit/work/cancel.ts'
import { readRuns } from '../../machines/workflows/runs.ts'
import { whatExceeds } from '../plans/exceeding.ts'
import { readPlan } from '../plans/view.ts'
import { chooseAccount } from './findAccount.ts'
import { holdAccount } from './hold.ts'
import { listSystemUsers } from './list.ts'
import { switched } from './parts.ts'
import { remainsOf } from './remains.ts'
import { accountSteps, begin } from './startWorkflow.ts'
import { limitsOf, removal, shape } from './steps.ts'
import { systemUsers } from './tables.ts'
import { readUsage } from './usage.ts'
import { readSystemUser } from './view.ts'

export const systemUsersHandlers: Handlers<typeof contract> = {
  list: (input, { db }) => listSystemUsers(db, input),
  one: ({ id }, { db }) => readSystemUser(db, id),
  usage: ({ id }, { app }) => readUsage(app, id),
  runs: async ({ id }, { db }) => {
    await readSystemUser(db, id)
    return readRuns(db, 'system-user', id)
  },

  async create({ username, originServer, ownerId, planId }, context) {
    const { db, staff } = context
    await chooseAccount(db, { username, originServer, ownerId, planId })
    const [made] = await db
      .insert(systemUsers)
      .values({
        username,
        serverId: originServer,
        ownerId,
        planId,
        homeDir: `/home/${username}`,
        shell: '/usr/sbin/nologin',
        status: 'creating',
        createdBy: staff.id,
      })
      .returning({ id: systemUsers.id })
    return begin(context, made!.id, 'system-user.create', await accountSteps(db, made!.id, (known) => shape(db, known)))
  },

  async update({ id, status, reason, version }, context) {
    const { db } = context
    const account = await hold(context, id, version)
    if (account.status === status)
      throw refused(`${account.username} is already ${status}`, { status: `Already ${status}` })
    if (account.status !== 'active' && account.status !== 'suspended')
      throw refused(`${account.username} is ${account.status}: only an active or suspended account can be changed`)
    if (status === 'suspended' && !reason) throw refused('A suspension needs a reason', { reason: 'Required' })
    if (status === 'suspended') await db.update(systemUsers).set({ reason }).where(eq(systemUsers.id, id))
    const { steps, locks } = await switched(db, account, status)
    const kind = status === 'suspended' ? 'system-user.suspend' : 'system-user.activate'
    return begin(context, id, kind, steps, locks)
  },

  async plan({ id, planId, version }, context) {
    const { db } = context
    const account = await hold(context, id, version)
    if (account.planId === planId)
      throw refused(`${account.username} already has this plan`, { planId: 'The account already has this plan' })
    const plan = await readPlan(db, planId)
    const [over] = (await whatExceeds(db, { systemUserId: id }, plan)).exceeding
    if (over) throw refused(`${account.username} ${over.what.join(' and ')}`, { planId: over.what.join(' and ') })
    await db.update(systemUsers).set({ nextPlanId: planId }).where(eq(systemUsers.id, id))
    const steps = await accountSteps(db, id, (known) => shape(db, { ...known, plan: limitsOf({ plan }) }))
    return begin(context, id, 'system-user.plan', steps)
  },

  async remove({ id, version }, context) {
    const { db, staff } = context
    const account = await hold(context, id, version)
    if (account.status === 'deleting') throw refused(`${account.username} is already being deleted`)
    if (account.websites)
      throw refused(
        `${account.username} has ${account.websites === 1 ? 'a website' : `${account.websites} websites`}: delete these first`,
      )
    const remains = await remainsOf(db, id)
    if (remains)
      throw conflict(
        `${account.username} keeps the files of ${remains.domain} until its move to ${remains.serverName} is rolled back or this server is retired`,
      )
    await db.update(systemUsers).set({ status: 'deleting' }).where(eq(systemUsers.id, id))
    // cancel a failed creation, which holds the account's lock
    if (account.status === 'creating' && account.workflowId) await cancelStopped(db, account.workflowId, staff.name)
    return begin(context, id, 'system-user.delete', await accountSteps(db, id, async (known) => removal(known)))
  },

  async dismiss({ id }, { db, staff, audit }) {
    const [known] = await rows<{ subject: number; going: boolean }>(
      db,
      sql`select subject_id as subject, status = 'running' as going from workflows
        where workflow_id = ${id} and subject_type = 'system-user' and dismissed_at is null`,
    )
    if (!known) throw notFound('run', id)
    if (known.going) throw conflict('The workflow is running: wait until it ends')
    audit.of('system-user', known.subject)
    audit.workflow(id)
    await db.execute(
      sql`update workflows set dismissed_at = now(), dismissed_by = ${staff.name} where workflow_id = ${id}`,
    )
    await changed(db, 'systemUsers', known.subject)
  },
}

/** Locks the account's row until the transaction ends, and reads it. 409 for an outdated version. */
async function hold({ db, audit }: Context, id: number, version: number | undefined): Promise<SystemUser> {
  await holdAccount(db, id)
  const account = await readSystemUser(db, id)
  checkVersion(account, version, account.username)
  audit.before(account)
  return account
}

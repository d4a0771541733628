import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { nextRun } from '@innkeeper/contract/recovery/backups/when'
import { eq, isNull, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, Refusal } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { note } from '../record.ts'
import { chosenServer } from '../runs/place.ts'
import { checkKeep } from '../schedules/save.ts'
import { checkNoOwnBackup, NAME, startOwnBackup } from './run.ts'
import { ownBackupPlans } from './tables.ts'
import { readOwnBackups, readOwnPlan } from './view.ts'

type Calls = Handlers<typeof contract>

export const ownHandlers = {
  own: async (_, { db }) => ({ plan: await readOwnPlan(db), items: await readOwnBackups(db) }),

  async planOwn({ version, ...fields }, context) {
    const { db, audit, now, staff } = context
    const before = await heldPlan(context)
    if (before) checkVersion(before, version, NAME)
    checkKeep(fields.keep)
    await chosenServer(db, fields.backupServerId)
    const nextAt = fields.enabled ? nextRun(fields.when, now).toISOString() : null
    if (before)
      await db
        .update(ownBackupPlans)
        .set({ ...fields, nextAt, ...nextVersion })
        .where(eq(ownBackupPlans.id, before.id))
    else await db.insert(ownBackupPlans).values({ ...fields, nextAt, createdBy: staff.id })
    const after = await readOwnPlan(db)
    if (!after) throw new Error('the plan was not saved')
    audit.of('own-backup-plan', after.id)
    audit.after(after)
    await changed(db, 'backups')
    return after
  },

  async endOwnPlan({ version }, context) {
    const { db } = context
    const plan = await heldPlan(context)
    if (!plan) throw notFound('schedule of Innkeeper itself')
    checkVersion(plan, version, NAME)
    await db
      .update(ownBackupPlans)
      .set({ deletedAt: sql`now()`, nextAt: null, ...nextVersion })
      .where(eq(ownBackupPlans.id, plan.id))
    await changed(db, 'backups')
  },

  async runOwn({ backupServerId }, { db, app, staff, audit }) {
    const plan = await readOwnPlan(db)
    await checkNoOwnBackup(db)
    const server = await chosenServer(db, backupServerId ?? plan?.backupServerId)
    const { id, workflowId } = await startOwnBackup(app, db, server, staff)
    audit.of('own-backup', id)
    audit.workflow(workflowId)
    return { workflowId }
  },
} satisfies Partial<Calls>

async function heldPlan({ db, audit }: Context) {
  await db.execute(sql`select 1 from own_backup_plans where deleted_at is null for update`)
  const plan = await readOwnPlan(db)
  if (plan) {
    audit.of('own-backup-plan', plan.id)
    audit.before(plan)
  }
  return plan
}

/** Starts the backup of Innkeeper itself when its schedule is due. */
export async function ownBackupDue(app: App): Promise<void> {
  const { db } = app
  const [due] = await db.select().from(ownBackupPlans).where(sql`next_at <= now() and enabled and deleted_at is null`)
  if (!due) return
  const nextAt = nextRun(due.when, new Date()).toISOString()
  try {
    await db.transaction(async (tx) => {
      const [mine] = await tx
        .update(ownBackupPlans)
        .set({ nextAt })
        .where(sql`own_backup_plan_id = ${due.id} and next_at <= now() and deleted_at is null`)
        .returning({ id: ownBackupPlans.id })
      if (!mine) return
      await checkNoOwnBackup(tx)
      await startOwnBackup(app, tx, due.backupServerId, { id: null, name: 'Innkeeper' })
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await db.update(ownBackupPlans).set({ nextAt }).where(isNull(ownBackupPlans.deletedAt))
    await note(db, 'warning', `The backup of Innkeeper itself did not start: ${error.message}`)
  }
}

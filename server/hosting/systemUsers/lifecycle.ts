import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, onEnd } from '../../kit/work/workflow.ts'
import { systemUsers } from './tables.ts'

type Change = Partial<Record<keyof typeof systemUsers.$inferInsert, unknown>>
interface Kind {
  title: string
  doing: string
  done: Change
  'rolled-back': Change
  /** Status change of the account's websites; to activate, only of those that were suspended with it. */
  websites?: { done: SiteChange; 'rolled-back': SiteChange }
}
interface SiteChange {
  from: 'active' | 'suspended'
  to: 'active' | 'suspended'
}

const gone = { deletedAt: sql`now()` }
const suspends: SiteChange = { from: 'active', to: 'suspended' }
const activates: SiteChange = { from: 'suspended', to: 'active' }

/**
 * Workflows of an account with its columns by outcome. A stopped workflow leaves the account unchanged until somebody
 * decides.
 */
const kinds: Record<string, Kind> = {
  'system-user.create': {
    title: 'Create system user',
    doing: 'being created',
    done: { status: 'active' },
    'rolled-back': gone,
  },
  'system-user.delete': {
    title: 'Delete system user',
    doing: 'being deleted',
    done: gone,
    'rolled-back': { status: 'active' },
  },
  'system-user.suspend': {
    title: 'Suspend system user',
    doing: 'being suspended',
    done: { status: 'suspended' },
    'rolled-back': { reason: null },
    websites: { done: suspends, 'rolled-back': activates },
  },
  'system-user.activate': {
    title: 'Activate system user',
    doing: 'being activated',
    done: { status: 'active', reason: null },
    'rolled-back': { status: 'suspended' },
    websites: { done: activates, 'rolled-back': suspends },
  },
  'system-user.plan': {
    title: 'Change plan of system user',
    doing: 'getting another plan',
    done: { planId: sql`coalesce(next_plan_id, plan_id)`, nextPlanId: null },
    'rolled-back': { nextPlanId: null },
  },
}

/** Stores the uids that servers assigned to the accounts of a workflow. */
export const noteUids = (tx: Db, workflowId: number) =>
  tx.execute(sql`update system_users u set uid = (a.output->>'uid')::int from actions a
    where a.workflow_id = ${workflowId} and a.name = 'system-user.ensure' and a.status = 'done'
      and u.system_user_id = a.resource_id and a.output->>'uid' ~ '^[0-9]{1,9}$'`)

const websitesFollowPlan = (tx: Db, id: number) =>
  tx.execute(sql`update websites w set plan_id = u.plan_id, version = w.version + 1, updated_at = now()
    from system_users u where u.system_user_id = ${id} and w.system_user_id = ${id} and w.deleted_at is null`)

/** Suspends or activates websites with their account. Only those suspended with it are activated. */
async function websitesFollow(tx: Db, id: number, { from, to }: SiteChange): Promise<void> {
  await tx.execute(sql`update websites set status = ${to}, suspended_with_account = ${to === 'suspended'},
      version = version + 1, updated_at = now()
    where system_user_id = ${id} and status = ${from} and deleted_at is null
      and suspended_with_account = ${from === 'suspended'}`)
  await changed(tx, 'websites')
}

/** Declares the workflows of this file, for domain.ts. */
export function accountWorkflows(): void {
  for (const [kind, { title, doing, websites, ...changes }] of Object.entries(kinds)) {
    describe(kind, { title, doing })
    onEnd(kind, async (tx, { id: workflowId, subjectId }, outcome) => {
      if (outcome === 'done' || outcome === 'rolled-back') {
        await noteUids(tx, workflowId)
        await tx
          .update(systemUsers)
          // safe cast: `kinds` above holds only columns of this table
          .set({ ...(changes[outcome] as object), ...nextVersion })
          .where(and(eq(systemUsers.id, subjectId), isNull(systemUsers.deletedAt)))
        if (kind === 'system-user.plan' && outcome === 'done') await websitesFollowPlan(tx, subjectId)
        if (websites) await websitesFollow(tx, subjectId, websites[outcome])
      }
      await changed(tx, 'systemUsers', subjectId)
    })
  }
}

import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onEnd } from '../../kit/work/workflow.ts'
import { noteUids } from '../systemUsers/lifecycle.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { followParent } from './family.ts'
import { leaveGroup } from './groupMembers.ts'
import { makes } from './startWorkflow.ts'
import { websites } from './tables.ts'

type Status = (typeof websites.$inferSelect)['status']
type Kind = Record<Outcome, Status | typeof BEFORE> & { title: string; doing: string }
/** Placeholder for the status before the deletion. */
const BEFORE = 'before'

/**
 * The workflows of a website with its status by outcome. A failed suspension or activation keeps the status; the
 * stopped workflow shows the failure until somebody decides.
 */
const kinds: Record<string, Kind> = {
  'website.create': {
    title: 'Create website',
    doing: 'being created',
    running: 'creating',
    failed: 'failed',
    done: 'active',
    'rolled-back': 'deleted',
  },
  'website.stage': {
    title: 'Make staging copy',
    doing: 'being copied',
    running: 'creating',
    failed: 'failed',
    done: 'active',
    'rolled-back': 'deleted',
  },
  'website.alias': {
    title: 'Add alias',
    doing: 'being added',
    running: 'creating',
    failed: 'failed',
    done: 'active',
    'rolled-back': 'deleted',
  },
  'website.subwebsite': {
    title: 'Create sub-website',
    doing: 'being created',
    running: 'creating',
    failed: 'failed',
    done: 'active',
    'rolled-back': 'deleted',
  },
  'website.delete': {
    title: 'Delete website',
    doing: 'being deleted',
    running: 'deleting',
    failed: 'failed',
    done: 'deleted',
    'rolled-back': BEFORE,
  },
  'website.restore': {
    title: 'Restore website',
    doing: 'being restored',
    running: 'creating',
    failed: 'failed',
    done: BEFORE,
    'rolled-back': 'deleted',
  },
  'website.suspend': {
    title: 'Suspend website',
    doing: 'being suspended',
    running: 'active',
    failed: 'active',
    done: 'suspended',
    'rolled-back': 'active',
  },
  'website.activate': {
    title: 'Activate website',
    doing: 'being activated',
    running: 'suspended',
    failed: 'suspended',
    done: 'active',
    'rolled-back': 'suspended',
  },
}
/**
 * Sets `purged_at` immediately for a website that was never served and for an alias, because neither has files in the
 * trash.
 */
const goneForGood = (kind: string) =>
  makes.includes(kind) ? sql`now()` : sql`case when ${websites.kind} = 'alias' then now() end`
const before: SQL<Status> = sql`coalesce(${websites.statusBefore}, 'active')`
const nextVersion = { version: sql`${websites.version} + 1`, updatedAt: sql`now()` }

/** Declares the workflows of this file, for domain.ts. */
export function websiteWorkflows(): void {
  for (const [kind, { title, doing, ...statuses }] of Object.entries(kinds)) {
    describe(kind, { title, doing })
    onEnd(kind, async (tx, { id, subjectId }, outcome) => {
      if (outcome === 'done') await noteUids(tx, id)
      const status = statuses[outcome]
      const gone = status === 'deleted'
      const [site] = await tx
        .update(websites)
        .set({
          status: status === BEFORE ? before : status,
          ...nextVersion,
          ...(gone && { deletedAt: sql`now()` }),
          ...(gone && { purgedAt: goneForGood(kind) }),
        })
        .where(and(eq(websites.id, subjectId), isNull(websites.deletedAt)))
        .returning({ systemUserId: websites.systemUserId })
      await followParent(tx, subjectId, kind, outcome)
      if (site && gone) {
        await leaveGroup(tx, subjectId)
        await tx
          .update(systemUsers)
          .set({ deletedAt: sql`now()` })
          .where(
            and(
              eq(systemUsers.id, site.systemUserId),
              sql`not exists (select from websites w where w.system_user_id = ${systemUsers.id} and w.deleted_at is null)`,
            ),
          )
      }
      await changed(tx, 'websites', subjectId)
    })
  }

  describe('website.purge', { title: 'Delete website for good', doing: 'being deleted for good' })
  onEnd('website.purge', async (tx, { subjectId }, outcome) => {
    if (outcome === 'done')
      await tx
        .update(websites)
        .set({ purgedAt: sql`now()`, ...nextVersion })
        .where(eq(websites.id, subjectId))
    await followParent(tx, subjectId, 'website.purge', outcome)
    await changed(tx, 'websites', subjectId)
  })
}

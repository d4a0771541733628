import { and, eq, isNull, sql } from 'drizzle-orm'
import { changed } from '../kit/live.ts'
import { describe, onEnd } from '../kit/workflow.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from './tables.ts'

type Status = (typeof websites.$inferSelect)['status']
interface Kind {
  title: string
  doing: string
  /** What the website is while it runs, when it is done, and when it was rolled back. */
  running: Status
  done: Status
  'rolled-back': Status
}

/** The workflows of a website, and what each makes of it. One that stops leaves it `failed`, until somebody decides. */
const kinds: Record<string, Kind> = {
  'website.create': {
    title: 'Create website',
    doing: 'being created',
    running: 'creating',
    done: 'active',
    'rolled-back': 'deleted',
  },
  'website.delete': {
    title: 'Delete website',
    doing: 'being deleted',
    running: 'deleting',
    done: 'deleted',
    'rolled-back': 'active',
  },
  'website.suspend': {
    title: 'Suspend website',
    doing: 'being suspended',
    running: 'active',
    done: 'suspended',
    'rolled-back': 'active',
  },
  'website.activate': {
    title: 'Activate website',
    doing: 'being activated',
    running: 'suspended',
    done: 'active',
    'rolled-back': 'suspended',
  },
}

for (const [kind, { title, doing, ...statuses }] of Object.entries(kinds)) {
  describe(kind, { title, doing })
  onEnd(kind, async (tx, { subjectId }, outcome) => {
    const status = outcome === 'failed' ? 'failed' : statuses[outcome]
    const gone = status === 'deleted'
    const [site] = await tx
      .update(websites)
      .set({
        status,
        version: sql`${websites.version} + 1`,
        updatedAt: sql`now()`,
        ...(gone && { deletedAt: sql`now()` }),
      })
      .where(and(eq(websites.id, subjectId), isNull(websites.deletedAt)))
      .returning({ systemUserId: websites.systemUserId })
    if (site && gone)
      await tx
        .update(systemUsers)
        .set({ deletedAt: sql`now()` })
        .where(
          and(
            eq(systemUsers.id, site.systemUserId),
            sql`not exists (select from websites w where w.system_user_id = ${systemUsers.id} and w.deleted_at is null)`,
          ),
        )
    await changed(tx, 'websites', subjectId)
  })
}

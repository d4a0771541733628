import { taskStatuses } from '@innkeeper/contract/recovery/backups/values'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { backupLogs, backupTasks } from './tables.ts'

type NewTask = typeof backupTasks.$inferInsert
type Level = (typeof backupLogs.$inferInsert)['level']
interface About {
  taskId?: number | null
  repositoryId?: number | null
  websiteId?: number | null
}

/** Adds tasks that a workflow carries out. */
export async function addTasks(db: Db, tasks: NewTask[]): Promise<void> {
  if (tasks.length) await db.insert(backupTasks).values(tasks)
  await changed(db, 'backups')
}

export async function note(db: Db, level: Level, message: string, about: About = {}): Promise<void> {
  await db.insert(backupLogs).values({ level, message: message.slice(0, 2000), ...about })
}

/** Sets the state of a workflow's tasks; tasks that have ended get a line in the log. */
export async function endTasks(
  db: Db,
  workflowId: number,
  status: 'in progress' | 'done' | 'failed' | 'cancelled',
  message: string | null,
): Promise<void> {
  const ended = status !== 'in progress'
  // a task stays failed while its workflow is rolled back; a retry by staff opens it again
  const open = status === 'cancelled' ? (['pending', 'in progress'] as const) : taskStatuses
  const tasks = await db
    .update(backupTasks)
    .set({ status, message, endedAt: ended ? sql`now()` : null })
    .where(and(eq(backupTasks.workflowId, workflowId), inArray(backupTasks.status, open)))
    .returning()
  if (!ended || !tasks.length) return
  await db.insert(backupLogs).values(
    tasks.map(({ id, type, subject, repositoryId, websiteId }) => ({
      level: status === 'done' ? ('info' as const) : ('error' as const),
      message: `${type} of ${subject}: ${message ?? status}`.slice(0, 2000),
      ...{ taskId: id, repositoryId, websiteId },
    })),
  )
}

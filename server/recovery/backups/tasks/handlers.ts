import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { eq, inArray, sql } from 'drizzle-orm'
import { websites } from '../../../hosting/websites/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { contains, inOrder } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { given, pairOf } from '../list.ts'
import { backupLogs, backupTasks } from '../tables.ts'

type Calls = Handlers<typeof contract>

export const tasksHandlers = {
  tasks: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupTasks}`,
        where: given(
          input.search !== undefined && contains(backupTasks.subject, input.search),
          input.type && inArray(backupTasks.type, input.type),
          input.status && inArray(backupTasks.status, input.status),
          input.websiteId && inArray(backupTasks.websiteId, input.websiteId),
          input.repositoryId && inArray(backupTasks.repositoryId, input.repositoryId),
        ),
        key: backupTasks.id,
        order: { column: backupTasks.createdAt, type: 'instant', direction: 'DESC' },
      },
      readTasks,
    ),
  logs: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupLogs}`,
        where: given(
          input.search !== undefined && contains(backupLogs.message, input.search),
          input.level && inArray(backupLogs.level, input.level),
          input.websiteId && inArray(backupLogs.websiteId, input.websiteId),
          input.repositoryId && inArray(backupLogs.repositoryId, input.repositoryId),
          input.taskId && inArray(backupLogs.taskId, input.taskId),
        ),
        key: backupLogs.id,
        order: { column: backupLogs.at, type: 'instant', direction: 'DESC' },
      },
      readLogs,
    ),
} satisfies Partial<Calls>

async function readTasks(db: Db, ids: number[]) {
  if (!ids.length) return []
  return inOrder(ids, await db.select().from(backupTasks).where(inArray(backupTasks.id, ids)))
}

async function readLogs(db: Db, ids: number[]) {
  if (!ids.length) return []
  const found = await db
    .select({ log: backupLogs, domain: websites.domain })
    .from(backupLogs)
    .leftJoin(websites, eq(websites.id, backupLogs.websiteId))
    .where(inArray(backupLogs.id, ids))
  return inOrder(
    ids,
    found.map(({ log, domain }) => ({ ...log, domain })),
  )
}

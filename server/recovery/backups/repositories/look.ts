import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { backupLocks, backupRepositories, backupSizes } from '../tables.ts'

const Look = z.object({
  size: z.number(),
  snapshots: z.int(),
  locks: z.array(
    z.object({
      file: z.string(),
      since: z.string(),
      exclusive: z.boolean(),
      stale: z.boolean(),
      host: z.string(),
      username: z.string(),
      pid: z.int(),
    }),
  ),
})

/** Stores the sizes and restic locks of repositories that a workflow has read. */
export async function applyLooks(tx: Db, workflowId: number): Promise<void> {
  const looks = await rows<{ id: number; output: unknown }>(
    tx,
    sql`select resource_id as id, output from actions where workflow_id = ${workflowId} and status = 'done'
      and name = 'backup-repository.look'`,
  )
  for (const { id, output } of looks) {
    const look = Look.safeParse(output).data
    if (look) await applyLook(tx, id, look)
  }
}

async function applyLook(
  tx: Db,
  repositoryId: number,
  { size, snapshots, locks }: z.output<typeof Look>,
): Promise<void> {
  await tx
    .update(backupRepositories)
    .set({ size, snapshots, seenAt: sql`now()` })
    .where(eq(backupRepositories.id, repositoryId))
  // one size a day (UTC) for 400 days: the last of each day
  await tx.execute(sql`delete from backup_sizes where backup_repository_id = ${repositoryId}
    and (at < now() - interval '400 days' or at >= date_trunc('day', now(), 'UTC'))`)
  await tx.insert(backupSizes).values({ repositoryId, size })
  const files = locks.map(({ file }) => file)
  await tx.execute(sql`update backup_locks set state = 'unlocked', unlocked_at = now()
    where backup_repository_id = ${repositoryId} and source = 'restic' and state = 'locked'
      and file <> all(${sql.param(files)}::text[])`)
  if (!locks.length) return
  await tx
    .insert(backupLocks)
    .values(
      locks.map(({ username, exclusive, ...lock }) => ({
        ...{ ...lock, exclusive, repositoryId, source: 'restic' as const, holder: username },
        ...{ type: 'unspecified' as const, reason: exclusive ? ('prune' as const) : ('unspecified' as const) },
      })),
    )
    .onConflictDoUpdate({
      target: [backupLocks.repositoryId, backupLocks.file],
      targetWhere: sql`state = 'locked'`,
      set: { stale: sql`excluded.stale`, since: sql`excluded.since` },
    })
}

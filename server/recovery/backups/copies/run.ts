import { eq, sql } from 'drizzle-orm'
import { chunks } from '../../../kit/db/chunks.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { accountEnsure, copyPrepare, copyRun, repositoryForget } from '../actions.ts'
import { addTasks } from '../record.ts'
import { type Access, accessTo, checkUnlocked, localOf, onRepository, remoteOf } from '../repositories/access.ts'
import { backupCopies } from './tables.ts'

/** Maximum number of snapshots of one step, and of one run; the next run copies the rest. */
const [STEP, MOST] = [5000, 50_000]

interface Part {
  snapshot: string | null
  copy?: string
}

/**
 * Copies snapshots that are not in the copy yet, oldest first. This runs on the backup server of the first repository,
 * which can append to the copy but not delete. Then the other server removes copies of backups that no longer exist.
 */
export async function startCopy(db: Db, id: number, by: { id: number | null; name: string }): Promise<number> {
  const [copy] = await db
    .select()
    .from(backupCopies)
    .where(sql`backup_copy_id = ${id} and deleted_at is null`)
    .for('update')
  if (!copy) throw notFound('copy of a repository', id)
  const [first, target] = [await accessTo(db, copy.repositoryId), await accessTo(db, copy.targetId)]
  await checkUnlocked(db, [first], 'restore')
  await checkUnlocked(db, [target], 'maintenance')
  const wanted = await partsOf(
    db,
    copy.repositoryId,
    sql`deleted_at is null and not leaving and copied_at is null and status in (2, 4)`,
  )
  const gone = await partsOf(db, copy.repositoryId, sql`deleted_at is not null and copied_at is not null`)
  const plan = [
    ...(target.status === 'ready' ? [] : preparing(first, target)),
    ...chunks(
      wanted.flatMap(({ snapshot, copy: there }) => (snapshot && !there ? snapshot : [])),
      STEP,
    ).map((snapshots) =>
      step(
        copyRun,
        { ...copyOf(first, target), snapshots, ...(copy.limit && { limit: copy.limit }) },
        onRepository(first),
      ),
    ),
    ...chunks(
      gone.flatMap(({ copy: there }) => there ?? []),
      STEP,
    ).map((snapshots) => step(repositoryForget, { ...localOf(target), snapshots }, onRepository(target))),
  ]
  const workflowId = await start(db, {
    ...{ kind: 'backup-repository.copy', holder: by.name, startedById: by.id, plan },
    subject: { type: 'backup-repository', id: first.id, name: first.account },
    locks: [`backup-repository:${first.id}`, `backup-repository:${target.id}`],
  })
  if (plan.length) {
    await db.update(backupCopies).set({ workflowId }).where(eq(backupCopies.id, id))
    await addTasks(db, [
      {
        ...{ type: 'copy', subject: `${first.account} to ${target.backupServer.name}` },
        ...{ repositoryId: first.id, startedBy: by.name, workflowId },
      },
    ])
  }
  await changed(db, 'backups')
  return workflowId
}

const copyOf = (first: Access, target: Access) => ({
  ...remoteOf(target),
  ...{ from: first.account, fromPassword: first.password },
})

const preparing = (first: Access, target: Access): PlanStep[] => [
  // a bucket has no accounts
  ...('s3' in target.backupServer.at
    ? []
    : [step(accountEnsure, { account: target.account, key: target.key }, onRepository(target))]),
  step(copyPrepare, copyOf(first, target), onRepository(first)),
]

async function partsOf(db: Db, repositoryId: number, which: ReturnType<typeof sql>): Promise<Part[]> {
  return rows<Part>(
    db,
    sql`select p ->> 'snapshot' as snapshot, p ->> 'copy' as copy from (select * from backups
        where backup_repository_id = ${repositoryId} and ${which} order by created_at limit ${MOST}) k
      cross join jsonb_array_elements(k.parts) p`,
  )
}

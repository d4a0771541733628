import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { step } from '../../../kit/work/action.ts'
import { start, whyStopped } from '../../../kit/work/workflow.ts'
import { repositoryCheck, repositoryLook } from '../actions.ts'
import { addTasks, note } from '../record.ts'
import { accessTo, checkUnlocked, localOf, onRepository } from './access.ts'

/** Maximum number of snapshots that one check looks for, newest first. */
const MOST = 5000

/**
 * Starts a check of a repository: its structure, a share of its data, and whether the snapshots of our backups exist.
 */
export async function startCheck(db: Db, id: number, share: number, by: { id: number | null; name: string }) {
  const access = await accessTo(db, id)
  await checkUnlocked(db, [access], 'restore')
  const on = onRepository(access)
  const known = await rows<{ snapshot: string }>(
    db,
    sql`(select p ->> 'snapshot' as snapshot from backups k, jsonb_array_elements(k.parts) p
      where k.backup_repository_id = ${id} and k.deleted_at is null and not k.leaving and p ->> 'snapshot' is not null
      order by k.backup_id desc limit ${MOST})
      union all select * from (select p ->> 'copy' from backup_repositories r join backups k on k.backup_repository_id = r.copy_of_id,
        jsonb_array_elements(k.parts) p
      where r.backup_repository_id = ${id} and k.copied_at is not null and k.deleted_at is null and p ->> 'copy' is not null
      order by k.backup_id desc limit ${MOST}) copies limit ${MOST}`,
  )
  const snapshots = known.map(({ snapshot }) => snapshot)
  const wanted = { ...localOf(access), share, ...(snapshots.length && { snapshots }) }
  const workflowId = await start(db, {
    ...{ kind: 'backup-repository.maintain', subject: on.resource, holder: by.name, startedById: by.id },
    plan: [step(repositoryCheck, wanted, on), step(repositoryLook, localOf(access), on)],
    locks: [`backup-repository:${id}`],
  })
  await addTasks(db, [{ type: 'check', subject: access.account, repositoryId: id, startedBy: by.name, workflowId }])
  return workflowId
}

const Checked = z.object({ missing: z.array(z.string()).default([]) })

/** Stores the result of a check. A check that did not run changes nothing. */
export async function applyCheck(tx: Db, workflowId: number, repositoryId: number, done: boolean): Promise<void> {
  const [checked] = await rows<{ output: unknown }>(
    tx,
    sql`select output from actions where workflow_id = ${workflowId} and name = 'backup-repository.check' and attempt > 0`,
  )
  if (!checked) return
  const why = done ? 'good' : await whyStopped(tx, workflowId)
  if (why.includes('was not checked')) return
  const missing = Checked.safeParse(checked.output).data?.missing ?? []
  const lost = missing.length ? await loseBackups(tx, repositoryId, missing) : 0
  const result = lost
    ? `${lost === 1 ? '1 backup is' : `${lost} backups are`} lost: somebody removed the snapshots`
    : why.slice(0, 500)
  await tx.execute(sql`update backup_repositories set check_result = ${result}, last_check_at = now(), version = version + 1
    where backup_repository_id = ${repositoryId}`)
}

/** Marks backups whose snapshots were removed outside Innkeeper as partial or failed. Returns their number. */
export async function loseBackups(tx: Db, repositoryId: number, missing: string[]): Promise<number> {
  const gone = sql`p ->> 'snapshot' = any(${sql.param(missing)}::text[])`
  const why = 'Its snapshot was removed from the repository by somebody else'
  const lost = await rows<{ id: number; websiteId: number; domain: string }>(
    tx,
    sql`update backups k set proven_at = null, proof = null, error = ${why}, version = version + 1,
        parts = (select jsonb_agg(case when ${gone} then p || jsonb_build_object('snapshot', null, 'problem', ${why}::text)
          else p end) from jsonb_array_elements(k.parts) p),
        status = case when (select bool_or(p ->> 'snapshot' is not null and not ${gone} and p ->> 'resource' <> 'settings') from jsonb_array_elements(k.parts) p)
          then 4 else 3 end
      where k.backup_repository_id = ${repositoryId} and k.deleted_at is null and not k.leaving
        and exists (select from jsonb_array_elements(k.parts) p where ${gone})
      returning k.backup_id as id, k.website_id as "websiteId", k.domain`,
  )
  // snapshots that are missing from a copy are copied again
  await tx.execute(sql`update backups k set copied_at = null, version = version + 1,
      parts = (select jsonb_agg(case when p ->> 'copy' = any(${sql.param(missing)}::text[]) then p - 'copy' else p end order by n)
        from jsonb_array_elements(k.parts) with ordinality e(p, n))
    where k.backup_repository_id = (select copy_of_id from backup_repositories where backup_repository_id = ${repositoryId})
      and k.copied_at is not null and exists (select from jsonb_array_elements(k.parts) p
        where p ->> 'copy' = any(${sql.param(missing)}::text[]))`)
  for (const { id, websiteId, domain } of lost)
    await note(tx, 'error', `Backup ${id} of ${domain} is gone: ${why.toLowerCase()}`, { websiteId, repositoryId })
  return lost.length
}

import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { type Db, rows } from '../../../kit/db/db.ts'
import { describe, onEnd, rollBackWhen, whyStopped } from '../../../kit/work/workflow.ts'
import { loseBackups } from '../repositories/check.ts'

const Copied = z.object({
  copied: z.array(z.object({ snapshot: z.string(), copy: z.string() })),
  missing: z.array(z.string()),
})

/** Stores the id that each snapshot has in the copy. A backup is copied once all its snapshots are. */
async function noteCopied(tx: Db, repositoryId: number, copied: { snapshot: string; copy: string }[]): Promise<void> {
  if (!copied.length) return
  const ids = sql.param(copied.map(({ snapshot }) => snapshot))
  const copies = sql.param(copied.map(({ copy }) => copy))
  await tx.execute(sql`with given as (select * from unnest(${ids}::text[], ${copies}::text[]) g(snapshot, copy)),
      made as (select k.backup_id, jsonb_agg(case when g.copy is null then p.part
          else p.part || jsonb_build_object('copy', g.copy) end order by p.n) as parts
        from backups k cross join jsonb_array_elements(k.parts) with ordinality p(part, n)
        left join given g on g.snapshot = p.part ->> 'snapshot'
        where k.backup_repository_id = ${repositoryId} and k.copied_at is null and k.deleted_at is null
        group by k.backup_id having bool_or(g.copy is not null))
    update backups k set parts = m.parts, copied_at = case when not exists (select from jsonb_array_elements(m.parts) p
        where p ->> 'snapshot' is not null and p ->> 'copy' is null) then now() end
      from made m where k.backup_id = m.backup_id`)
}

/** Marks deleted backups as no longer copied: their snapshots were removed from the copy. */
const noteForgotten = (tx: Db, repositoryId: number, snapshots: string[]) =>
  tx.execute(sql`update backups k set copied_at = null where k.backup_repository_id = ${repositoryId}
    and k.deleted_at is not null and k.copied_at is not null and exists (select from jsonb_array_elements(k.parts) p
      where p ->> 'copy' = any(${sql.param(snapshots)}::text[]))`)

/** Declares the workflows of this file, for domain.ts. */
export function copyWorkflows(): void {
  describe('backup-repository.copy', { title: 'Copy repository', doing: 'being copied' })
  /** Rolled back without staff: copied snapshots stay, and the next run continues after them. */
  rollBackWhen('backup-repository.copy', async () => true)
  onEnd('backup-repository.copy', async (tx, { id, subjectId }, outcome) => {
    if (outcome === 'running') return
    const [copy] = await rows<{ target: number }>(
      tx,
      sql`select target_repository_id as target from backup_copies where backup_repository_id = ${subjectId} and deleted_at is null`,
    )
    const done = await rows<{ name: string; input: { snapshots?: string[] }; output: unknown }>(
      tx,
      sql`select name, input, output from actions where workflow_id = ${id} and status in ('done', 'undone') and output is not null`,
    )
    for (const { name, input, output } of done) {
      if (name === 'backup-copy.run') {
        const { copied, missing } = Copied.safeParse(output).data ?? { copied: [], missing: [] }
        await noteCopied(tx, subjectId, copied)
        if (missing.length) await loseBackups(tx, subjectId, missing)
      }
      if (name === 'backup-repository.forget') await noteForgotten(tx, subjectId, input.snapshots ?? [])
    }
    if (!copy || outcome === 'rolled-back') return // the failure was already recorded before the rollback
    const good = outcome === 'done'
    const error = good ? null : await whyStopped(tx, id)
    await tx.execute(sql`update backup_copies set last_at = case when ${good} then now() else last_at end, error = ${error},
      failures = case when ${good} then 0 else failures + 1 end, version = version + 1
    where backup_repository_id = ${subjectId} and deleted_at is null`)
    if (good)
      await tx.execute(sql`update backup_repositories set status = case when status = 'preparing' then 'ready' else status end,
        last_backup_at = now(), workflow_id = ${id} where backup_repository_id = ${copy.target}`)
  })
}

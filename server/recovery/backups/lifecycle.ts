import { BackupPart, Proof } from '@innkeeper/contract/recovery/backups/shapes'
import { runStatus, type SettingKind } from '@innkeeper/contract/recovery/backups/values'
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, onAnyEnd, onEnd, rollBackWhen, type Workflow, whyStopped } from '../../kit/work/workflow.ts'
import { copyIsGone } from './copies/handlers.ts'
import { unreachedMail } from './mail/keep.ts'
import { endTasks, note } from './record.ts'
import { applyCheck } from './repositories/check.ts'
import { applyLooks } from './repositories/look.ts'
import { restoreOf } from './restores/lifecycle.ts'
import { awayDuring, exchangedDuring, movedDuring } from './runs/exchange.ts'
import { heldOf, secretOf } from './settings/keep.ts'
import { backupRepositories, backupServers, backups } from './tables.ts'

const mine = /^backup[-.]|^website\.restore-backup$/
/** A restore as a new website is the creation of that website. */
const isMine = async (tx: Db, { id, kind }: Workflow): Promise<boolean> =>
  mine.test(kind) || (kind === 'website.create' && (await restoreOf(tx, id)) !== undefined)

const Prepared = z.object({ certificate: z.string(), fingerprint: z.string() })
const Programs = z.object({ restic: z.string(), server: z.string().nullish() })

const Part = BackupPart.omit({ resource: true, resourceId: true, name: true })
interface Answered {
  name: string
  of: number
  label: string
  status: string
  output: unknown
  reason: string | null
}

const resources: Record<string, BackupPart['resource']> = {
  ...{ 'backup-files.run': 'website', 'backup-database.run': 'mysql', 'backup-settings.run': 'settings' },
  'backup-mail.run': 'mail',
}
const none = { snapshot: null, bytes: 0, added: 0, files: 0 }
/** A backup without files is complete only if the agent has reported that the folder is empty; otherwise a problem. */
const lackingOf = (resource: BackupPart['resource'], { snapshot, files, empty, problem }: z.output<typeof Part>) =>
  resource === 'website' && snapshot && !files && !empty && !problem ? { problem: 'no file was backed up' } : {}

/** A problem if kinds of settings were left out because they are too large for a backup. */
const leftOut = (tooLarge: readonly SettingKind[], { problem }: z.output<typeof Part>) =>
  tooLarge.length && !problem ? { problem: `too large for a backup: ${tooLarge.join(', ')}` } : {}

const hasEnded = async (tx: Db, id: number): Promise<boolean> =>
  (await tx.select({ at: backups.endedAt }).from(backups).where(eq(backups.id, id)))[0]?.at != null

/** Sets the repository to ready: the first backup of a machine creates it. */
async function repositoryUsed(tx: Db, backupId: number, { id }: Workflow): Promise<void> {
  await tx.execute(sql`update backup_repositories r set status = case when r.status = 'preparing' then 'ready' else r.status end,
      last_backup_at = now(), workflow_id = ${id} from backups k
    where k.backup_id = ${backupId} and r.backup_repository_id = k.backup_repository_id and r.deleted_at is null`)
}

/** Sets the time of the last maintenance for every repository whose action is done. */
const touched = (tx: Db, workflowId: number, column: 'last_forget_at' | 'last_prune_at') =>
  tx.execute(sql`update backup_repositories set ${sql.identifier(column)} = now(), version = version + 1
    where backup_repository_id in (select resource_id from actions where workflow_id = ${workflowId} and status = 'done'
      and resource_type = 'backup-repository')`)

/** Reasons of a drill that did not begin or was interrupted; such a drill says nothing about the backup. */
const untried = /no room for a drill|restic ended with (?:11|128|130):/

async function outputOf(tx: Db, workflowId: number, name: string): Promise<unknown> {
  const [found] = await rows<{ output: unknown }>(
    tx,
    sql`select output from actions where workflow_id = ${workflowId} and name = ${name} and status = 'done' limit 1`,
  )
  return found?.output
}

/** The answer of the machine of drills; null if the drill ran without such a machine. */
async function proofOf(tx: Db, workflowId: number): Promise<Proof | null> {
  const [found] = await rows<{ output: object | null; machine: string }>(
    tx,
    sql`select a.output, s.name as machine from actions a join servers s on s.server_id = a.server_id
      where a.workflow_id = ${workflowId} and a.name = 'backup-drill.serve' and a.status = 'done' limit 1`,
  )
  return found ? (Proof.safeParse({ ...found.output, machine: found.machine }).data ?? null) : null
}

/** Declares the workflows of this file, for domain.ts. */
export function backupWorkflows(): void {
  describe('backup-server.prepare', { title: 'Prepare backup server', doing: 'being prepared' })
  describe('backup-server.remove', { title: 'Remove backup server', doing: 'being removed' })
  describe('backup-server.prune', { title: 'Prune repositories', doing: 'being pruned' })
  describe('backup-server.forget', { title: 'Forget backups', doing: 'having backups removed' })
  describe('backup-repository.remove', { title: 'Delete repository', doing: 'being deleted' })
  describe('backup-repository.maintain', { title: 'Look after repository', doing: 'being looked after' })
  describe('backup.run', { title: 'Back up website', doing: 'being backed up' })
  describe('backup.drill', { title: 'Restore drill', doing: 'being restored as a test' })
  /**
   * These workflows leave nothing half done: after a failure they are rolled back without staff, and run again next time.
   */
  for (const kind of [
    ...['backup.run', 'backup.drill', 'backup-server.prune', 'backup-server.forget'],
    'backup-repository.maintain',
  ])
    rollBackWhen(kind, async () => true)
  onAnyEnd(async (tx, workflow, outcome) => {
    const { id, kind, undo } = workflow
    if (!(await isMine(tx, workflow))) return
    if (outcome === 'running' && !undo) await endTasks(tx, id, 'in progress', null)
    // a backup may be partial: the hook of backup.run below decides
    else if (outcome === 'done' && kind !== 'backup.run') await endTasks(tx, id, 'done', null)
    else if (outcome === 'failed') await endTasks(tx, id, 'failed', await whyStopped(tx, id))
    else if (outcome === 'rolled-back') await endTasks(tx, id, 'cancelled', 'Rolled back')
    if (outcome === 'done') await applyLooks(tx, id)
    await changed(tx, 'backups')
  })

  onEnd('backup-server.prepare', async (tx, { id, subjectId }, outcome) => {
    const programs = Programs.safeParse(await outputOf(tx, id, 'backup-program.ensure')).data
    const prepared = Prepared.safeParse(await outputOf(tx, id, 'backup-server.ensure')).data
    const [server] = await tx.select().from(backupServers).where(eq(backupServers.id, subjectId))
    const set =
      outcome === 'done' && (prepared || server?.s3)
        ? {
            ...prepared,
            status: 'ready' as const,
            programs:
              programs &&
              [`restic ${programs.restic}`, programs.server && `rest-server ${programs.server}`]
                .filter(Boolean)
                .join(', '),
          }
        : outcome === 'rolled-back' && !server?.programs // the server was never ready
          ? { deletedAt: sql`now()`, status: 'failed' as const }
          : { status: outcome === 'running' ? ('preparing' as const) : ('failed' as const) }
    await tx
      .update(backupServers)
      .set({ ...set, ...nextVersion })
      .where(eq(backupServers.id, subjectId))
  })

  onEnd('backup-server.remove', async (tx, { subjectId }, outcome) => {
    const [gone] = await tx.select().from(backupServers).where(eq(backupServers.id, subjectId))
    if (outcome === 'done' && gone?.secret) await tx.delete(secrets).where(eq(secrets.name, gone.secret))
    const set =
      outcome === 'done' ? { deletedAt: sql`now()` } : outcome === 'rolled-back' ? { status: 'ready' as const } : {}
    await tx
      .update(backupServers)
      .set({ ...set, ...nextVersion })
      .where(eq(backupServers.id, subjectId))
  })

  onEnd('backup-repository.remove', async (tx, { subjectId }, outcome) => {
    const set =
      outcome === 'done'
        ? { deletedAt: sql`now()` }
        : { status: outcome === 'rolled-back' ? ('ready' as const) : ('removing' as const) }
    await tx
      .update(backupRepositories)
      .set({ ...set, ...nextVersion })
      .where(eq(backupRepositories.id, subjectId))
    if (outcome !== 'done') return
    await tx
      .update(backups)
      .set({ deletedAt: sql`now()` })
      .where(and(eq(backups.repositoryId, subjectId), sql`deleted_at is null`))
    await copyIsGone(tx, subjectId)
    await tx.execute(
      sql`update own_backups set deleted_at = now() where backup_repository_id = ${subjectId} and deleted_at is null`,
    )
  })

  onEnd('backup.run', async (tx, workflow, outcome) => {
    const { id, subjectId } = workflow
    if (outcome === 'running') return
    const answered = await rows<Answered>(
      tx,
      sql`select name, resource_id as of, resource_name as label, status, output, reason from actions
      where workflow_id = ${id} and name in ('backup-files.run', 'backup-database.run', 'backup-settings.run', 'backup-mail.run')
      order by position`,
    )
    const [row] = await tx
      .select({ configuration: backups.configuration, websiteId: backups.websiteId })
      .from(backups)
      .where(eq(backups.id, subjectId))
    const { settings = [], tooLarge = [], mail } = row?.configuration ?? {}
    const read = answered.flatMap(({ name, of, label, status, output, reason }): BackupPart[] => {
      const resource = resources[name] ?? 'mysql'
      const part = Part.safeParse(output).data
      // a machine that was lost meanwhile, or a person who skipped the step
      if (!part && status === 'skipped' && outcome === 'done')
        return [{ ...none, resource, resourceId: of, name: label, problem: reason ?? 'it was skipped' }]
      if (!part) return []
      const held = resource === 'settings' ? { holds: heldOf(settings, output), ...leftOut(tooLarge, part) } : {}
      return [{ ...part, ...lackingOf(resource, part), ...held, resource, resourceId: of, name: label }]
    })
    const parts = [...read, ...unreachedMail(mail)]
    const exchanged = row ? await exchangedDuring(tx, id, row.websiteId) : null
    const moved = row ? await movedDuring(tx, id, row.websiteId) : null
    const problems = [
      ...parts.flatMap(({ name, problem }) => (problem ? `${name}: ${problem}` : [])),
      ...[exchanged, moved].filter((problem) => problem !== null),
    ]
    const whole = read.length === answered.length && !problems.length
    const some = parts.some(({ snapshot }) => snapshot)
    const sum = (of: (part: BackupPart) => number) => parts.reduce((all, part) => all + of(part), 0)
    const stopped = async () => `${await whyStopped(tx, id)}${row ? await awayDuring(tx, id, row.websiteId) : ''}`
    const why = outcome === 'failed' ? await stopped() : problems.join('; ') || null
    const status = whole && outcome === 'done' ? runStatus.completed : some ? runStatus.partial : runStatus.failed
    if (outcome !== 'rolled-back' || !(await hasEnded(tx, subjectId)))
      await tx
        .update(backups)
        .set({
          ...{ parts, status, error: why ?? (outcome === 'rolled-back' ? 'Cancelled' : null), endedAt: sql`now()` },
          ...{ bytes: sum(({ bytes }) => bytes), added: sum(({ added }) => added), files: sum(({ files }) => files) },
          ...{ pausedAt: null, pausedUntil: null },
          startedAt: sql`coalesce(started_at, (select started_at from workflows where workflow_id = ${id}))`,
          ...nextVersion,
        })
        .where(eq(backups.id, subjectId))
    // its undo still needs its input
    if (outcome !== 'failed') await tx.delete(secrets).where(eq(secrets.name, secretOf(subjectId)))
    if (outcome === 'done') await repositoryUsed(tx, subjectId, workflow)
    if (outcome === 'done') await endTasks(tx, id, status === runStatus.completed ? 'done' : 'failed', why)
    await changed(tx, 'backups', subjectId)
  })

  onEnd('backup-server.forget', async (tx, { id }, outcome) => {
    if (outcome === 'running') return
    // after a failure, backups of which each snapshot was in a step that ended well are gone
    const stays = sql`select k.backup_id from backups k cross join lateral jsonb_array_elements(k.parts) p
    where k.workflow_id = ${id} and k.leaving and p ->> 'snapshot' is not null and p ->> 'snapshot' not in (
      select jsonb_array_elements_text(input -> 'snapshots') from actions where workflow_id = ${id} and status = 'done')`
    const ended = outcome === 'done' ? sql`true` : sql`backup_id not in (${stays})`
    await tx.execute(
      sql`update backups set deleted_at = now(), version = version + 1 where workflow_id = ${id} and leaving and ${ended}`,
    )
    await tx.execute(sql`update backups set leaving = false where workflow_id = ${id} and deleted_at is null`)
    await touched(tx, id, 'last_forget_at')
  })

  onEnd('backup-server.prune', async (tx, { id }, outcome) => {
    if (outcome !== 'running') await touched(tx, id, 'last_prune_at')
  })

  onEnd('backup-repository.maintain', async (tx, { id, subjectId }, outcome) => {
    if (outcome === 'running' || outcome === 'rolled-back') return
    await applyCheck(tx, id, subjectId, outcome === 'done')
  })

  onEnd('backup.drill', async (tx, { id, subjectId, subjectName }, outcome) => {
    if (outcome === 'done')
      await tx
        .update(backups)
        .set({ provenAt: sql`now()`, proof: await proofOf(tx, id), ...nextVersion })
        .where(eq(backups.id, subjectId))
    if (outcome !== 'failed') return
    const why = await whyStopped(tx, id)
    if (untried.test(why)) return note(tx, 'warning', `The backup of ${subjectName} was not tried: ${why}`)
    await tx
      .update(backups)
      .set({ provenAt: null, proof: null, ...nextVersion })
      .where(eq(backups.id, subjectId))
    await note(tx, 'error', `The backup of ${subjectName} cannot be restored: ${why}`)
  })
}

import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onEnd, onEndTouching } from '../../kit/work/workflow.ts'
import { OWN } from './steps.ts'
import { ftpServers, ftpUsers } from './tables.ts'

/** Kinds whose `ftp-user.ensure` creates the login. Others change one that exists. */
const creating = [
  'ftp-user.create',
  'website.restore',
  'website.restore-backup',
  'website.create',
  'archive-import.run',
]

const gone = (kind: string) => ({
  state: 'deleted' as const,
  deletedAt: sql`now()`,
  deletedWithWebsite: kind === 'website.delete' || kind === 'website.restore',
})
const here = { state: 'ready' as const, deletedAt: null, deletedWithWebsite: false }

async function created(tx: Db, id: number, kind: string, outcome: Outcome): Promise<void> {
  const set =
    outcome === 'done'
      ? here
      : outcome === 'rolled-back'
        ? gone(kind)
        : { state: outcome === 'failed' ? ('failed' as const) : ('creating' as const) }
  const [user] = await tx
    .update(ftpUsers)
    .set({ ...set, ...nextVersion })
    .where(eq(ftpUsers.id, id))
    .returning()
  await forgetPassword(tx, user)
}

async function removed(tx: Db, id: number, kind: string, outcome: Outcome): Promise<void> {
  if (outcome !== 'done' && outcome !== 'rolled-back') return
  const [user] = await tx
    .update(ftpUsers)
    .set({ ...(outcome === 'done' ? gone(kind) : here), ...nextVersion })
    .where(eq(ftpUsers.id, id))
    .returning()
  await forgetPassword(tx, user)
}

/** Only an FTP user that was deleted with its website may come back. */
async function forgetPassword(tx: Db, user: typeof ftpUsers.$inferSelect | undefined): Promise<void> {
  if (user?.deletedAt && !user.deletedWithWebsite) await tx.delete(secrets).where(eq(secrets.name, user.secret))
}

/** Declares the workflows of this file, for domain.ts. */
export function ftpWorkflows(): void {
  describe('ftp-user.create', { title: 'Create FTP user', doing: 'getting an FTP user' })
  describe('ftp-user.change', { title: 'Change FTP user', doing: 'getting a changed FTP user', stopsHalfway: true })
  describe('ftp-user.delete', { title: 'Delete FTP user', doing: 'losing an FTP user' })
  describe('ftp-server.change', { title: 'Change FTP', doing: 'getting other FTP settings', stopsHalfway: true })
  /** Updates FTP users by the actions of any ended workflow, their own or their website's. */
  onEndTouching([OWN], async (tx, { id: workflowId, kind }, outcome) => {
    const found = await rows<{ id: number; did: string; skipped: boolean }>(
      tx,
      sql`select resource_id as id, name as did, status = 'skipped' as skipped from actions
      where workflow_id = ${workflowId} and resource_type = ${OWN}
      and ${outcome === 'done' ? sql`status in ('done', 'skipped')` : sql`true`}`,
    )
    for (const { id, did, skipped } of found) {
      if (did === 'ftp-user.remove') {
        if (!skipped) await removed(tx, id, kind, outcome)
      } // a user whose creation was skipped is not on its server: people change or delete it
      else if (creating.includes(kind)) await created(tx, id, kind, skipped && outcome === 'done' ? 'failed' : outcome)
    }
    if (found.length) await changed(tx, 'ftpUsers')
  })

  /** Records the servers on which the FTP service is ready. */
  onEndTouching(['ftp'], async (tx, { id: workflowId }, outcome) => {
    if (outcome === 'done')
      await tx.execute(sql`insert into ftp_servers (server_id, ready_at) select distinct server_id, now() from actions
      where workflow_id = ${workflowId} and name = 'ftp.ensure' and resource_type = 'ftp' and status = 'done'
      on conflict (server_id) do update set ready_at = coalesce(ftp_servers.ready_at, now())`)
  })

  /** The row takes the new values when the workflow is done, and keeps its values when the workflow is rolled back. */
  onEnd('ftp-user.change', async (tx, { id: workflowId }, outcome) => {
    const [user] = await tx
      .select()
      .from(ftpUsers)
      .where(and(eq(ftpUsers.workflowId, workflowId), isNotNull(ftpUsers.next)))
    if (!user?.next) return
    const ended = outcome === 'done' || outcome === 'rolled-back'
    const state = outcome === 'failed' ? ('failed' as const) : ('ready' as const)
    await tx
      .update(ftpUsers)
      .set({
        state,
        ...(outcome === 'done' && { ...user.next, ...('expiresAt' in user.next && { closedAt: null, retryAt: null }) }),
        ...(ended && { next: null, ...nextVersion }),
      })
      .where(eq(ftpUsers.id, user.id))
    const { secret } = user.next
    if (ended && secret) await tx.delete(secrets).where(eq(secrets.name, outcome === 'done' ? user.secret : secret))
    await changed(tx, 'ftpUsers', user.id)
  })

  onEnd('ftp-server.change', async (tx, { subjectId }, outcome) => {
    if (outcome !== 'done' && outcome !== 'rolled-back') return
    await tx
      .update(ftpServers)
      .set({ ...(outcome === 'done' && { plain: sql`coalesce(next_plain, plain)` }), nextPlain: null, ...nextVersion })
      .where(eq(ftpServers.serverId, subjectId))
    await changed(tx, 'ftpUsers')
  })
}

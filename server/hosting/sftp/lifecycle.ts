import { and, eq, sql } from 'drizzle-orm'
import { secrets } from '../../kit/app/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { describe, type Outcome, onEnd } from '../../kit/work/workflow.ts'
import { passwordName } from './steps.ts'
import { sftpAccess, sftpKeys } from './tables.ts'

export const KIND = 'system-user.sftp'

type Ended = Extract<Outcome, 'done' | 'rolled-back'>

/** Applies the outcome of a workflow to the access and keys of an account. */
export async function settle(tx: Db, systemUserId: number, workflowId: number, outcome: Ended): Promise<void> {
  await settleAccess(tx, systemUserId, outcome)
  await settleKeys(tx, systemUserId, outcome)
  if (outcome === 'done') await noteDoor(tx, systemUserId, workflowId)
}

const settleAccess = (tx: Db, systemUserId: number, outcome: Ended) => {
  const [up, down] = outcome === 'done' ? ['on', 'off'] : ['off', 'on']
  const since =
    outcome === 'done'
      ? sql`case password_change when 'setting' then now() when 'removing' then null else password_set_at end`
      : sql`password_set_at`
  return tx.execute(sql`update sftp_access set password_set_at = ${since}, password_change = null,
      state = case state when 'enabling' then ${up} when 'disabling' then ${down} else state end,
      version = version + 1, updated_at = now() where system_user_id = ${systemUserId}`)
}

async function settleKeys(tx: Db, systemUserId: number, outcome: Ended): Promise<void> {
  const [goes, stays] = outcome === 'done' ? (['removing', 'adding'] as const) : (['adding', 'removing'] as const)
  const theirs = eq(sftpKeys.systemUserId, systemUserId)
  await tx.delete(sftpKeys).where(and(theirs, eq(sftpKeys.state, goes)))
  await tx
    .update(sftpKeys)
    .set({ state: 'active' })
    .where(and(theirs, eq(sftpKeys.state, stays)))
}

/** Stores the port and host keys from the output of the workflow's action. */
async function noteDoor(tx: Db, systemUserId: number, workflowId: number): Promise<void> {
  const [said] = await rows<{ port: number | null; hostKeys: string[] | null }>(
    tx,
    sql`select (output ->> 'port')::int as port,
        (select array_agg(key) from jsonb_array_elements_text(output -> 'hostKeys') key) as "hostKeys"
      from actions where workflow_id = ${workflowId} and name = 'sftp-access.ensure'
        and resource_type = 'sftp' and resource_id = ${systemUserId} and jsonb_typeof(output -> 'hostKeys') = 'array'
      order by position desc limit 1`,
  )
  if (said?.port)
    await tx
      .update(sftpAccess)
      .set({ port: said.port, hostKeys: said.hostKeys ?? [] })
      .where(eq(sftpAccess.systemUserId, systemUserId))
}

/** Declares the workflows of this file, for domain.ts. */
export function sftpWorkflows(): void {
  describe(KIND, { title: 'Change SFTP access', doing: 'getting other SFTP access' })
  /**
   * Settles access and keys when the workflow is done or rolled back. A stopped workflow leaves them in their
   * transitional states.
   */
  onEnd(KIND, async (tx, { id, subjectId }, outcome) => {
    if (outcome === 'done' || outcome === 'rolled-back') {
      await settle(tx, subjectId, id, outcome)
      await tx.delete(secrets).where(eq(secrets.name, passwordName(subjectId)))
    }
    await changed(tx, 'sftp', subjectId)
    await changed(tx, 'systemUsers', subjectId)
  })
}

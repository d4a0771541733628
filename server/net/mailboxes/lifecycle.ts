import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { refused } from '../../kit/http/errors.ts'
import { nextVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { planAgain } from '../../kit/work/line.ts'
import { neverBegun } from '../../kit/work/neverBegun.ts'
import { describe, type Outcome, onAnyEnd, onEndTouching } from '../../kit/work/workflow.ts'
import { domainStep, rowOf } from './steps.ts'
import { mailboxes, mailboxUsers } from './tables.ts'
import { usersFollow } from './trash.ts'

/** Kinds that make mail domains. */
const creating = ['mailbox.create', 'archive-import.run', 'website.create']
const isOwn = (kind: string) => kind.startsWith('mailbox.')
const gone = { state: 'deleted', deletedAt: sql`now()` as unknown as string } as const

/**
 * Columns of a mail domain by the last operation and the outcome of its workflow. The rows contain the settings that
 * people chose: after a rollback the server differs, until people apply the rows again or change them.
 */
function columns(kind: string, did: string, outcome: Outcome): Partial<typeof mailboxes.$inferInsert> {
  if (outcome === 'failed') return { state: 'failed' }
  if (outcome === 'running') return { state: did === 'remove' ? 'deleting' : 'applying' }
  if (did === 'remove')
    return outcome === 'done'
      ? { ...gone, deletedWithWebsite: !isOwn(kind) }
      : { state: 'applied', deletedAt: null, purgeAfter: null }
  if (outcome === 'done')
    return { state: 'applied', deletedAt: null, deletedWithWebsite: false, purgeAfter: null, applyAt: null }
  if (creating.includes(kind)) return gone
  if (kind === 'mailbox.restore' || kind === 'website.restore')
    return { ...gone, deletedWithWebsite: kind === 'website.restore' }
  return { state: isOwn(kind) ? 'failed' : 'applied' }
}

/** Reverts the row of a mailbox, which was deleted or restored when the workflow started, after a rollback. */
async function returned(tx: Db, id: number, did: string): Promise<void> {
  await tx
    .update(mailboxUsers)
    .set({ deletedAt: did === 'remove' ? null : (sql`now()` as unknown as string), ...nextVersion })
    .where(eq(mailboxUsers.id, id))
}

const queueing = ['change', 'key', 'certificate', 'toggle', 'user-create', 'user-change', 'user-delete', 'user-restore']

/** A change in line applies the rows as they are at its turn: those of the changes before it, without what was rolled back. */
async function applyPresentRows(tx: Db, { id, subjectId }: { id: number; subjectId: number }): Promise<void> {
  const mailbox = await rowOf(tx, subjectId)
  if (mailbox.deletedAt !== null || mailbox.state === 'deleting')
    throw refused(`${mailbox.domain} was deleted meanwhile: roll this change back`)
  const { input, what, serverId } = await domainStep(tx, subjectId)
  await tx.execute(sql`update actions set input = ${JSON.stringify(input)}::jsonb, what = ${what}, server_id = ${serverId}
    where workflow_id = ${id} and name = 'mail-domain.ensure' and status = 'pending'`)
}

/** Declares the workflows of this file, for domain.ts. */
export function mailboxWorkflows(): void {
  describe('mailbox.create', { title: 'Create mail domain', doing: 'getting mail', queues: true })
  describe('mailbox.change', { title: 'Change mail domain', doing: 'getting a changed mail domain', queues: true })
  describe('mailbox.key', { title: 'Make DKIM key', doing: 'getting a DKIM key', queues: true })
  describe('mailbox.certificate', {
    title: 'Install certificate of mail host',
    doing: 'getting a certificate for mail',
    queues: true,
  })

  describe('mailbox.toggle', { title: 'Set status of mail domain', doing: 'getting another mail status', queues: true })
  describe('mailbox.delete', { title: 'Delete mail domain', doing: 'losing its mail' })
  describe('mailbox.restore', { title: 'Restore mail domain', doing: 'getting its mail back' })
  describe('mailbox.user-create', { title: 'Create mailbox', doing: 'getting a mailbox', queues: true })
  describe('mailbox.user-change', { title: 'Change mailbox', doing: 'getting a changed mailbox', queues: true })
  describe('mailbox.user-delete', { title: 'Delete mailbox', doing: 'losing a mailbox', queues: true })
  describe('mailbox.user-restore', { title: 'Restore mailbox', doing: 'getting a mailbox back', queues: true })
  describe('mailbox.import', { title: 'Import mail', doing: 'getting mail of another server' })
  for (const kind of queueing) planAgain(`mailbox.${kind}`, applyPresentRows)
  /** Updates mail domains by the actions of any ended workflow of the mail domain or its website. */
  onEndTouching(['mailbox', 'mailbox-user'], async (tx, { id: workflowId, kind }, outcome) => {
    const found = await rows<{ type: string; id: number; did: string }>(
      tx,
      sql`select distinct on (resource_type, resource_id) resource_type as type, resource_id as id,
        split_part(name, '.', 2) as did
      from actions where workflow_id = ${workflowId} and resource_type in ('mailbox', 'mailbox-user')
        and name in ('mail-domain.ensure', 'mail-domain.remove', 'mail-domain.restore', 'mail-folder.remove',
          'mail-folder.restore')
        and ${outcome === 'done' ? sql`status = 'done'` : outcome === 'rolled-back' ? sql`(status <> 'skipped' or ${neverBegun})` : sql`status <> 'skipped'`}
      order by resource_type, resource_id, action_id desc`,
    )
    for (const { type, id, did } of found)
      if (type === 'mailbox') {
        const set = columns(kind, did, outcome)
        await tx
          .update(mailboxes)
          .set({ ...set, ...nextVersion })
          .where(eq(mailboxes.id, id))
        if (set.deletedAt !== undefined) await usersFollow(tx, id, set.deletedAt !== null)
        await changed(tx, 'mailboxes', id)
      } else if (outcome === 'rolled-back') await returned(tx, id, did)
  })

  /** Stores the public DKIM keys that servers returned. */
  onAnyEnd(async (tx, { id: workflowId, kind }) => {
    if (isOwn(kind) || creating.includes(kind))
      await tx.execute(sql`update mail_keys k set public_key = a.output ->> 'publicKey' from actions a
      where a.workflow_id = ${workflowId} and a.name = 'mail-key.ensure' and a.status = 'done'
        and a.resource_id = k.mailbox_id and a.input ->> 'selector' = k.selector and a.output ? 'publicKey'`)
  })
}

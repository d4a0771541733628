import { operations } from '@innkeeper/contract/agent/operations'
import type { mailboxes as contract } from '@innkeeper/contract/net/mailboxes/calls'
import { eq, sql } from 'drizzle-orm'
import { secrets } from '../../../kit/app/tables.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { action, secret, setting, step } from '../../../kit/work/action.ts'
import { onAnyEnd, start } from '../../../kit/work/workflow.ts'
import { holdUser, userAnswered } from '../startWorkflow.ts'

const KIND = 'mailbox.import'
const keyOf = (userId: number) => `mail-import/${userId}`
const lockOf = (userId: number) => `mail-import:${userId}`

const mailImportRun = action('mail-import.run', operations['mail-import.run'], {
  title: 'Import mail',
  lane: 'long',
  what: ({ login, host }) => `the mail of ${login} on ${host}, with folders, flags and dates`,
})

export const importHandlers: Pick<Handlers<typeof contract>, 'importMail'> = {
  async importMail({ id, password, version, port, ...source }, context) {
    const { db, app, staff } = context
    const { mailbox, user } = await holdUser(context, id, version)
    if (user.status === 'disabled' || user.suspended || mailbox.status === 'disabled')
      throw refused(`${user.address} is disabled: its server does not open it`)
    if (mailbox.move && mailbox.move.state !== 'passing')
      throw refused(`${mailbox.domain} is moving to another server: import afterwards`)
    await refuseImported(db, 'mailbox', id, user.address)
    await app.secrets.write(db, keyOf(id), password)
    const input = { mailboxId: mailbox.id, userId: id, ...source, port: Number(port), key: secret(keyOf(id)) }
    const workflowId = await start(db, {
      kind: KIND,
      subject: { type: 'mailbox', id: mailbox.id, name: mailbox.domain },
      holder: staff.name,
      startedById: staff.id,
      plan: [
        step(
          mailImportRun,
          { ...input, privateTargets: setting('privateTargets') },
          { server: mailbox.serverId, resource: { type: 'mailbox-user', id, name: user.address } },
        ),
      ],
      locks: [lockOf(id)],
    })
    context.status(202)
    return userAnswered(context, id, workflowId)
  },
}

/** 409 while mail is imported into a mailbox, or into a mailbox of a domain, that is about to go elsewhere. */
export async function refuseImported(db: Db, of: 'mailbox' | 'domain', id: number, name: string): Promise<void> {
  const [open] = await rows<{ address: string }>(
    db,
    sql`select a.resource_name as address from actions a join workflows w on w.workflow_id = a.workflow_id
      where w.kind = ${KIND} and w.ended_at is null and a.resource_type = 'mailbox-user'
        and ${of === 'mailbox' ? sql`a.resource_id = ${id}` : sql`w.subject_type = 'mailbox' and w.subject_id = ${id}`} limit 1`,
  )
  if (open) throw conflict(`${name}: mail is being imported into ${open.address}. Wait for its workflow, or cancel it`)
}

/** Declares the workflows of this file, for domain.ts. The password is forgotten when an import ends. */
export function importWorkflows(): void {
  onAnyEnd(async (tx, { id: workflowId, kind }) => {
    if (kind !== KIND) return
    const [found] = await rows<{ id: number }>(
      tx,
      sql`select resource_id as id from actions where workflow_id = ${workflowId} and name = 'mail-import.run'`,
    )
    if (found) await tx.delete(secrets).where(eq(secrets.name, keyOf(found.id)))
  })
}

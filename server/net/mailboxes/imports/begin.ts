import { type OperationInput, operations } from '@innkeeper/contract/agent/operations'
import type { Mailbox, MailboxUser } from '@innkeeper/contract/net/mailboxes/calls'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { action, secret, setting, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'

export const KIND = 'mailbox.import'
const lockOf = (userId: number) => `mail-import:${userId}`

const mailImportRun = action('mail-import.run', operations['mail-import.run'], {
  title: 'Import mail',
  lane: 'long',
  what: ({ login, host }) => `the mail of ${login} on ${host}, with folders, flags and dates`,
})

interface Wanted {
  mailbox: Mailbox
  user: MailboxUser
  /** `key`: the name of the secret with the password. */
  from: Pick<OperationInput<'mail-import.run'>, 'host' | 'port' | 'login' | 'fingerprint' | 'since' | 'key'>
  by: { id: number | null; name: string }
}

/** Starts an import. Throws if the mailbox cannot take mail now. */
export async function beginImport(db: Db, { mailbox, user, from, by }: Wanted): Promise<number> {
  if (user.status === 'disabled' || user.suspended || mailbox.status === 'disabled')
    throw refused(`${user.address} is disabled: its server does not open it`)
  if (mailbox.move && mailbox.move.state !== 'passing')
    throw refused(`${mailbox.domain} is moving to another server: import afterwards`)
  await refuseImported(db, 'mailbox', user.id, user.address)
  const input = { mailboxId: mailbox.id, userId: user.id, ...from, key: secret(from.key) }
  return start(db, {
    kind: KIND,
    subject: { type: 'mailbox', id: mailbox.id, name: mailbox.domain },
    holder: by.name,
    startedById: by.id,
    plan: [
      step(
        mailImportRun,
        { ...input, privateTargets: setting('privateTargets') },
        { server: mailbox.serverId, resource: { type: 'mailbox-user', id: user.id, name: user.address } },
      ),
    ],
    locks: [lockOf(user.id)],
  })
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

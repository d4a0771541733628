import type { MailAlias, Mailbox, MailboxUser, TrashedMail } from '@innkeeper/contract/net/mailboxes/calls'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { mailboxesApi } from './api.ts'

export const domains = ['mailboxes', 'websites', 'workflows'] as const

/** Answers whether the deletion has begun. */
export async function removeDomain({ id, domain, version, users, serverName }: Mailbox): Promise<boolean> {
  const sure = await confirmByName({
    title: `Delete the mail of ${domain}?`,
    name: domain,
    goes: [counted(users, ['mailbox', 'mailboxes']), 'All its aliases'],
    stays: `Its mail stays in the trash of ${serverName}, from where it can be restored.`,
    verb: 'Delete mail domain',
  })
  if (!sure) return false
  const begun = await attempt(() => mailboxesApi.remove({ id, domain, version }), domains)
  if (begun) toast.info(`Deleting the mail of ${domain}`)
  return begun !== undefined
}

export async function retire({ id, domain, version, move }: Mailbox, server: string): Promise<void> {
  const sure = await confirm({
    title: `Clear ${server} now?`,
    text: `${server} no longer passes on mail and sign-ins of ${domain}: senders and mail programs that still go there are refused.${move?.waitsFor ? ` Now: ${move.waitsFor}.` : ''}`,
    verb: 'Clear the former server',
    danger: true,
  })
  if (!sure) return
  if (await attempt(() => mailboxesApi.retire({ id, version }), domains)) toast.info(`Clearing ${server}`)
}

/** Answers whether the deletion has begun. */
export async function removeUser({ id, address, version }: MailboxUser): Promise<boolean> {
  const sure = await confirm({
    title: `Delete ${address}?`,
    text: 'Mail to it is refused, and nobody signs in. Its mail stays in the trash of its server, from where it can be restored.',
    verb: 'Delete mailbox',
    danger: true,
  })
  if (!sure) return false
  const begun = await attempt(() => mailboxesApi.removeUser({ id, version }), domains)
  if (begun) toast.info(`Deleting ${address}`)
  return begun !== undefined
}

/** Answers the new password, which is shown once. */
export async function newPassword({ id, address, version }: MailboxUser): Promise<string | undefined> {
  const sure = await confirm({
    title: `New password for ${address}?`,
    text: 'Mail programs with the former password no longer sign in. Passwords of applications stay.',
    verb: 'Set new password',
    danger: true,
  })
  if (!sure) return undefined
  return (await attempt(() => mailboxesApi.newPassword({ id, version }), domains))?.password
}

export async function removeAlias(mailbox: Pick<Mailbox, 'id'>, { id: alias, address }: MailAlias): Promise<void> {
  const sure = await confirm({
    title: `Delete the alias ${address}?`,
    text: 'Mail to it is refused, or goes to the catch-all address.',
    verb: 'Delete alias',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => mailboxesApi.removeAlias({ id: mailbox.id, alias }), domains)
  if (begun) toast.info(`Deleting ${address}`)
}

export async function removeAppPassword(user: MailboxUser, key: number, name: string): Promise<void> {
  const sure = await confirm({
    title: `Remove the password of ${name}?`,
    text: `${name} no longer signs in to ${user.address}.`,
    verb: 'Remove password',
    danger: true,
  })
  if (sure) await attempt(() => mailboxesApi.removeAppPassword({ id: user.id, key }), domains)
}

export async function restore({ id, kind, name, version }: TrashedMail): Promise<void> {
  const call = kind === 'domain' ? mailboxesApi.restore : mailboxesApi.restoreUser
  const begun = await attempt<unknown>(() => call({ id, version }), domains)
  if (begun) toast.info(`Restoring ${name}`, 'With its mail and passwords.')
}

/** Writes a mail domain to its server again, after a change was rolled back or the server was set up anew. */
export async function apply({ id, domain }: Mailbox): Promise<void> {
  const begun = await attempt(() => mailboxesApi.apply({ id }), domains)
  if (begun) toast.info(`Applying ${domain}`)
}

import { basename } from 'node:path'
import { type Account, accountOf } from '../accounts/systemAccounts.ts'
import type { Entry } from '../files/tree.ts'

/** The account to which all mail belongs. */
export async function vmail(): Promise<Account> {
  const account = await accountOf('vmail')
  if (!account) throw new Error('this server has no mailboxes: Dovecot is not set up here')
  return account
}

/** The folder and the name of a message, without its flags; undefined for other files. */
export function messageIn({ path, type }: Pick<Entry, 'path' | 'type'>): { folder: string; base: string } | undefined {
  const found = type === 'f' ? /^(.*)\/(?:cur|new)\/([^/]+)$/s.exec(path) : null
  return found?.[1] === undefined || found[2] === undefined ? undefined : { folder: found[1], base: baseOf(found[2]) }
}
/** The name of a message without its flags. */
const baseOf = (name: string) => name.split(':')[0] ?? name

/** The same for a message while it is read, flagged and seen; for other files the path. */
export function keyOf(one: Pick<Entry, 'path' | 'type'>): string {
  const message = messageIn(one)
  return message ? `${message.folder}/${message.base}` : one.path
}

/** Whether a folder contains deleted messages. A message that is only there may be restored to its former folder. */
export const inTrash = (folder: string) => /\.(Trash|Deleted( Items| Messages)?)(\.|$)/i.test(basename(folder))

/** The Maildir of a folder: `Maildir`, `Maildir/.Sent`. */
export const boxOf = (path: string) => {
  const found = /^(Maildir(?:\/\.[^/]+)?)(?:\/|$)/s.exec(path)
  return found?.[1]
}

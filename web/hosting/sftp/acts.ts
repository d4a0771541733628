import type { SftpAccess, SftpKey } from '@innkeeper/contract/hosting/sftp'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { sftpApi } from './api.ts'

export const domains = ['sftp', 'systemUsers', 'workflows'] as const

export async function turnOn({ systemUserId: id, username, version }: SftpAccess): Promise<void> {
  const begun = await attempt(() => sftpApi.update({ id, on: true, version }), domains)
  if (begun) toast.info(`Turning on SFTP for ${username}`, 'sshd is installed first if it is missing.')
}

export async function turnOff({ systemUserId: id, username, version }: SftpAccess): Promise<void> {
  const sure = await confirm({
    title: `Turn off SFTP for ${username}?`,
    text: 'Nobody can sign in, and open sessions end. Keys and the password are kept for when SFTP is turned on again.',
    verb: 'Turn off',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => sftpApi.update({ id, on: false, version }), domains)
  if (begun) toast.info(`Turning off SFTP for ${username}`)
}

export async function removeKey({ systemUserId: id, username }: SftpAccess, key: SftpKey): Promise<void> {
  const name = key.comment || key.fingerprint
  const sure = await confirm({
    title: `Remove the key ${name}?`,
    text: `The holder of this key can no longer sign in to ${username}. Open sessions stay open.`,
    verb: 'Remove key',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => sftpApi.removeKey({ id, key: key.id }), domains)
  if (begun) toast.info(`Removing the key ${name}`)
}

/** Generates a password and returns it, to be shown once. */
export async function makePassword({ systemUserId: id, username, passwordSetAt }: SftpAccess) {
  const sure = await confirm({
    title: passwordSetAt ? `Make a new password for ${username}?` : `Make a password for ${username}?`,
    text: passwordSetAt
      ? 'The former password stops working. Keys are safer: they cannot be guessed or passed on by phone.'
      : 'Keys are safer: they cannot be guessed or passed on by phone.',
    verb: 'Make password',
  })
  const made = sure && (await attempt(() => sftpApi.setPassword({ id }), domains))
  return made ? made.password : undefined
}

export async function removePassword({ systemUserId: id, username }: SftpAccess): Promise<void> {
  const sure = await confirm({
    title: `Remove the password of ${username}?`,
    text: 'After that, only keys can sign in.',
    verb: 'Remove password',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => sftpApi.removePassword({ id }), domains)
  if (begun) toast.info(`Removing the password of ${username}`)
}

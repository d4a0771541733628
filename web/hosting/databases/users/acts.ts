import type { DatabaseAccount, TrashedDatabaseUser } from '@innkeeper/contract/hosting/databases/calls'
import { attempt } from '../../../kit/api/attempt.ts'
import { confirm } from '../../../kit/dialogs/dialogs.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { databasesApi } from '../api.ts'

const domains = ['databases', 'websites', 'workflows'] as const

/** Why an account cannot be changed now; undefined if it can. */
export const notChangeable = ({
  username,
  status,
}: Pick<DatabaseAccount, 'username' | 'status'>): string | undefined =>
  status === 'active' || status === 'failed' ? undefined : `${username} is ${status} now. Wait for it.`

export async function setLocked({ id, username, version, locked }: DatabaseAccount): Promise<void> {
  const sure =
    locked ||
    (await confirm({
      title: `Lock ${username}?`,
      text: 'Its open connections stay until they end; new ones are refused. Its password and privileges stay.',
      verb: 'Lock database user',
      danger: true,
    }))
  if (!sure) return
  const begun = await attempt(() => databasesApi.updateUser({ id, locked: !locked, version }), domains)
  if (begun) toast.info(`${locked ? 'Unlocking' : 'Locking'} ${username}`)
}

/** Answers whether the deletion has begun. */
export async function removeUser({ id, username, version, databases }: DatabaseAccount): Promise<boolean> {
  const to = databases.map(({ name }) => name).join(', ')
  const sure = await confirm({
    title: `Delete ${username}?`,
    text: `${to ? `The user loses its access to ${to}; applications that sign in with it show errors. ` : ''}Its password and privileges stay in the trash of its server, from where it can be restored.`,
    verb: 'Delete database user',
    danger: true,
  })
  if (!sure) return false
  const begun = await attempt(() => databasesApi.removeUser({ id, version }), domains)
  if (begun) toast.info(`Deleting ${username}`)
  return begun !== undefined
}

export async function restoreUser({ id, username, version }: TrashedDatabaseUser): Promise<void> {
  const begun = await attempt(() => databasesApi.restoreUser({ id, version }), domains)
  if (begun) toast.info(`Restoring ${username}`, 'With its password and its privileges.')
}

import type { Database, DatabaseAccount, TrashedDatabase } from '@innkeeper/contract/hosting/databases/calls'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { databasesApi } from './api.ts'

const domains = ['databases', 'websites', 'workflows'] as const

export async function remove({ id, name, domain, version, users }: Database): Promise<void> {
  const sure = await confirmByName({
    title: `Delete the database ${name}?`,
    name,
    goes: [
      'All its tables',
      ...users.map(({ username }) => `The account ${username}, unless it has access to another database`),
    ],
    stays: 'A dump of it stays in the trash of its server, from where it can be restored.',
    verb: 'Delete database',
  })
  if (!sure) return
  const begun = await attempt(() => databasesApi.remove({ id, name, version }), domains)
  if (begun) toast.info(`Deleting ${name}`, `${domain} loses it as soon as the server has deleted it.`)
}

/** Restores without confirmation, because no existing data changes. */
export async function restore({ id, name, version }: TrashedDatabase): Promise<void> {
  const begun = await attempt(() => databasesApi.restore({ id, version }), domains)
  if (begun) toast.info(`Restoring ${name}`, 'With its rows and its account, as at the time of deletion.')
}

/** Why a database cannot be changed now; undefined if it can. */
export const notChangeable = ({ name, status }: Database): string | undefined =>
  status === 'active' || status === 'failed' ? undefined : `${name} is ${status} now. Wait for it.`

export async function rotate({
  id,
  username,
  version,
}: Pick<DatabaseAccount, 'id' | 'username' | 'version'>): Promise<void> {
  const sure = await confirm({
    title: `New password for ${username}?`,
    text: 'Innkeeper writes it into the configuration of applications that it knows. Others show errors until somebody enters it there; the run lists the files that name the database.',
    verb: 'Set new password',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => databasesApi.rotate({ id, version }), domains)
  if (begun) toast.info(`${username} gets a new password`, 'It can be shown as soon as its server has set it.')
}

import type { SystemUser } from '@innkeeper/contract/hosting/systemUsers'
import { attempt } from '../../kit/api/attempt.ts'
import { confirm, confirmByName } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { counted } from '../../kit/look/format.ts'
import { systemUsersApi } from './api.ts'

const domains = ['systemUsers', 'websites', 'workflows'] as const

/** Why an account cannot be suspended, activated or moved to another plan; undefined if it can. */
export const notSwitchable = ({ username, status }: SystemUser): string | undefined =>
  status === 'active' || status === 'suspended' ? undefined : `${username} is ${status} now. Wait for it.`

/** Why an account cannot be deleted; undefined if it may be tried. */
export function notRemovable({ username, websites, status }: SystemUser): string | undefined {
  if (status === 'deleting') return `${username} is being deleted.`
  return websites > 0 ? `The account has ${counted(websites, ['website', 'websites'])}. Delete those first.` : undefined
}

export async function suspend({ id, username, websites, version }: SystemUser): Promise<void> {
  const answer = await confirm({
    title: `Suspend ${username}?`,
    text: websites
      ? `${counted(websites, ['website is', 'websites are'])} suspended with it: visitors get an answer 503 until it is activated again. Files and databases stay unchanged.`
      : 'The account has no website. New websites get another account until this one is activated again.',
    verb: 'Suspend system user',
    reason: { label: 'Reason', required: true },
  })
  if (!answer) return
  const begun = await attempt(
    () => systemUsersApi.update({ id, status: 'suspended', reason: answer.reason, version }),
    domains,
  )
  if (begun) toast.info(`Suspending ${username}`, 'Its websites follow.')
}

export async function activate({ id, username, version }: SystemUser): Promise<void> {
  const begun = await attempt(() => systemUsersApi.update({ id, status: 'active', version }), domains)
  if (begun) toast.info(`Activating ${username}`, 'The websites that were suspended with it are activated too.')
}

/** Asks for the account's name. Returns whether the deletion has started. */
export async function remove(account: SystemUser): Promise<boolean> {
  const { id, username, serverName, homeDir, version } = account
  const sure = await confirmByName({
    title: `Delete ${username}?`,
    name: username,
    verb: 'Delete system user',
    goes: [`The account ${username} on ${serverName}, with its limits`, `Its home ${homeDir}`],
    stays: `The files are kept in the trash of ${serverName}, and everything that was done in the log.`,
  })
  if (!sure) return false
  const begun = await attempt(() => systemUsersApi.remove({ id, version }), domains)
  if (begun) toast.info(`Deleting ${username}`)
  return begun !== undefined
}

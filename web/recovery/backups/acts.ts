import type { RepositoryCopy } from '@innkeeper/contract/recovery/backups/copies'
import type { Pause } from '@innkeeper/contract/recovery/backups/pauses'
import type {
  Backup,
  BackupServer,
  Maintained,
  Repository,
  RepositoryLock,
  Schedule,
} from '@innkeeper/contract/recovery/backups/shapes'
import { attempt } from '../../kit/api/attempt.ts'
import { ApiError } from '../../kit/api/client.ts'
import { readAgain } from '../../kit/api/readAgain.ts'
import { confirm, confirmByName, errorDialog } from '../../kit/dialogs/dialogs.ts'
import { toast } from '../../kit/dialogs/toast.ts'
import { goTo } from '../../kit/frame/goTo.ts'
import { counted, moment } from '../../kit/look/format.ts'
import { backupsApi } from './api.ts'

export const domains = ['backups', 'websites', 'workflows'] as const

export async function removeBackup({ id, domain, version, startedAt, createdAt }: Backup): Promise<void> {
  const sure = await confirm({
    title: `Delete the backup of ${domain} of ${moment(startedAt ?? createdAt)}?`,
    text: 'The backup can no longer be restored. Its space is free after the next prune.',
    verb: 'Delete backup',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(() => backupsApi.remove({ id, version }), domains)
  if (begun) toast.info(`Deleting a backup of ${domain}`)
}

export async function hold({ id, version, held, domain }: Backup): Promise<void> {
  const after = await attempt(() => backupsApi.update({ id, version, held: !held }), domains)
  if (after)
    toast.info(
      after.held ? `No policy removes this backup of ${domain}` : `Policies may remove this backup of ${domain}`,
    )
}

export async function drill({ id, domain }: Backup): Promise<void> {
  const begun = await attempt(() => backupsApi.drill({ id }), domains)
  if (begun)
    toast.info(
      `Restoring ${domain} as a test`,
      'Into a scratch folder on the backup server, which is deleted afterwards.',
    )
}

export async function pause({ id, domain, version }: Backup): Promise<void> {
  const sure = await confirm({
    title: `Pause the backup of ${domain}?`,
    text: 'restic stops within seconds. A resumed backup starts again, but does not send again what the repository has; restic records sent data every ten minutes.',
    verb: 'Pause backup',
  })
  if (sure) await attempt(() => backupsApi.pause({ id, version }), domains)
}

export async function resume({ id, domain, version }: Backup): Promise<void> {
  const after = await attempt(() => backupsApi.resume({ id, version }), domains)
  if (after) toast.info(`The backup of ${domain} goes on`)
}

export async function cancel({ id, domain, version }: Backup): Promise<void> {
  const sure = await confirm({
    title: `Cancel the backup of ${domain}?`,
    text: 'restic stops within seconds. Databases that were already dumped are kept, and the backup is partial.',
    verb: 'Cancel backup',
    danger: true,
  })
  if (sure) await attempt(() => backupsApi.cancel({ id, version }), domains)
}

export async function endPause({ id, version, serverName }: Pause): Promise<void> {
  await attempt(() => backupsApi.endPause({ id, version }), domains)
  toast.info(`Backups of ${serverName} go on`)
}

export async function runCopy({ id, account, targetServerName }: RepositoryCopy): Promise<void> {
  const begun = await attempt(() => backupsApi.runCopy({ id }), domains)
  if (begun) toast.info(`Copying ${account} to ${targetServerName}`)
}

export async function removeCopy({ id, account, version, targetServerName }: RepositoryCopy): Promise<void> {
  const sure = await confirm({
    title: `End the copying of ${account}?`,
    text: `What was copied to ${targetServerName} stays, and can be restored, until its repository is deleted there.`,
    verb: 'End copying',
    danger: true,
  })
  if (sure) await attempt(() => backupsApi.removeCopy({ id, version }), domains)
}

export async function takeOver(copy: RepositoryCopy): Promise<void> {
  const { id, account, version, waiting, copied, targetServerName, backupServerName } = copy
  const sure = await confirmByName({
    title: `Use the copy of ${account} instead?`,
    name: account,
    goes: [
      `${counted(waiting, ['backup', 'backups'])} that ${waiting === 1 ? 'is' : 'are'} not copied`,
      `The repository on ${backupServerName} is no longer used by Innkeeper`,
    ],
    stays: `${counted(copied, ['backup', 'backups'])} on ${targetServerName}: restores, drills and forget use them there. New backups go to the servers in their schedules.`,
    verb: 'Use the copy',
  })
  if (sure) await attempt(() => backupsApi.useCopy({ id, version, name: account, lost: waiting }), domains)
}

/** Backs a website up now. With several backup servers to choose from, the form opens that asks for one. */
export async function backUp(websiteId: number, domain: string): Promise<void> {
  try {
    await backupsApi.create({ websiteId })
    toast.info(`Backing up ${domain}`)
  } catch (error) {
    const isToChoose = error instanceof ApiError && error.body.fields?.backupServerId !== undefined
    if (isToChoose) goTo(`/backups/create?website=${websiteId}`)
    else void errorDialog(error)
  } finally {
    void readAgain(domains)
  }
}

export async function removeServer({ id, name, version, s3 }: BackupServer): Promise<void> {
  const sure = await confirm({
    title: `Remove the ${s3 ? 'bucket' : 'backup server'} ${name}?`,
    text: s3
      ? 'Innkeeper deletes its key. Its objects stay in the bucket.'
      : 'rest-server stops. The managed server itself stays.',
    verb: s3 ? 'Remove bucket' : 'Remove backup server',
    danger: true,
  })
  if (sure) await attempt(() => backupsApi.removeServer({ id, version }), domains)
}

export async function removeRepository(repository: Repository): Promise<void> {
  const { id, account, address, backups, version, backupServerName } = repository
  const stored = address?.startsWith('s3:')
  const sure = await confirmByName({
    title: `Delete the repository ${account}?`,
    name: account,
    goes: [
      `All its ${counted(backups, ['backup', 'backups'])}`,
      ...(stored ? [] : ['The account of the machine on the backup server']),
    ],
    stays: stored
      ? `Its objects stay in ${address}: delete them there. Reading them later requires the password, which Innkeeper deletes.`
      : `The repository stays in the trash of ${backupServerName}.`,
    verb: 'Delete repository',
  })
  if (sure) await attempt(() => backupsApi.removeRepository({ id, version, name: account }), domains)
}

export async function check({ id, account }: Repository): Promise<void> {
  const begun = await attempt(() => backupsApi.check({ id, share: 10 }), domains)
  if (begun) toast.info(`Checking ${account}`, 'Its structure and 10 % of its data.')
}

export async function lock({ id, account }: Repository, type: 'lock-all' | 'allow-restore'): Promise<void> {
  const made = await attempt(() => backupsApi.lock({ id, type, reason: 'manual' }), domains)
  if (made)
    toast.info(
      `${account} is locked`,
      type === 'lock-all' ? 'No backup, restore or maintenance is possible.' : 'Only restores are possible.',
    )
}

export async function unlock({ id, account }: Repository): Promise<void> {
  const done = await attempt(() => backupsApi.unlock({ id }), domains)
  if (done) toast.info(`Unlocking ${account}`)
}

export async function removeLock({ id, repositoryName }: RepositoryLock): Promise<void> {
  await attempt(() => backupsApi.removeLock({ id }), domains)
  toast.info(`Unlocking ${repositoryName}`)
}

export async function removeSchedule({ id, name, version }: Schedule): Promise<void> {
  const sure = await confirm({
    title: `Delete the schedule ${name}?`,
    text: 'Its backups stay; the keep policy of their backup server applies to them.',
    verb: 'Delete schedule',
    danger: true,
  })
  if (sure) await attempt(() => backupsApi.removeSchedule({ id, version }), domains)
}

export async function switchSchedule({ id, version, enabled }: Schedule): Promise<void> {
  await attempt(() => backupsApi.updateSchedule({ id, version, enabled: !enabled }), domains)
}

/** Says that maintenance started, and of which repositories it could not start. */
function begunOf(title: string, { refused }: Maintained): void {
  if (refused.length)
    toast.warning(`${title}, except ${refused.map(({ account }) => account).join(', ')}`, refused[0]?.message)
  else toast.info(title)
}

export async function prune(id: number, name: string, repositoryId?: number): Promise<void> {
  const sure = await confirm({
    title: `Prune ${name}?`,
    text: 'Data that no backup needs is deleted. Backups to the repository wait until the prune ends.',
    verb: 'Prune',
  })
  if (!sure) return
  const begun = await attempt(
    () => backupsApi.prune({ id, backupServerId: id, ...(repositoryId && { repositoryId }) }),
    domains,
  )
  if (begun) begunOf(`Pruning ${name}`, begun)
}

export async function forget(id: number, name: string, expected: number, repositoryId?: number): Promise<void> {
  const sure = await confirm({
    title: `Remove ${counted(expected, ['backup', 'backups'])} of ${name}?`,
    text: 'The backups can no longer be restored. Their space is free after the next prune.',
    verb: 'Forget',
    danger: true,
  })
  if (!sure) return
  const begun = await attempt(
    () => backupsApi.forget({ id, backupServerId: id, expected, ...(repositoryId && { repositoryId }) }),
    domains,
  )
  if (begun) begunOf(`Forgetting ${counted(expected, ['backup', 'backups'])}`, begun)
}

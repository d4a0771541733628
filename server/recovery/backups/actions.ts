import { operations } from '@innkeeper/contract/agent/operations'
import * as z from 'zod'
import { action, type PlanStep, step } from '../../kit/work/action.ts'

export const programEnsure = action('backup-program.ensure', operations['backup-program.ensure'], {
  title: 'Backup program',
  lane: 'long',
  what: ({ server }) => (server ? 'restic and rest-server' : 'restic'),
})
export const serverEnsure = action('backup-server.ensure', operations['backup-server.ensure'], {
  title: 'Backup server',
  what: ({ address, port }) => `${address}:${port}, over TLS, accounts can only append`,
})
export const storeCheck = action('backup-store.check', operations['backup-store.check'], {
  title: 'Bucket',
  what: ({ s3 }) => `writes, reads and lists in ${s3.bucket} at ${s3.endpoint}`,
})
/** Removes nothing: reports which objects stay in the bucket that Innkeeper no longer uses. */
export const storeLeave = action('backup-store.leave', z.object({ what: z.string() }), {
  title: 'Bucket',
  what: ({ what }) => `Innkeeper no longer uses ${what}; its objects stay`,
  run: async ({ what }, { say }) => say(`the objects of ${what} stay in the bucket: remove them there`),
  undo: async () => undefined,
})
export const serverRemove = action('backup-server.remove', operations['backup-server.remove'], {
  title: 'Backup server',
  what: () => 'stops; repositories stay on its disk',
})
export const accountEnsure = action('backup-account.ensure', operations['backup-account.ensure'], {
  title: 'Backup account',
  what: ({ account }) => `${account} may append`,
})
export const repositoryEnsure = action('backup-repository.ensure', operations['backup-repository.ensure'], {
  title: 'Repository',
  what: ({ account }) => `${account} opens with its password`,
})
export const repositoryRemove = action('backup-repository.remove', operations['backup-repository.remove'], {
  title: 'Repository',
  lane: 'long',
  what: ({ account }) => `${account} goes into the trash`,
})
export const repositoryForget = action('backup-repository.forget', operations['backup-repository.forget'], {
  title: 'Forget',
  lane: 'long',
  what: ({ account, snapshots }) => `${snapshots.length} snapshots of ${account}`,
})
export const repositoryPrune = action('backup-repository.prune', operations['backup-repository.prune'], {
  title: 'Prune',
  lane: 'long',
  what: ({ account }) => `removes data of ${account} that no snapshot needs`,
})
export const repositoryCheck = action('backup-repository.check', operations['backup-repository.check'], {
  title: 'Check',
  lane: 'long',
  what: ({ account, share }) => `the structure of ${account}${share ? ` and ${share} % of its data` : ''}`,
})
export const repositoryUnlock = action('backup-repository.unlock', operations['backup-repository.unlock'], {
  title: 'Unlock',
  what: ({ account }) => `removes stale locks of ${account}`,
})
export const repositoryLook = action('backup-repository.look', operations['backup-repository.look'], {
  title: 'Look',
  lane: 'long',
  what: ({ account }) => `reads size and locks of ${account}`,
})
export const copyPrepare = action('backup-copy.prepare', operations['backup-copy.prepare'], {
  title: 'Repository of the copy',
  what: ({ account, from }) => `${account} has the chunker parameters of ${from}`,
})
export const copyRun = action('backup-copy.run', operations['backup-copy.run'], {
  title: 'Copy',
  lane: 'long',
  what: ({ from, address, snapshots }) => `${snapshots.length} snapshots of ${from} to ${address}`,
})
export const filesRun = action('backup-files.run', operations['backup-files.run'], {
  title: 'Files',
  lane: 'long',
  what: ({ path, account }) => `${path} into ${account}`,
})
export const databaseRun = action('backup-database.run', operations['backup-database.run'], {
  title: 'Database',
  lane: 'long',
  what: ({ name, account }) => `a dump of ${name} into ${account}`,
})
export const settingsRun = action('backup-settings.run', operations['backup-settings.run'], {
  title: 'Settings',
  lane: 'long',
  what: ({ username, account }) => `settings and the cron jobs of ${username} into ${account}`,
})
export const mailRun = action('backup-mail.run', operations['backup-mail.run'], {
  title: 'Mail',
  lane: 'long',
  what: ({ domain, account }) => `mail of ${domain} into ${account}`,
})
export const mailPrepare = action('restore-mail.prepare', operations['restore-mail.prepare'], {
  title: 'Restore mail',
  lane: 'long',
  what: ({ users, domain }) => `of ${users.length} mailboxes of ${domain}, beside them`,
})
export const mailMerge = action('restore-mail.merge', operations['restore-mail.merge'], {
  title: 'Add mail',
  lane: 'long',
  what: ({ domain }) => `what mailboxes of ${domain} lack`,
})
export const crontabRestore = action('crontab.restore', operations['crontab.restore'], {
  title: 'Cron jobs',
  lane: 'long',
  what: ({ username }) => `${username} gets the cron jobs of the backup`,
})
export const filesPrepare = action('restore-files.prepare', operations['restore-files.prepare'], {
  title: 'Restore files',
  lane: 'long',
  what: ({ path, paths }) =>
    `${paths ? (paths.length === 1 ? paths[0] : `${paths.length} files and folders`) : 'everything'} beside ${path}`,
})
export const filesSwap = action('restore-files.swap', operations['restore-files.swap'], {
  title: 'Exchange files',
  what: ({ path }) => `${path} with the restored ones`,
})
export const filesKeep = action('restore-files.keep', operations['restore-files.keep'], {
  title: 'Keep former files',
  lane: 'long',
  what: ({ path }) => `the former files of ${path} go into the trash`,
})
export const dumpFetch = action('restore-dump.fetch', operations['restore-dump.fetch'], {
  title: 'Restore dump',
  lane: 'long',
  what: ({ name }) => `${name} as it was backed up`,
})
export const drillRun = action('backup-drill.run', operations['backup-drill.run'], {
  title: 'Restore drill',
  lane: 'long',
  what: ({ parts }) => `restores ${parts.length} snapshots into a scratch folder and compares every byte`,
})
export const drillServe = action('backup-drill.serve', operations['backup-drill.serve'], {
  title: 'Drill on another machine',
  lane: 'long',
  what: ({ dumps, domain }) => `loads ${dumps.length} databases of ${domain} and requests its page without a network`,
})

/** The step that brings restic on a backup server to the version that this release of Innkeeper needs. */
export const withProgramOf = ({ serverId, name }: { serverId: number; name: string }): PlanStep =>
  step(programEnsure, { server: true }, { server: serverId, resource: { type: 'packages', id: serverId, name } })

import type { Good } from '../../../test/hostile/good.ts'

const when = { every: 'week' as const, at: '03:10', weekday: 2 }
const keep = { last: 1, daily: 7 }

export const backups: Good<'backups'> = {
  createServer: ({ id }) => ({ serverId: id('servers', 'backup-free'), port: 8200 }),
  createBucket: ({ id }) => ({
    ...{
      serverId: id('servers', 'backup-free'),
      name: 'Bucket',
      endpoint: 'https://s3.example.net',
      bucket: 'innkeeper',
    },
    ...{ prefix: 'vault/', region: 'eu-north-1', keyId: 'AKID', key: 'secret+of/a=bucket' },
  }),
  updateBucket: ({ id }) => ({ id: id('backup_servers', { name: 'Vault' }), keyId: 'AKID2', key: 'another+secret' }),
  updateServer: ({ id }) => ({ id: id('backup_servers'), note: 'In the cellar', keep }),
  removeServer: ({ row }) => ({
    id: Number(row('backup_servers', { server_id: row('servers', 'backup-2').server_id }).backup_server_id),
  }),
  prune: ({ id, row }) => ({
    id: id('backup_servers'),
    repositoryId: Number(row('backups').backup_repository_id),
  }),
  schedulePrune: ({ id }) => ({ id: id('backup_servers'), when }),
  forget: ({ id, row }) => ({
    id: id('backup_servers'),
    repositoryId: Number(row('backups').backup_repository_id),
    keep: { last: 1 },
  }),
  scheduleForget: ({ id }) => ({ id: id('backup_servers'), when, keep }),
  scheduleForgets: { when, keep },
  create: ({ id }) => ({ websiteId: id('websites', 'active.example.org'), backupServerId: id('backup_servers') }),
  update: ({ id }) => ({ id: id('backups', { held: true }), held: false }),
  remove: ({ id }) => ({ id: id('backups', { held: false, mode: 'scheduled' }) }),
  downloadTicket: ({ id }) => ({ id: id('backups'), path: '/public' }),
  drill: ({ id }) => ({ id: id('backups', { held: true }) }),
  restore: ({ id }) => ({ backupId: id('backups'), paths: ['public/index.php'] }),
  removeRepository: ({ id }) => ({ id: id('backup_repositories', 'server-997'), name: 'server-997' }),
  reveal: ({ id }) => ({ id: id('backup_repositories') }),
  check: ({ row }) => ({ id: Number(row('backups').backup_repository_id), share: 10 }),
  createCopy: ({ row }) => ({
    repositoryId: Number(row('backups').backup_repository_id),
    backupServerId: Number(row('backup_servers', { server_id: row('servers', 'backup-2').server_id }).backup_server_id),
    when,
  }),
  updateCopy: ({ id }) => ({ id: id('backup_copies'), limit: 2000 }),
  runCopy: ({ id }) => ({ id: id('backup_copies') }),
  removeCopy: ({ id }) => ({ id: id('backup_copies') }),
  useCopy: ({ id }) => ({ id: id('backup_copies'), name: 'server-998' }),
  pause: ({ id }) => ({ id: id('backups', { domain: 'cached.example.org' }), hours: 2 }),
  resume: ({ id }) => ({ id: id('backups', { domain: 'waiting.example.org' }) }),
  cancel: ({ id }) => ({ id: id('backups', { domain: 'cached.example.org' }) }),
  pauseServer: ({ id }) => ({ serverId: id('servers', 'web-1'), hours: 4, reason: 'New disks' }),
  endPause: ({ id }) => ({ id: id('backup_pauses') }),
  planOwn: ({ id }) => ({ backupServerId: id('backup_servers'), when, keep }),
  endOwnPlan: {},
  runOwn: ({ id }) => ({ backupServerId: id('backup_servers') }),
  removeLock: ({ id }) => ({ id: id('backup_locks', { source: 'restic' }) }),
  lock: ({ row }) => ({ id: Number(row('backups').backup_repository_id) }),
  unlock: ({ row }) => ({ id: Number(row('backup_locks', { source: 'innkeeper' }).backup_repository_id) }),
  createSchedule: ({ id }) => ({
    ...{ name: 'Weekly', serverId: id('servers', 'web-1'), backupServerId: id('backup_servers'), when, keep },
  }),
  updateSchedule: ({ id }) => ({ id: id('backup_schedules'), name: 'Nightly at three', when }),
  removeSchedule: ({ id }) => ({ id: id('backup_schedules') }),
}

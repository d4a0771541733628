import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'

type Archives = {
  [N in Extract<OperationName, `${'archive' | 'machine' | 'panel' | 'place'}.${string}`>]: OperationInput<N>
}

/** One valid request per operation on archives of other panels. The host has no archive: each fails and leaves nothing. */
export const archiveRequests = ({
  guest,
  root,
  domain,
  sum,
}: Record<'guest' | 'root' | 'domain' | 'sum', string>): Archives => ({
  'archive.fetch': { importId: 88_801, blob: { key: 'ab'.repeat(16), size: 881, sha256: sum } },
  'archive.download': {
    ...{ importId: 88_801, from: 'sftp://marker@127.0.0.1:9/marker.tar', privateTargets: [], login: 'a marker' },
    hostKey: `SHA256:${'A'.repeat(43)}`,
  },
  'archive.look': { importId: 88_801, archive: '/backup/marker.tar', domain },
  'archive.secrets': { importId: 88_801, reader: `${'B'.repeat(43)}=` },
  'archive.unpack': {
    ...{ importId: 88_801, archive: '/backup/marker.tar', crontab: { username: guest, spool: 'marker.cron.gz' } },
    sites: [{ websiteId: 881_003, from: domain, username: guest, path: root, domain: domain }],
    dumps: [{ database: 'markerdatabase', file: 'import-881.dump' }],
  },
  'archive.mail': {
    ...{ importId: 88_801, archive: '/backup/marker.tar', from: domain, mailboxId: 881_004 },
    users: [{ localPart: 'marker', userId: 881_005 }],
  },
  'archive.again': {
    ...{ importId: 88_801, archive: '/backup/marker.tar' },
    sites: [{ websiteId: 881_003, from: domain, username: guest, path: root, domain, since: 0, packed: 0 }],
    mail: [
      { from: domain, mailboxId: 881_004, since: 0, users: [{ localPart: 'marker', userId: 881_005, packed: 0 }] },
    ],
  },
  'archive.compare': {
    sites: [{ websiteId: 881_003, username: guest, path: root }],
    ...{ databases: ['markerdatabase'], mailboxes: [881_004] },
  },
  'machine.look': {},
  'machine.open': {
    ...{ transfer: 'marker-machine', token: 'ab'.repeat(32), minutes: 1, account: 'markeraccount' },
    ...{ websites: ['marker.example'], databases: ['markerdatabase'], mailDomains: ['marker.example'] },
  },
  // the host has no website of somebody else: both fail and leave nothing
  'place.look': {
    ...{ username: guest, website: 'marker.example', phpVersion: '9.87' },
    as: {
      site: { domain, aliases: [], redirects: [], root, username: guest, phpVersion: '8.2', state: 'active' },
      pool: { username: guest, phpVersion: '8.2', maxChildren: 4, memoryLimitMb: 128 },
      limits: { memoryMb: 7771, cpuPercent: 7772, tasks: 7773 },
    },
  },
  'panel.rest': {},
  'place.take': {
    ...{
      domain: 'other.example',
      aliases: [],
      redirects: [],
      root,
      username: guest,
      phpVersion: '8.2',
      state: 'active',
    },
    ...{ website: 'marker.example', seen: sum },
  },
  'place.certificate': { domain, reader: `${'B'.repeat(43)}=` },
  'archive.pull': { importId: 88_801, address: '127.0.0.1', port: 9, transfer: 'marker-pull', token: 'ab'.repeat(32) },
  'archive.drop': { importId: 88_801 },
})

import type { OperationInput, OperationName } from '@innkeeper/contract/agent/operations'
import { archiveRequests } from './archiveFixtures.ts'
import { chain, privateKey } from './certificate.ts'
import { outgoingMail } from './mailRequests.ts'
import type { Kind } from './rule.ts'
import type { Asked } from './world.ts'

/** The account and website that exist on the host all the time. Operations beside them must not affect them. */
export const guest = 'guest1'
const home = 'home.example'
const limits = { memoryMb: 7771, cpuPercent: 7772, tasks: 7773 }
const root = `/home/${guest}/${home}/public`
const pool = { username: guest, phpVersion: '8.2', maxChildren: 4, memoryLimitMb: 128 }
const site = { aliases: [], root, username: guest, phpVersion: '8.2', state: 'active' as const }

export const furnished: readonly Asked[] = [
  { name: 'nginx.ensure', input: {} },
  { name: 'php.ensure', input: { phpVersion: '8.2' } },
  { name: 'system-user.ensure', input: { username: guest, limits } },
  { name: 'document-root.ensure', input: { username: guest, path: root, domain: home } },
  { name: 'php-pool.ensure', input: pool },
  { name: 'nginx-site.ensure', input: { ...site, domain: home } },
]

/** A unique marker word per kind of value; numbers are recognised by their field, see below. */
export const markers: Record<Exclude<Kind, 'whole' | 'word'>, string> = {
  domain: 'marker.example',
  account: 'markeruser',
  path: `/home/${guest}/markerpath`,
  version: '9.87',
  package: 'marker-package',
}
const path = { username: guest, path: markers.path, domain: 'other.example' }
const aside = { aside: 'markeraside', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' } as const
const database = { name: 'markerdatabase' }
const databaseUser = { user: 'markeruser' }
const sum = 'ab'.repeat(32)
const sshKey = { type: 'ssh-ed25519', body: 'Mark'.repeat(17), expires: '20991121140240Z' } as const
const zoneKey = `${'Ab'.repeat(21)}c=`
/** A port without a listener; transfers are tested with two agents elsewhere. */
const peer = { transfer: 'marker-transfer', token: sum, address: '127.0.0.1', port: 9 }
/** Content and checksum do not belong together, so a reset leaves everything as it is. */
const reset = {
  service: 'nginx' as const,
  files: [
    {
      ...{ path: '/etc/nginx/conf.d/marker.conf', kind: 'file' as const, hash: sum, seal: null, target: null },
      ...{ mode: 0o644, owner: 'root', group: 'root', content: 'IyBtYXJrZXIK' },
    },
  ],
  remove: ['/etc/nginx/conf.d/marker-none.conf'],
}
const folder = { username: guest, path: markers.path }
const ftpLogin = `${markers.account}_marker`
const s3 = { endpoint: 'http://127.0.0.1:8872', bucket: 'marker-bucket', prefix: 'marker/', region: 'marker-1' }
const bucket = {
  s3: { ...s3, keyId: 'MARKERKEY', pathStyle: true, privateTargets: ['127.0.0.0/8'] },
  key: 'Marker0Key0Marker0',
}
const repository = { ...bucket, account: 'marker-account', password: 'Marker0Password0Marker' }
/** A backup server without a listener. */
const remote = { ...repository, address: '127.0.0.1', port: 8871, certificate: chain }
const names = { aliases: [], redirects: [] }
const edge = {
  vhostId: 881_002,
  names: [markers.domain],
  origin: '192.0.2.58',
  ...{ cache: true, keepMinutes: 9992, stale: true },
}
const renamed = {
  ...site,
  ...{ domain: 'other.example', from: 'older.example', ...names },
  beforeNames: names,
  beforeRoot: root,
}
const removed = { domain: 'other.example', ...names, root, username: guest, phpVersion: '8.2' }

/**
 * One valid request per operation. A marker or unique number stands for the tried value. A hostile value may leave and
 * start only what this request leaves and starts, with itself in place of the marker. A new operation does not compile
 * without a request here.
 */
export const wellBehaved: { [N in OperationName]: OperationInput<N> } = {
  'packages.ensure': { packages: [markers.package] },
  'nginx.ensure': {},
  // the host runs nginx, so operations for Apache fail and leave nothing
  'apache.ensure': {},
  'php.ensure': { phpVersion: markers.version },
  'php-version.ensure': { phpVersion: markers.version },
  'php-extensions.list': { phpVersion: markers.version },
  'nginx-cache.ensure': { maxSizeMb: 9991 },
  'web-proxies.ensure': { add: ['192.0.2.1'] },
  'powerdns.ensure': {},
  'mariadb.ensure': { listen: 'loopback' },
  'postgresql.ensure': { listen: 'loopback' },
  'postfix.ensure': {},
  'dovecot.ensure': {},
  'restic.ensure': {},
  // the host has no mail services, so valid operations fail or find nothing
  'mail-filter.ensure': {},
  'mail-domain.ensure': {
    ...{ mailboxId: 881_021, domain: markers.domain, state: 'active', catchAll: 'marker@other.example' },
    users: [
      {
        ...{ userId: 881_022, localPart: 'markerpart', quotaMb: 8823, state: 'active' },
        ...{ forwards: ['marker@further.example'], keepCopy: true, hourlyLimit: 8824 },
        autoReply: { subject: 'marker subject', text: 'marker text', from: '2099-01-02', until: '2099-01-03' },
      },
    ],
    aliases: [{ localPart: 'markeralias', targets: ['marker@third.example'] }],
    passwords: '{}',
    selector: 'markerselector',
    moving: { phase: 'moved', to: '192.0.2.88' },
    relays: ['192.0.2.89'],
  },
  'mail-domain.remove': { mailboxId: 881_021, domain: markers.domain, keepDays: 771 },
  'mail-domain.restore': { mailboxId: 881_021, domain: markers.domain, taken: [881_023], keepDays: 771 },
  'mail-folder.remove': { mailboxId: 881_021, userId: 881_022, keepDays: 771 },
  'mail-folder.restore': { mailboxId: 881_021, userId: 881_022, taken: [881_023], keepDays: 771 },
  'mail-folder.pull': { ...peer, mailboxId: 881_021, mode: 'seed' },
  'mail-keys.pack': { domain: markers.domain, selectors: ['markerselector'], file: 'marker.keys.gz' },
  'mail-keys.take': { domain: markers.domain, selectors: ['markerselector'], file: 'marker.keys.gz' },
  'mail-queue.flush': { domain: markers.domain },
  'mail-key.ensure': { domain: markers.domain, selector: 'markerselector' },
  'mail-tls.ensure': { mailboxId: 881_021, domain: markers.domain, chain, privateKey },
  'mail-usage.read': { mailboxId: 881_021 },
  'mail-trace.read': { about: 'marker@other.example', messageId: 'marker-message', from: 1, until: 2, most: 18 },
  ...outgoingMail,
  // the host has no PowerDNS, so valid operations fail and leave nothing
  'dns-zone.ensure': {
    ...{ domain: markers.domain, serial: 55_001, whole: true, signed: false, zoneKey },
    sets: [{ owner: `www.${markers.domain}`, recordType: 'A', ttl: 55_002, contents: ['192.0.2.55'] }],
    ...{ nameServer: 'ns.example', hostmaster: 'hostmaster.example', secondaries: ['192.0.2.56'] },
  },
  'dns-zone.fetch': { domain: markers.domain, serial: 55_003, primary: '192.0.2.57', zoneKey },
  'dns-zone.remove': { domain: markers.domain },
  'dns-zones.compare': {
    zones: [{ domain: markers.domain, serial: 55_004, digest: 'ab'.repeat(16) }],
    absent: ['gone.example'],
  },
  'dns-zone.read': { domain: markers.domain },
  'dns-zone.keys': { domain: markers.domain, reader: zoneKey },
  'ip-set.ensure': {
    ...{ set: 'marker-set', change: 661_001, whole: true, ports: [6611] },
    parts: [
      {
        ...{ first: '198.51.100.0', last: '198.51.100.255' },
        elements: [{ first: '198.51.100.7', last: '198.51.100.8', until: 4_102_444_801 }],
      },
    ],
  },
  'ip-set.remove': { set: 'marker-set' },
  'ip-sets.compare': { at: 4_102_444_802, sets: [{ set: 'marker-set', sum }] },
  'ip-set.look': { set: 'marker-set', networks: ['198.51.100.7'] },
  'acme-answer.ensure': { thumbprint: 'Mark'.repeat(11).slice(1) },
  'tls-site.ensure': {
    domain: markers.domain,
    names: ['other.example'],
    chain,
    privateKey,
    redirect: true,
    hsts: 86_399,
  },
  'tls-site.remove': { domain: markers.domain },
  'edge-tls.ensure': {
    vhostId: 881_002,
    domain: markers.domain,
    names: ['other.example'],
    chain,
    privateKey,
    redirect: true,
  },
  'edge-tls.remove': { vhostId: 881_002, domain: markers.domain },
  'system-user.ensure': {
    username: markers.account,
    limits: { memoryMb: 8881, cpuPercent: 8882, tasks: 8883, diskMb: 8884 },
  },
  'system-user.remove': { username: markers.account, keepDays: 771 },
  'system-user.restore': { username: markers.account, taken: [77_001], keepDays: 771 },
  'system-user.usage': { username: markers.account },
  'document-root.ensure': path,
  'document-root.remove': { ...path, keepDays: 771 },
  'document-root.restore': { ...path, taken: [77_001], keepDays: 771 },
  'document-root.rename': { ...path, newDomain: 'newer.example' },
  'document-root.link': { ...path, to: 'linked.example' },
  'document-root.close': { ...path, state: 'closed' },
  'document-root.unlink': path,
  'website-files.search': { username: guest, path: markers.path, from: 'old.example', to: 'newer.example' },
  'website-files.replace': {
    username: guest,
    path: markers.path,
    from: 'old.example',
    to: 'newer.example',
    files: [{ within: 'config.php', sha256: sum }],
  },
  'php-pool.ensure': { ...pool, maxChildren: 187, memoryLimitMb: 6661 },
  'php-pool.remove': { username: markers.account, phpVersion: '8.2' },
  'php-pool.renew': { username: markers.account },
  'nginx-site.ensure': { ...site, domain: 'other.example', ...names, beforeNames: names },
  'nginx-site.rename': renamed,
  'nginx-site.remove': { ...removed, keepDays: 771 },
  'apache-site.ensure': { ...site, domain: 'other.example', ...names, beforeNames: names },
  'apache-site.rename': renamed,
  'apache-site.remove': { ...removed, keepDays: 771 },
  // the host has no edge cache, so valid operations fail and leave nothing
  'edge-site.ensure': edge,
  'edge-site.remove': { vhostId: 881_002 },
  'edge-site.trust': { vhostId: 881_002 },
  'edge-cache.clear': { vhostId: 881_002, urls: ['http://other.example/x'], prefixes: ['http://other.example/y'] },
  'edge-sites.compare': { sites: [edge] },
  'websites.check': {
    sites: [{ id: 7, domain: 'other.example', address: '192.0.2.1', https: false, path: '/', word: null }],
  },
  'edge-traffic.read': { since: 55_005 },
  'vhost-files.compare': {
    site: { ...site, domain: 'other.example', ...names },
    pools: [{ ...pool, maxChildren: 186, memoryLimitMb: 6662 }],
    gone: [{ username: guest, phpVersion: '8.2' }],
  },
  'website-applications.find': { sites: [{ id: 7, username: guest, path: `/home/${guest}/none` }] },
  'website-network.find': { username: guest, path: `/home/${guest}/none` },
  'site-rules.check': { ...site, domain: 'other.example', ...names },
  'website-logs.restore': { domain: markers.domain, taken: [77_001], keepDays: 771 },
  'document-root.copy': { ...folder, copy: 1, from: folder },
  'document-root.changes': { ...folder, copy: 1 },
  'merge.prepare': { ...folder, merge: 771_001, copy: 1, from: folder, seen: sum, keepDays: 771 },
  'merge.swap': { ...folder, merge: 771_001 },
  'merge.keep': { ...folder, merge: 771_001, keepDays: 771 },
  'merge.bring': { ...folder, merge: 771_001, taken: [77_001], files: ['marker.sql.gz'], keepDays: 771 },
  'site-config.adapt': { ...folder, databases: [] },
  'held-mail.list': { username: markers.account },
  'postgresql-access.ensure': {},
  'database.ensure': { ...database, charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci', fresh: false },
  'database.remove': { ...database, keepDays: 771 },
  'database.restore': { ...database, taken: [77_001], keepDays: 771 },
  'database.rename': { ...database, newName: 'marker_new' },
  'database.convert': { ...database, charset: 'utf8mb4', collation: 'utf8mb4_bin', existing: true },
  'database-user.ensure': {
    ...{ ...databaseUser, password: 'a-password-that-is-long' },
    ...{ grants: [], locked: false, fresh: false },
  },
  'database-user.remove': { ...databaseUser, keepDays: 771 },
  'database-user.restore': { ...databaseUser, taken: [77_001], keepDays: 771 },
  'database.marks': database,
  'database.unchanged': { ...database, since: { at: 1, shape: null, tables: {} } },
  'database.dump': { ...database, file: 'marker.sql.gz' },
  'database.load': { ...database, file: 'marker.sql.gz' },
  'databases.measure': {},
  'remote-access.look': {},
  'database.connections': database,
  'database-connection.end': { ...database, connection: 7 },
  'database.query': { ...database, sql: 'select 1', rows: 10, seconds: 2 },
  'database.write': { ...database, sql: 'delete from marker', seconds: 2, expected: 1 },
  'database.search': { ...database, from: 'marker', to: 'other', how: 'text', tables: ['marker'], seconds: 2 },
  'database.replace': { ...database, from: 'marker', to: 'other', how: 'text', keep: 'marker.log.gz' },
  'database.own-names': { ...database, from: 'staging.example.org', to: 'example.org', keep: 'marker.log.gz' },
  'database.put-back': { ...database, file: 'marker.log.gz', values: 1 },
  'database.slow': database,
  'database.browse': {
    ...{ ...database, table: 'marker', rows: 10, seconds: 2, after: ['marker'] },
    filter: { column: 'marker', how: 'is', text: 'marker' },
  },
  'database.inspect': { ...database, deep: false },
  ...archiveRequests({ guest, root, domain: markers.domain, sum }),
  'dump.fetch': { file: 'import-881.dump', home: { username: guest, path: 'marker.sql' } },
  'dump.look': { file: 'import-881.dump', mostBytes: 88_771, scratch: aside },
  'dump.drop': { file: 'import-881.dump' },
  'dump.send': { file: 'marker.sql.gz', key: 'ab'.repeat(16), sha256: sum },
  'database-import.load': {
    ...aside,
    foreign: { file: 'import-881.dump', sha256: sum, mostBytes: 88_771, definer: 'markeruser' },
  },
  'database-import.swap': { ...database, aside: 'markeraside', before: 'markerbefore' },
  'trash.purge': { taken: [77_001] },
  'transfer.open': { transfer: 'marker-transfer', token: sum, minutes: 1438, folders: [folder], files: [] },
  'transfer.close': { transfer: 'marker-transfer', clear: true },
  'transfer.pull': { ...peer, ...folder, from: folder, mode: 'seed' },
  'transfer.compare': { ...peer, ...folder, from: folder },
  'transfer.verify': { ...peer, ...folder, from: folder },
  'transfer.fetch': { ...peer, file: 'marker.sql.gz', sha256: sum },
  'website-logs.pack': { domain: markers.domain, kind: 'access', file: 'marker.log.gz' },
  'website-logs.take': { domain: markers.domain, kind: 'access', file: 'marker.log.gz' },
  'crontab.rest': { username: markers.account, folders: [root], everything: false, file: 'marker.cron.gz' },
  'crontab.take': { username: markers.account, from: markers.account, file: 'marker.cron.gz' },
  'migration.look': {
    ...{ phpVersion: markers.version, folders: [folder], sites: [markers.domain] },
    homes: [{ username: guest, websites: [markers.domain] }],
    newcomers: {
      accounts: [markers.account],
      databases: [{ engine: 'mariadb', name: database.name }],
      databaseUsers: [{ engine: 'mariadb', user: databaseUser.user, host: 'localhost' }],
    },
  },
  'sftp.ensure': {},
  'sftp-access.ensure': {
    username: markers.account,
    state: 'active',
    keys: [sshKey],
    signInPassword: 'Marker0Password0',
    again: true,
  },
  'redis.ensure': { websiteId: 881_001, username: markers.account, memoryMb: 881, state: 'active', phpVersion: '8.2' },
  'redis.remove': { websiteId: 881_001, username: markers.account },
  'redis.status': { websiteId: 881_001, username: markers.account },
  'ftp.ensure': { plain: false, before: true },
  'ftp-user.ensure': {
    ...{
      id: 881_002,
      name: ftpLogin,
      username: markers.account,
      site: markers.path,
      folder: 'marker',
      state: 'active',
    },
    ...{ hash: `$6$markermarkermark$${'m'.repeat(86)}`, quotaMb: 881, uploadKbps: 882, downloadKbps: 883 },
    ...{ sessions: 88, expires: 1_900_000_881 },
  },
  'ftp-user.remove': { id: 881_002, name: ftpLogin },
  'ftp.sessions': { name: ftpLogin },
  'ftp-session.end': { name: ftpLogin, session: 4_000_881 },
  'ftp.transfers': { name: ftpLogin, limit: 88 },
  'ftp.activity': { since: 1_700_000_881 },
  'backup-program.ensure': { server: false },
  'backup-server.ensure': { address: '127.0.0.1', port: 8871 },
  'backup-server.remove': { address: '127.0.0.1', port: 8871 },
  'backup-store.check': bucket,
  'backup-account.ensure': { account: 'marker-account', key: 'Marker0Key0Marker0' },
  'backup-repository.ensure': repository,
  'backup-repository.remove': { account: 'marker-account', keepDays: 881 },
  'backup-repository.forget': { ...repository, snapshots: [sum] },
  'backup-repository.prune': repository,
  'backup-repository.check': { ...repository, share: 87, snapshots: [sum] },
  'backup-repository.unlock': repository,
  'backup-repository.look': repository,
  'backup-repository.open': repository,
  'backup-copy.prepare': { ...remote, from: 'marker-first', fromPassword: 'Marker1Key1Marker1' },
  'backup-copy.run': {
    ...{ ...remote, from: 'marker-first', fromPassword: 'Marker1Key1Marker1', snapshots: [sum], limit: 8_871 },
  },
  'own-backup.store': { ...repository, blob: { key: 'ab'.repeat(16) }, size: 881, sha256: sum, run: 881_013 },
  'own-backup.fetch': { ...repository, snapshot: sum, sent: { key: 'ab'.repeat(16) }, run: 881_013 },
  'backup-tree.list': { ...repository, snapshot: sum, path: '/marker' },
  'backup-tree.find': { ...repository, snapshot: sum, text: 'marker' },
  'backup-tree.versions': { ...repository, snapshots: [sum], path: '/marker' },
  'backup-archive.read': {
    ...repository,
    ...{ session: 'marker-session', snapshot: sum, path: '/marker', archive: 'tar', piece: 0 },
  },
  'backup-archive.end': { session: 'marker-session' },
  'restore-files.look': { ...folder, paths: ['marker.txt'] },
  'backup-files.run': { ...remote, ...folder, website: 881_010, backup: 881_011, excludes: ['marker'], limit: 8_871 },
  'backup-database.run': { ...remote, ...database, website: 881_010, backup: 881_011, limit: 8_871 },
  'backup-settings.run': {
    ...{ ...remote, website: 881_010, backup: 881_011, limit: 8_871, username: markers.account, folders: [root] },
    ...{ everything: false, text: '{"marker":1}' },
  },
  'backup-mail.run': {
    ...{ ...remote, website: 881_010, backup: 881_011, limit: 8_871, mailboxId: 881_021, domain: markers.domain },
  },
  'restore-mail.prepare': {
    ...{ ...remote, restore: 881_012, snapshot: sum, mailboxId: 881_021, domain: markers.domain, bytes: 883 },
    users: [{ userId: 881_022, from: 881_024 }],
  },
  'restore-mail.merge': {
    ...{ restore: 881_012, mailboxId: 881_021, domain: markers.domain, users: [{ userId: 881_022, from: 881_024 }] },
  },
  'backup-settings.read': { ...repository, snapshot: sum, reader: zoneKey },
  'crontab.restore': {
    ...{ ...remote, snapshot: sum, username: markers.account, folders: [root], everything: false },
    ...{ former: root, path: root },
  },
  'restore-files.prepare': { ...remote, ...folder, restore: 881_012, snapshot: sum, paths: ['marker.txt'], bytes: 883 },
  'restore-files.swap': { ...folder, restore: 881_012, paths: ['marker.txt'] },
  'restore-files.keep': { ...folder, restore: 881_012, keepDays: 881 },
  'restore-dump.fetch': { ...remote, ...database, snapshot: sum, file: 'marker.sql.gz', tables: ['marker_table'] },
  'backup-drill.run': { ...repository, parts: [{ snapshot: sum, files: 881, bytes: 882, dump: 'markerdatabase' }] },
  'backup-drill.serve': {
    ...{ ...remote, snapshot: sum, dumps: [{ snapshot: sum, name: 'markerdatabase' }], domain: markers.domain },
    ...{ documentRoot: 'marker', phpVersion: '8.8' },
  },
  'agent.update': { version: '9.8.7', agent: sum, node: { x64: sum, arm64: sum } },
  'server.inspect': {},
  'configs.list': { after: '/etc/marker' },
  'configs.read': { files: [{ path: '/etc/marker', hash: sum }], gone: ['/etc/marker-gone'] },
  'configs.preview': reset,
  'configs.reset': reset,
  'website.log-lines': { domain: markers.domain, kind: 'error', lines: 487 },
}

/** Parts that the valid requests leave out; a case that tries one of their fields adds the part. */
export const optional: Record<string | number, Record<string, unknown>> = {
  databases: { was: 'markerwas', name: 'markerdatabase', user: 'markeruser', password: 'a-password-that-is-long' },
  grants: { database: 'markerdatabase', privileges: 'all' },
  blob: { key: 'ab'.repeat(16), size: 7717, sha256: sum },
  former: { taken: [77_001], was: 'markerwas' },
  own: { pool: 881_005, bodyMb: 64 },
  repository: { uri: 'https://php.example/debian', suite: 'bookworm', key: 'https://php.example/key.gpg' },
}

import type { When } from '@innkeeper/contract/recovery/backups/when'
import { eq, sql } from 'drizzle-orm'
import { databases } from '../../../hosting/databases/tables.ts'
import { readSite } from '../../../hosting/websites/site.ts'
import { websites } from '../../../hosting/websites/tables.ts'
import { servers } from '../../../machines/servers/tables.ts'
import type { Configuration } from '../../../recovery/backups/configuration.ts'
import { backupCopies } from '../../../recovery/backups/copies/tables.ts'
import { ownBackupPlans } from '../../../recovery/backups/own/tables.ts'
import { backupPauses } from '../../../recovery/backups/pauses/tables.ts'
import { backupLocks, backupRepositories, backupServers, backups } from '../../../recovery/backups/tables.ts'
import type { TestApp } from '../../app.ts'
import { enrolled } from '../../work.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

const keep = { last: 2, hourly: 0, daily: 7, weekly: 4, monthly: 6, yearly: 0 }
const certificate = `-----BEGIN CERTIFICATE-----\n${'MIIB'.repeat(12)}\n-----END CERTIFICATE-----\n`

/** A backup server with a repository, backups to restore and to remove, and locks of both kinds; and an empty one. */
export async function makeBackups(t: TestApp, call: Call, web: number, website: { id: number }): Promise<void> {
  const { db, secrets } = t.app
  const ready = { status: 'ready' as const, certificate, fingerprint: 'ab'.repeat(32), port: 8100, keep }
  const made: number[] = []
  for (const [n, name] of ['backup-1', 'backup-2', 'backup-free', 'backup-3'].entries()) {
    const serverId = await enrolled(db, name, { provisionedAt: new Date().toISOString(), address: `10.77.1.2${n}` })
    await db.update(servers).set({ type: 'backup' }).where(eq(servers.id, serverId))
    if (n === 2) continue
    const [one] = await db
      .insert(backupServers)
      .values({ serverId, ...ready })
      .returning({ id: backupServers.id })
    made.push(one?.id ?? 0)
  }
  const [keeper] = await db.select({ id: servers.id }).from(servers).where(eq(servers.name, 'backup-1'))
  const s3 = { endpoint: 'https://s3.example.org', bucket: 'vault', prefix: '', region: 'eu-north-1', keyId: 'AKID' }
  await secrets.write(db, 'backup-bucket:world', 'a-secret')
  await db.insert(backupServers).values({
    ...{ serverId: keeper?.id ?? 0, status: 'ready', port: 0, keep, name: 'Vault', secret: 'backup-bucket:world' },
    s3: { ...s3, pathStyle: true },
  })
  const [backupServerId = 0, , otherServerId = 0] = made
  const site = await readSite(db, website.id)
  const [database] = await db.select().from(databases).where(eq(databases.name, 'shop'))
  const repositories: number[] = []
  for (const account of [`server-${web}`, 'server-999']) {
    const [one] = await db
      .insert(backupRepositories)
      .values({
        ...{ backupServerId, serverId: web, account, status: 'ready', size: 5_000_000 },
        ...{ secret: `backup-repository:${account}`, keySecret: `backup-account:${account}` },
      })
      .returning({ id: backupRepositories.id })
    repositories.push(one?.id ?? 0)
    await secrets.write(db, `backup-repository:${account}`, 'a-repository-password-24')
    await secrets.write(db, `backup-account:${account}`, 'an-account-password-24ch')
  }
  const [repositoryId = 0, locked = 0] = repositories
  const part = { bytes: 1000, added: 500, files: 12, problem: null }
  const configuration = {
    website: {
      ...{ websiteId: site.id, domain: site.domain, serverName: site.server.name, path: '/home/x/y' },
      ...{
        username: site.systemUser.username,
        documentRoot: site.documentRoot,
        phpVersion: '8.2',
        names: [site.domain],
      },
    },
    databases: [
      {
        databaseId: database?.id ?? 0,
        name: 'shop',
        charset: 'utf8mb4',
        collation: 'utf8mb4_unicode_ci',
        users: ['shop'],
      },
    ],
  }
  const days = [0, 1, 2, 30, 31, 32, 33]
  await db.insert(backups).values(
    days.map((day) => ({
      ...{ websiteId: site.id, domain: site.domain, serverId: web, repositoryId, kind: 'full' as const, status: 2 },
      ...{
        mode: day ? ('scheduled' as const) : ('instant' as const),
        held: day === 1,
        configuration,
        bytes: 2000,
        files: 12,
      },
      createdAt: sql`now() - make_interval(days => ${day}::int)` as unknown as string,
      ...{ startedAt: new Date().toISOString(), endedAt: new Date().toISOString() },
      parts: [
        {
          ...part,
          resource: 'website' as const,
          resourceId: site.id,
          name: site.domain,
          snapshot: day.toString(16).padStart(64, '0'),
        },
        {
          ...part,
          resource: 'mysql' as const,
          resourceId: database?.id ?? 0,
          name: 'shop',
          snapshot: day.toString(16).padStart(64, 'f'),
        },
      ],
    })),
  )
  await makeCopy(t, { backupServerId, otherServerId, web, site, configuration })
  await db.insert(backupLocks).values([
    { repositoryId: locked, source: 'innkeeper', type: 'lock-all', reason: 'manual', holder: 'keeper' },
    {
      ...{ repositoryId, source: 'restic', type: 'unspecified', reason: 'unspecified', holder: 'root', host: 'web-1' },
      ...{ pid: 12, stale: true, file: 'c'.repeat(64) },
    },
  ])
  const when = { every: 'day', at: '02:30' }
  await call('POST', '/backups/schedules', { name: 'Nightly', websiteId: site.id, backupServerId, when, keep })
  const [newest] = await db.select({ id: backups.id }).from(backups).orderBy(backups.id).limit(1)
  await call('POST', `/backups/backups/${newest?.id}/drill`, {})
  // a running backup, a paused backup, and a server whose backups are paused
  for (const domain of ['cached.example.org', 'waiting.example.org']) {
    const [other] = await db.select({ id: websites.id }).from(websites).where(eq(websites.domain, domain))
    await call('POST', '/backups/backups', { websiteId: other?.id, backupServerId })
  }
  const [paused] = await db.select({ id: backups.id }).from(backups).where(eq(backups.domain, 'waiting.example.org'))
  await call('POST', `/backups/backups/${paused?.id}/pause`, {})
  await db.insert(ownBackupPlans).values({ backupServerId, when: { ...when, weekday: 1, day: 1 } as When, keep })
  const [free] = await db.select({ id: servers.id }).from(servers).where(eq(servers.name, 'backup-free'))
  await db.insert(backupPauses).values({ serverId: free?.id ?? 0, until: '2999-01-01T00:00:00Z', reason: 'New disks' })
}

/** A repository whose only backup is copied to another backup server. */
async function makeCopy(
  { app: { db, secrets } }: TestApp,
  {
    backupServerId,
    otherServerId,
    web,
    site,
    configuration,
  }: {
    backupServerId: number
    otherServerId: number
    web: number
    site: { id: number; domain: string }
    configuration: Configuration
  },
): Promise<void> {
  const made: number[] = []
  for (const [account, on] of [
    ['server-998', backupServerId],
    ['copy-998', otherServerId],
    ['server-997', backupServerId], // without backups, locks and copies: it can be removed
  ] as const) {
    const names = { secret: `backup-repository:${account}`, keySecret: `backup-account:${account}` }
    const [one] = await db
      .insert(backupRepositories)
      .values({
        ...{ backupServerId: on, serverId: web, account, status: 'ready' as const, size: 2_000_000, ...names },
        ...(account === 'copy-998' && { copyOfId: made[0] }),
      })
      .returning({ id: backupRepositories.id })
    made.push(one?.id ?? 0)
    for (const name of Object.values(names)) await secrets.write(db, name, 'a-repository-password-24')
  }
  const [repositoryId = 0, targetId = 0] = made
  const at = new Date().toISOString()
  await db.insert(backups).values({
    ...{ websiteId: site.id, domain: 'copied.example.org', serverId: web, repositoryId, kind: 'file', status: 2 },
    ...{ mode: 'instant', configuration, bytes: 1000, files: 3, startedAt: at, endedAt: at, copiedAt: at },
    parts: [
      {
        ...{ bytes: 1000, added: 500, files: 3, problem: null, resource: 'website', resourceId: site.id },
        ...{ name: site.domain, snapshot: 'a'.repeat(64), copy: 'b'.repeat(64) },
      },
    ],
  })
  await db.insert(backupCopies).values({
    ...{ repositoryId, targetId, lastAt: at, failures: 1, error: 'The other server was away' },
    when: { every: 'day', at: '04:00', weekday: 1, day: 1 },
  })
}

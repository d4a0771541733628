import { createHash } from 'node:crypto'
import type { BackupPart } from '@innkeeper/contract/recovery/backups/shapes'
import { USUAL_PORT } from '@innkeeper/contract/recovery/backups/values'
import { nextRun } from '@innkeeper/contract/recovery/backups/when'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { systemUsers } from '../../hosting/systemUsers/tables.ts'
import { websites } from '../../hosting/websites/tables.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { dice } from '../../seed/dice.ts'
import {
  backupLogs,
  backupRepositories,
  backupSchedules,
  backupServers,
  backupSizes,
  backups,
  backupTasks,
} from './tables.ts'

const keep = { last: 3, hourly: 0, daily: 14, weekly: 8, monthly: 12, yearly: 2 }
const DAY = 86_400_000
/** Days for which sizes of repositories are inserted. */
const SIZES = 90
const DAYS = 10
const MOST = 60
/** The id of a snapshot, or a fingerprint: 64 digits that look like those of restic. */
const hex = (n: number) => createHash('sha256').update(`sample ${n}`).digest('hex')

/** Adds a backup server that keeps the last days of some websites, with a partial and a failed backup. */
export async function seedBackups(db: Db, say: (line: string) => void): Promise<void> {
  const d = dice(1911)
  const now = Date.now()
  const when = { every: 'day' as const, at: '02:30', weekday: 1, day: 1 }
  await db.transaction(async (tx) => {
    const [machine] = await tx.select().from(servers).where(eq(servers.name, 'backup-hel-01'))
    const found = await tx
      .select({ website: websites, username: systemUsers.username })
      .from(websites)
      .innerJoin(systemUsers, eq(systemUsers.id, websites.systemUserId))
      .where(and(inArray(websites.kind, ['main', 'sub']), eq(websites.status, 'active'), isNull(websites.deletedAt)))
      .orderBy(websites.id)
      .limit(MOST)
    if (!machine || !found.length) return
    const [server] = await tx
      .insert(backupServers)
      .values({
        ...{ serverId: machine.id, port: USUAL_PORT, status: 'ready', keep, note: 'Helsinki, second room' },
        ...{ fingerprint: hex(7), programs: 'restic 0.18.0, rest-server 0.13.0' },
        ...{
          forget: { ...when, at: '05:00' },
          forgetNextAt: nextRun({ ...when, at: '05:00' }, new Date()).toISOString(),
        },
      })
      .returning()
    const machines = [...new Set(found.map(({ website }) => website.serverId))]
    const names = new Map((await tx.select().from(servers)).map(({ id, name }) => [id, name]))
    const repositories = await tx
      .insert(backupRepositories)
      .values(
        machines.map((serverId) => ({
          ...{ backupServerId: server!.id, serverId, account: `server-${serverId}`, status: 'ready' as const },
          ...{ secret: `sample repository ${serverId}`, keySecret: `sample account ${serverId}` },
          ...{ size: 40e9 + d.below(90) * 1e9, snapshots: 400 + d.below(300) },
          lastBackupAt: new Date(now - 6 * 3_600_000).toISOString(),
          lastForgetAt: new Date(now - DAY).toISOString(),
        })),
      )
      .returning()
    await tx.insert(backupSizes).values(
      repositories.flatMap(({ id }) =>
        Array.from({ length: SIZES }, (_, day) => ({
          repositoryId: id,
          at: new Date(now - day * DAY).toISOString(),
          // sizes grow, and drop each week after a prune
          size: Math.round((20 + (SIZES - day) * 0.2 + ((day * 6) % 7) * 0.4) * 1e9),
        })),
      ),
    )
    const schedules = await tx
      .insert(backupSchedules)
      .values(
        machines.map((serverId) => ({
          ...{ name: `Nightly, ${names.get(serverId)}`, serverId, backupServerId: server!.id, kind: 'full' as const },
          ...{ when, spread: 120, keep, excludes: ['*.log'], nextAt: nextRun(when, new Date()).toISOString() },
          lastAt: new Date(now - 6 * 3_600_000).toISOString(),
        })),
      )
      .returning()
    const mail = await mailOf(tx)
    const values = found.flatMap(({ website, username }, n) =>
      Array.from({ length: DAYS }, (_, day) => {
        const at = new Date(now - day * DAY - 6 * 3_600_000 + n * 60_000).toISOString()
        const status = day === 0 && n === 3 ? 4 : day === 1 && n === 5 ? 3 : 2
        const bytes = 80e6 + d.below(900) * 1e6
        const files = 900 + d.below(20_000)
        return {
          ...{
            websiteId: website.id,
            domain: website.domain,
            serverId: website.serverId,
            kind: 'full' as const,
            status,
          },
          repositoryId: repositories.find(({ serverId }) => serverId === website.serverId)!.id,
          scheduleId: schedules.find(({ serverId }) => serverId === website.serverId)!.id,
          ...{ mode: 'scheduled' as const, createdAt: at, startedAt: at, endedAt: at, bytes, files, added: bytes / 50 },
          provenAt: n % 3 === 0 && day === 2 ? at : null,
          error: status === 3 ? 'Files: the disk is full' : status === 4 ? '2 files could not be read' : null,
          parts:
            status === 3
              ? []
              : [
                  {
                    ...{ resource: 'website' as const, resourceId: website.id, name: website.domain, bytes, files },
                    ...{ snapshot: hex(n * 100 + day + 1), added: bytes / 50 },
                    problem: status === 4 ? '2 files could not be read' : null,
                  },
                  settingsPart(website, n * 100 + day + 40_001),
                  ...mail
                    .filter(({ websiteId }) => websiteId === website.id)
                    .map((one) => mailPart(one, n * 100 + day + 70_001)),
                ],
          configuration: {
            website: {
              ...{ websiteId: website.id, domain: website.domain, serverName: '', username },
              ...{ path: `/home/${username}/${website.domain}`, documentRoot: website.documentRoot },
              ...{ phpVersion: website.phpVersion, names: [website.domain] },
            },
            databases: [],
          },
        }
      }),
    )
    const made = await tx.insert(backups).values(values).returning()
    const newest = made.filter(({ startedAt }) => Date.parse(startedAt ?? '') > now - DAY)
    const tasks = await tx
      .insert(backupTasks)
      .values(
        newest.map((backup) => ({
          ...{ type: 'backup' as const, resource: 'website' as const, subject: backup.domain, backupId: backup.id },
          ...{ repositoryId: backup.repositoryId, websiteId: backup.websiteId, startedBy: 'Innkeeper' },
          ...{ createdAt: backup.createdAt, endedAt: backup.endedAt, message: backup.error },
          status: backup.status === 2 ? ('done' as const) : ('failed' as const),
        })),
      )
      .returning()
    await tx.insert(backupLogs).values(
      tasks.map(({ id, subject, status, message, repositoryId, websiteId, createdAt }) => ({
        level: status === 'done' ? ('info' as const) : ('error' as const),
        message: `backup of ${subject}: ${message ?? status}`,
        ...{ taskId: id, repositoryId, websiteId, at: createdAt },
      })),
    )
    say(`${made.length} backups of ${found.length} websites`)
  })
}

type Site = Pick<typeof websites.$inferSelect, 'id' | 'domain'>
const none = { files: 1, added: 900, problem: null }

const settingsPart = ({ id, domain }: Site, n: number): BackupPart => ({
  ...{ resource: 'settings', resourceId: id, name: domain, snapshot: hex(n), bytes: 9000, ...none },
  holds: [{ kind: 'crontab', text: '2 cron jobs' }],
})

interface Domain {
  id: number
  websiteId: number
  domain: string
  users: { userId: number; localPart: string }[]
}
const mailOf = (tx: Db) =>
  rows<Domain>(
    tx,
    sql`select m.mailbox_id as id, m.website_id as "websiteId", m.domain, jsonb_agg(jsonb_build_object(
        'userId', u.mailbox_user_id, 'localPart', u.local_part) order by u.local_part) as users
      from mailboxes m join mailbox_users u on u.mailbox_id = m.mailbox_id and u.deleted_at is null
      where m.deleted_at is null and m.website_id is not null group by m.mailbox_id`,
  )

function mailPart({ id, domain, users }: Domain, n: number): BackupPart {
  const mailboxes = users.map((one, of) => ({ ...one, messages: 40 * (of + 1), bytes: 3_100_000 * (of + 1) }))
  const bytes = mailboxes.reduce((sum, one) => sum + one.bytes, 0)
  return { ...{ resource: 'mail', resourceId: id, name: domain, snapshot: hex(n) }, ...none, bytes, mailboxes }
}

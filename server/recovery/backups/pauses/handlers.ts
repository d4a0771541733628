import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { runStatus } from '@innkeeper/contract/recovery/backups/values'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { cancel } from '../../../kit/work/workflow.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { readBackup, storedBackup } from '../runs/view.ts'
import { backups } from '../tables.ts'
import { pauseBackups, resumeBackups } from './pause.ts'
import { backupPauses } from './tables.ts'
import { readPause, readPauses } from './view.ts'

type Calls = Handlers<typeof contract>
const later = (now: Date, hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

export const pausesHandlers = {
  async pause({ id, version, hours }, context) {
    const { db, audit, now } = context
    const backup = await running(context, id, version)
    if (backup.pausedAt) throw conflict('This backup is paused already')
    const until = hours === undefined ? null : later(now, hours)
    if (!(await pauseBackups(db, sql`backup_id = ${id}`, until)).length)
      throw conflict('This backup ended a moment ago')
    const after = await readBackup(db, id)
    audit.after(after)
    return after
  },

  async resume({ id, version }, context) {
    const { db, audit } = context
    const backup = await running(context, id, version)
    if (!backup.pausedAt) throw conflict('This backup is not paused')
    const [pause] = await readPauses(db, eq(backupPauses.serverId, backup.serverId))
    if (pause) throw conflict(`Backups of ${pause.serverName} are paused until ${pause.until}: end that pause first`)
    await resumeBackups(db, sql`backup_id = ${id}`)
    const after = await readBackup(db, id)
    audit.after(after)
    return after
  },

  async cancel({ id, version }, context) {
    const { db, audit, staff } = context
    await running(context, id, version)
    const { workflowId } = await storedBackup(db, id)
    if (workflowId === null || !(await cancel(db, workflowId, staff.name)))
      throw conflict('This backup is already ending')
    await db.update(backups).set({ pausedAt: null, pausedUntil: null }).where(eq(backups.id, id))
    audit.workflow(workflowId)
    const after = await readBackup(db, id)
    audit.after(after)
    await changed(db, 'backups', id)
    return after
  },

  pauses: async (_, { db }) => ({ items: await readPauses(db, sql`true`) }),

  async pauseServer({ serverId, hours, reason }, { db, audit, staff, now }) {
    const [server] = await db
      .select({ name: servers.name })
      .from(servers)
      .where(and(eq(servers.id, serverId), isNull(servers.deletedAt)))
      .for('update')
    if (!server) throw refused(`There is no server ${serverId}`, { serverId: 'Is no server' })
    const until = later(now, hours)
    const [made] = await db
      .insert(backupPauses)
      .values({ serverId, until, reason, createdBy: staff.id })
      .onConflictDoNothing()
      .returning({ id: backupPauses.id })
    if (!made)
      throw conflict(`Backups of ${server.name} are paused already`, { fields: { serverId: 'Is paused already' } })
    await pauseBackups(db, sql`server_id = ${serverId} and paused_at is null`, until)
    const data = await readPause(db, made.id)
    audit.of('backup-pause', made.id)
    audit.after(data)
    await changed(db, 'backups')
    return data
  },

  async endPause({ id, version }, { db, audit }) {
    await db.execute(sql`select 1 from backup_pauses where backup_pause_id = ${id} for update`)
    const pause = await readPause(db, id)
    checkVersion(pause, version, pause.serverName)
    audit.before(pause)
    await db
      .update(backupPauses)
      .set({ deletedAt: sql`now()`, ...nextVersion })
      .where(eq(backupPauses.id, id))
    await resumeBackups(db, sql`server_id = ${pause.serverId} and paused_until is not null`)
    await changed(db, 'backups')
  },
} satisfies Partial<Calls>

async function running({ db, audit }: Context, id: number, version: number | undefined) {
  const [row] = await db.select({ id: backups.id }).from(backups).where(eq(backups.id, id)).for('update')
  if (!row) throw notFound('backup', id)
  const backup = await readBackup(db, id)
  checkVersion(backup, version, backup.domain)
  if (backup.status !== runStatus.pending && backup.status !== runStatus.running)
    throw conflict('This backup has ended')
  audit.of('backup', id)
  audit.before(backup)
  return backup
}

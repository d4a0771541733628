import { type KeepPolicy, keepsNothing } from '@innkeeper/contract/recovery/backups/keep'
import type { BackupKind } from '@innkeeper/contract/recovery/backups/values'
import { type Hours, nextRun, type When } from '@innkeeper/contract/recovery/backups/when'
import { and, eq, isNull } from 'drizzle-orm'
import { readWebsite } from '../../../hosting/websites/view.ts'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { chosenServer } from '../runs/place.ts'
import { backupSchedules } from '../tables.ts'
import { readSchedule } from './view.ts'

export interface ScheduleFields {
  name: string
  websiteId?: number | undefined
  serverId?: number | undefined
  backupServerId: number
  kind: BackupKind
  when: When
  spread: number
  keep: KeepPolicy
  excludes: string[]
  hours?: Hours | null | undefined
  limit?: number | null | undefined
  enabled: boolean
}

/** Inserts a schedule in the transaction of the call. */
export async function saveSchedule({ db, staff, audit, now }: Context, fields: ScheduleFields): Promise<number> {
  await checkTarget(db, fields)
  checkKeep(fields.keep)
  await chosenServer(db, fields.backupServerId)
  const nextAt = fields.enabled ? nextRun(fields.when, now).toISOString() : null
  const [made] = await db
    .insert(backupSchedules)
    .values({ ...fields, nextAt, createdBy: staff.id })
    .returning({ id: backupSchedules.id })
  if (!made) throw new Error('an insert answered no row')
  audit.of('backup-schedule', made.id)
  audit.after(await readSchedule(db, made.id))
  await changed(db, 'backups')
  return made.id
}

/** Throws 422 unless the schedule is for one existing website or for one existing server. */
async function checkTarget(db: Db, { websiteId, serverId, kind }: ScheduleFields): Promise<void> {
  if ((websiteId === undefined) === (serverId === undefined))
    throw refused('A schedule is for one website, or for all of one server', { websiteId: 'Choose one of the two' })
  if (websiteId !== undefined) {
    const website = await readWebsite(db, websiteId)
    if (website.kind === 'alias') throw refused(`${website.domain} is an alias`, { websiteId: 'Is an alias' })
    if (kind === 'mysql' && website.status === 'deleted') throw notFound('website', websiteId)
    return
  }
  const [server] = await db
    .select({ id: servers.id })
    .from(servers)
    .where(and(eq(servers.id, serverId ?? 0), isNull(servers.deletedAt)))
  if (!server) throw refused(`There is no server ${serverId}`, { serverId: 'Is no server' })
}

export function checkKeep(keep: KeepPolicy): void {
  if (keepsNothing(keep)) throw refused('This policy would remove every backup', { keep: 'Keep at least one' })
}

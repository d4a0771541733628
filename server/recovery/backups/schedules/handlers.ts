import type { backups as contract } from '@innkeeper/contract/recovery/backups/calls'
import { nextRun } from '@innkeeper/contract/recovery/backups/when'
import { eq, inArray, isNull, sql } from 'drizzle-orm'
import { contains } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { given, pairOf } from '../list.ts'
import { shown, toKeep } from '../repositories/maintenance.ts'
import { chosenServer } from '../runs/place.ts'
import { backupSchedules, backupTurns } from '../tables.ts'
import { checkKeep, saveSchedule } from './save.ts'
import { readSchedule, readSchedulesInOrder } from './view.ts'

type Calls = Handlers<typeof contract>

export const schedulesHandlers = {
  schedules: (input, { db }) =>
    pairOf(
      db,
      input,
      {
        from: sql`${backupSchedules}`,
        where: given(
          isNull(backupSchedules.deletedAt),
          input.search !== undefined && contains(backupSchedules.name, input.search),
          input.websiteId && inArray(backupSchedules.websiteId, input.websiteId),
          input.serverId && inArray(backupSchedules.serverId, input.serverId),
          input.enabled !== undefined && sql`${backupSchedules.enabled} = ${input.enabled}`,
        ),
        key: backupSchedules.id,
        order:
          input.sort === 'createdAt'
            ? { column: backupSchedules.createdAt, type: 'instant', direction: 'DESC' }
            : { column: backupSchedules.name, type: 'text', direction: 'ASC' },
      },
      readSchedulesInOrder,
    ),
  schedule: ({ id }, { db }) => readSchedule(db, id),

  async createSchedule(fields, context) {
    const id = await saveSchedule(context, fields)
    return readSchedule(context.db, id)
  },

  async updateSchedule({ id, version, ...fields }, context) {
    const { db, audit, now } = context
    const before = await held(context, id, version)
    if (fields.keep) checkKeep(fields.keep)
    if (fields.backupServerId !== undefined) await chosenServer(db, fields.backupServerId)
    const { when = before.when, enabled = before.enabled } = fields
    const nextAt = enabled ? nextRun(when, now).toISOString() : null
    const timing = fields.when !== undefined || fields.enabled !== undefined ? { nextAt } : {}
    await db
      .update(backupSchedules)
      .set({ ...fields, ...timing, ...nextVersion })
      .where(eq(backupSchedules.id, id))
    if (!enabled) await db.delete(backupTurns).where(eq(backupTurns.scheduleId, id))
    const after = await readSchedule(db, id)
    audit.after(after)
    await changed(db, 'backups')
    return after
  },

  async removeSchedule({ id, version }, context) {
    const { db } = context
    await held(context, id, version)
    await db.delete(backupTurns).where(eq(backupTurns.scheduleId, id))
    await db
      .update(backupSchedules)
      .set({ deletedAt: sql`now()`, enabled: false, nextAt: null, ...nextVersion })
      .where(eq(backupSchedules.id, id))
    await changed(db, 'backups')
  },

  async keepPreview({ websiteId, serverId, keep }, { db }) {
    if (websiteId === undefined && serverId === undefined)
      throw refused('Choose a website or a server', { websiteId: 'Required' })
    return shown(await toKeep(db, { websiteId, serverId }, keep))
  },
} satisfies Partial<Calls>

async function held({ db, audit }: Context, id: number, version: number | undefined) {
  await db.execute(sql`select 1 from backup_schedules where backup_schedule_id = ${id} for update`)
  const schedule = await readSchedule(db, id)
  checkVersion(schedule, version, schedule.name)
  audit.before(schedule)
  return schedule
}

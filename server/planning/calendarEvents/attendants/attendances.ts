import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Attendance } from '@innkeeper/contract/planning/calendarEvents/event'
import { eq, sql } from 'drizzle-orm'
import { given } from '../../../kit/db/given.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { checkPerson } from '../checks.ts'
import { checkVisible, holdEvent } from '../events/view.ts'
import { attendances } from '../tables.ts'
import { byName, isNamed, readAttendance, readAttendances, withPeople } from './view.ts'

const sorts = {
  name: { column: byName, type: 'text', direction: 'ASC' },
  createdAt: { column: attendances.createdAt, type: 'instant', direction: 'ASC' },
} as const

type Calls = 'attendances' | 'createAttendance' | 'attendance' | 'updateAttendance' | 'removeAttendance'

export const attendanceHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async attendances({ eventId, search, attendance, ...input }, { db, staff }) {
    await checkVisible(db, eventId, staff)
    const where = [sql`${attendances.eventId} = ${eventId}`]
    if (search) where.push(isNamed(search))
    if (attendance) where.push(sql`${attendances.attendance} in ${attendance}`)
    const order = sorts[input.sort ?? 'name']
    const from = withPeople(attendances)
    const { ids, ...page } = await pageKeys(db, input, { from, where, key: attendances.id, order })
    return { items: await readAttendances(db, ids), ...page }
  },

  async attendance({ eventId, id }, { db, staff }) {
    await checkVisible(db, eventId, staff)
    return readAttendance(db, eventId, id)
  },

  async createAttendance({ eventId, userId, attendance, note }, { db, staff }) {
    await holdEvent(db, eventId, staff)
    await checkPerson(db, userId, 'userId')
    const [made] = await db
      .insert(attendances)
      .values({ eventId, userId, attendance, note, notedById: staff.id, createdBy: staff.id })
      .onConflictDoNothing()
      .returning({ id: attendances.id })
    if (!made) {
      const [known] = await db
        .select({ id: attendances.id })
        .from(attendances)
        .where(sql`${attendances.eventId} = ${eventId} and ${attendances.userId} = ${userId}`)
      throw conflict('The attendance of this person is recorded already', {
        current: await readAttendance(db, eventId, known!.id),
        fields: { userId: 'Recorded already' },
      })
    }
    await changed(db, 'calendarEvents', eventId)
    return readAttendance(db, eventId, made.id)
  },

  async updateAttendance({ eventId, id, version, ...change }, context) {
    const { db, staff } = context
    await holdEvent(db, eventId, staff)
    await find(context, eventId, id, version)
    await db
      .update(attendances)
      .set({ ...given(change), notedById: staff.id, ...nextVersion })
      .where(eq(attendances.id, id))
    await changed(db, 'calendarEvents', eventId)
    return readAttendance(db, eventId, id)
  },

  async removeAttendance({ eventId, id, version }, context) {
    const { db, staff } = context
    await holdEvent(db, eventId, staff)
    await find(context, eventId, id, version)
    await db.delete(attendances).where(eq(attendances.id, id))
    await changed(db, 'calendarEvents', eventId)
  },
}

async function find({ db }: Context, eventId: number, id: number, version: number | undefined): Promise<Attendance> {
  const current = await readAttendance(db, eventId, id)
  if (version !== undefined && version !== current.version)
    throw conflict(`Somebody else has changed the attendance of ${current.userName} meanwhile`, { current })
  return current
}

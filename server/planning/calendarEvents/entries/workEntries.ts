import { holds } from '@innkeeper/contract/kit/access'
import type { CalendarEntry } from '@innkeeper/contract/planning/calendarEvents/entry'
import { sql } from 'drizzle-orm'
import { dayIn, endOfDay, lastDayIn, startOfDay } from '../../calendar/times.ts'
import { awayBetween } from '../../leaves/days/absences.ts'
import { readShifts } from '../../shifts/roster/view.ts'
import { blank, type Source } from './source.ts'

/** The viewer's published shifts; shifts of others are shown in the shift calendar only. */
export const shiftEntries: Source = async (db, { from, to, zone, staff }) => {
  const found = await readShifts(db, [
    sql`s.user_id = ${staff.id} and s.status = 'published'`,
    sql`s.starts_at < ${endOfDay(to, zone)}::timestamptz and s.ends_at > ${startOfDay(from, zone)}::timestamptz`,
  ])
  return found.map(
    ({ id, name, startsAt, endsAt }): CalendarEntry => ({
      ...blank,
      ...{ key: `shift-${id}`, kind: 'shift', id, title: name, startsAt, endsAt },
      ...{ from: dayIn(startsAt, zone), to: lastDayIn(endsAt, zone) },
    }),
  )
}

/** The viewer's leaves, including pending ones, and approved leaves of others for viewers with the permission. */
export const leaveEntries: Source = async (db, { from, to, staff }) => {
  const own = await awayBetween(db, { from, to, userIds: [staff.id], pending: true })
  const all = holds(staff, 'calendar:leave:read') ? await awayBetween(db, { from, to }) : []
  const others = all.filter(({ userId }) => userId !== staff.id)
  return [...own, ...others].map(
    ({ leaveId, userId, name, from: first, to: last, status }): CalendarEntry => ({
      ...blank,
      ...{ key: `leave-${leaveId}`, kind: 'leave', id: leaveId, from: first, to: last },
      title: `${userId === staff.id ? 'My leave' : name}${status === 'pending' ? ' (asked for)' : ''}`,
    }),
  )
}

import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import { eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { timeZoneOf } from '../../calendar/places.ts'
import { instantOf } from '../../calendar/times.ts'
import { moveUp, putDown } from '../attendants/seats.ts'
import { readAttendant } from '../attendants/view.ts'
import { checkDepartment, checkPerson } from '../checks.ts'
import { events } from '../tables.ts'
import { mayChange, visibleTo } from '../visible.ts'
import { whenInWords } from '../words.ts'
import { checkCapacity, checkVersion, isOver, notifyChanges, peopleOf } from './checks.ts'
import { timesOf } from './times.ts'
import { holdEvent, readEvent, readEvents } from './view.ts'

const sorts = {
  startsAt: { column: events.startsAt, type: 'instant', direction: 'DESC' },
  title: { column: sql`lower(${events.title})`, type: 'text', direction: 'ASC' },
  createdAt: { column: events.createdAt, type: 'instant', direction: 'DESC' },
} as const
const SHOWN_AT_HOME = 5

type Calls = 'list' | 'upcoming' | 'create' | 'one' | 'update' | 'remove' | 'signUp'

export const eventHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async list(input, { db, staff }) {
    const where = [visibleTo(staff)]
    const { search, type, organizer, when } = input
    if (search) where.push(contains(sql`${events.title} || ' ' || coalesce(${events.location}, '')`, search))
    if (type) where.push(sql`${events.type} in ${type}`)
    if (organizer) where.push(sql`${events.organizerId} in ${organizer}`)
    if (when) where.push(when === 'past' ? sql`${events.endsAt} <= now()` : sql`${events.endsAt} > now()`)
    // upcoming events: next first; past events: latest first
    const direction = input.direction ?? (when === 'upcoming' && !input.sort ? 'ASC' : undefined)
    const order = sorts[input.sort ?? 'startsAt']
    const { ids, ...page } = await pageKeys(
      db,
      { ...input, direction },
      { from: sql`${events}`, where, key: events.id, order },
    )
    return { items: await readEvents(db, ids, staff), ...page }
  },

  async upcoming(_, { db, staff }) {
    const found = await rows<{ id: number }>(
      db,
      sql`select e.event_id as id from attendants a join events e on e.event_id = a.event_id and e.deleted_at is null
        where a.user_id = ${staff.id} and a.rsvp <> 'declined' and e.ends_at > now()
        order by e.starts_at, e.event_id limit ${SHOWN_AT_HOME}`,
    )
    return {
      items: await readEvents(
        db,
        found.map(({ id }) => id),
        staff,
      ),
    }
  },

  one: ({ id }, { db, staff }) => readEvent(db, id, staff),

  async create(input, context) {
    const { db, staff } = context
    await checkDepartment(db, input.departmentId)
    await checkPerson(db, input.organizerId, 'organizerId')
    const timeZone = input.timeZone ?? (await timeZoneOf(db, input.departmentId ?? staff.departmentId))
    const times = timesOf({ ...input, allDay: input.allDay ?? false, timeZone })
    const { description, location, departmentId, capacity, signupUntil } = input
    const [made] = await db
      .insert(events)
      .values({
        ...{ title: input.title, description, location, departmentId, capacity, ...times },
        type: input.type ?? 'meeting',
        organizerId: input.organizerId ?? staff.id,
        signupUntil: signupUntil ? instantOf(signupUntil, timeZone) : null,
        createdBy: staff.id,
      })
      .returning({ id: events.id })
    await changed(db, 'calendarEvents', made!.id)
    return readEvent(db, made!.id, staff)
  },

  async update({ id, version, startsAt, endsAt, signupUntil, ...input }, context) {
    const { db, staff } = context
    const before = await holdEvent(db, id, staff)
    mayChange(staff, before)
    await checkVersion(context, before, version)
    await checkDepartment(db, input.departmentId)
    await checkPerson(db, input.organizerId, 'organizerId')
    const { allDay = before.allDay, timeZone = before.timeZone, ...rest } = input
    const isTimed = startsAt ?? endsAt ?? input.allDay ?? input.timeZone
    const times =
      isTimed === undefined
        ? before
        : timesOf({ startsAt: startsAt ?? before.startsAt, endsAt: endsAt ?? before.endsAt, allDay, timeZone })
    await checkCapacity(context, before, rest.capacity)
    const [after] = await db
      .update(events)
      .set({
        ...given(rest),
        ...{ startsAt: times.startsAt, endsAt: times.endsAt, allDay, timeZone },
        ...(signupUntil !== undefined && { signupUntil: signupUntil && instantOf(signupUntil, timeZone) }),
        ...nextVersion,
      })
      .where(eq(events.id, id))
      .returning()
    await moveUp(db, after!)
    await notifyChanges(context, before, after!)
    await changed(db, 'calendarEvents', id)
    // the caller may have given the event to another department
    const [changedEvent] = await readEvents(db, [id], staff)
    return changedEvent!
  },

  async remove({ id, version }, context) {
    const { db, staff } = context
    const event = await holdEvent(db, id, staff)
    mayChange(staff, event)
    await checkVersion(context, event, version)
    await db.update(events).set({ deletedAt: sql`now()`, version: sql`version + 1` }).where(eq(events.id, id))
    if (!isOver(event, context.now))
      await notify(db, {
        to: await peopleOf(context, id),
        reason: 'events',
        level: 'warning',
        title: `Cancelled: ${event.title}`,
        body: `The event was planned for ${whenInWords(event)}. ${staff.name} cancelled it.`,
      })
    await changed(db, 'calendarEvents', id)
  },

  async signUp({ eventId, rsvp }, context) {
    const { db, staff, audit, now } = context
    const event = await holdEvent(db, eventId, staff)
    if (isOver(event, now)) throw refused(`${event.title} is over`)
    if (event.signupUntil && rsvp !== 'declined' && Date.parse(event.signupUntil) < now.getTime())
      throw refused(`Nobody can sign up to ${event.title} any more`)
    const id = await putDown(db, event, { userId: staff.id, rsvp })
    audit.of('attendant', id)
    await changed(db, 'calendarEvents', eventId)
    return readAttendant(db, staff, eventId, id)
  },
}

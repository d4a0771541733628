import type { calendarEvents as contract } from '@innkeeper/contract/planning/calendarEvents/calls'
import type { Attendant } from '@innkeeper/contract/planning/calendarEvents/event'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { users } from '../../../access/users/tables.ts'
import { pageKeys } from '../../../kit/db/page.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { checkDepartment, checkPerson } from '../checks.ts'
import { checkVisible, type EventRow, holdEvent } from '../events/view.ts'
import { attendants } from '../tables.ts'
import { linkTo, whenInWords } from '../words.ts'
import { moveUp, putDown } from './seats.ts'
import { byName, isNamed, readAttendant, readAttendants, withPeople } from './view.ts'

const sorts = {
  name: { column: byName, type: 'text', direction: 'ASC' },
  createdAt: { column: attendants.createdAt, type: 'instant', direction: 'ASC' },
} as const

type Calls = 'attendants' | 'invite' | 'inviteMany' | 'attendant' | 'updateAttendant' | 'removeAttendant'

export const attendantHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async attendants({ eventId, search, rsvp, ...input }, { db, staff }) {
    await checkVisible(db, eventId, staff)
    const where = [sql`${attendants.eventId} = ${eventId}`]
    if (search) where.push(isNamed(search))
    if (rsvp) where.push(sql`${attendants.rsvp} in ${rsvp}`)
    const order = sorts[input.sort ?? 'name']
    const from = withPeople(attendants)
    const { ids, ...page } = await pageKeys(db, input, { from, where, key: attendants.id, order })
    return { items: await readAttendants(db, staff, ids), ...page }
  },

  async attendant({ eventId, id }, { db, staff }) {
    await checkVisible(db, eventId, staff)
    return readAttendant(db, staff, eventId, id)
  },

  async invite({ eventId, userId, rsvp }, context) {
    const { db, staff } = context
    const event = await holdEvent(db, eventId, staff)
    await checkPerson(db, userId, 'userId')
    const [known] = await db
      .select({ id: attendants.id })
      .from(attendants)
      .where(and(eq(attendants.eventId, eventId), eq(attendants.userId, userId)))
    if (known)
      throw conflict('This person is on the list already', {
        current: await readAttendant(db, staff, eventId, known.id),
        fields: { userId: 'On the list already' },
      })
    const id = await putDown(db, event, { userId, rsvp, invitedById: staff.id })
    await notifyInvited(context, event, [userId])
    await changed(db, 'calendarEvents', eventId)
    return readAttendant(db, staff, eventId, id)
  },

  async inviteMany({ eventId, userIds, departmentId }, context) {
    const { db, staff, audit } = context
    const event = await holdEvent(db, eventId, staff)
    await checkDepartment(db, departmentId)
    await checkPeople(db, userIds, 'userIds')
    const wanted = await db
      .select({ id: users.id })
      .from(users)
      .where(
        and(
          isNull(users.deletedAt),
          sql`(${users.id} = any(${sql.param(userIds)}::int[]) or ${users.departmentId} = ${departmentId ?? null})`,
        ),
      )
      .orderBy(users.id)
    const made = wanted.length
      ? await db
          .insert(attendants)
          .values(
            wanted.map(({ id }) => ({ eventId, userId: id, rsvp: 'needs-action' as const, invitedById: staff.id })),
          )
          .onConflictDoNothing()
          .returning({ userId: attendants.userId })
      : []
    const invited = made.map(({ userId }) => userId)
    await notifyInvited(context, event, invited)
    audit.of('event', eventId)
    audit.after({ invited })
    await changed(db, 'calendarEvents', eventId)
    return { invited: invited.length }
  },

  async updateAttendant({ eventId, id, rsvp, version }, context) {
    const { db, staff } = context
    const event = await holdEvent(db, eventId, staff)
    const { userId } = await find(context, eventId, id, version)
    await putDown(db, event, { userId, rsvp })
    await changed(db, 'calendarEvents', eventId)
    return readAttendant(db, staff, eventId, id)
  },

  async removeAttendant({ eventId, id, version }, context) {
    const { db, staff } = context
    const event = await holdEvent(db, eventId, staff)
    const { rsvp } = await find(context, eventId, id, version)
    await db.delete(attendants).where(eq(attendants.id, id))
    if (rsvp === 'accepted') await moveUp(db, event)
    await changed(db, 'calendarEvents', eventId)
  },
}

async function find(
  { db, staff }: Context,
  eventId: number,
  id: number,
  version: number | undefined,
): Promise<Attendant> {
  const current = await readAttendant(db, staff, eventId, id)
  if (version !== undefined && version !== current.version)
    throw conflict(`${current.userName} was changed by somebody else meanwhile`, { current })
  return current
}

async function notifyInvited({ db, staff, now }: Context, event: EventRow, people: number[]): Promise<void> {
  if (Date.parse(event.endsAt) <= now.getTime()) return
  await notify(db, {
    to: people.filter((id) => id !== staff.id),
    reason: 'events',
    title: `Invitation: ${event.title}`,
    body: `${whenInWords(event)}${event.location ? `, ${event.location}` : ''}. ${staff.name} asks whether you come.`,
    link: linkTo(event.id),
  })
}

import { createHash, randomBytes } from 'node:crypto'
import type { Owes } from '@innkeeper/contract/access/auth'
import type { Written } from '@innkeeper/contract/kit/transfer'
import type { LeavePart } from '@innkeeper/contract/planning/leaves/values'
import { eq, inArray, sql } from 'drizzle-orm'
import ical, {
  escape as escaped,
  ICalCalendarMethod,
  ICalEventBusyStatus,
  ICalEventStatus,
  ICalEventTransparency,
} from 'ical-generator'
import { OWES } from '../../../kit/access/tokens.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { notFound, owing } from '../../../kit/http/errors.ts'
import { addDays } from '../../calendar/days.ts'
import { leaveFeeds } from '../tables.ts'
import { otherEntries, type WorkEntry, workEntries } from './entries.ts'

/** Refresh interval of calendar clients, and days of the past in the feed. */
const REFRESH_S = 3600
const PAST_DAYS = 400
/** Minimum interval between two updates of `lastReadAt`. */
const NOTED = sql`interval '1 minute'`

const hashOf = (key: string) => createHash('sha256').update(key).digest('base64url')

/** Creates a feed key of 192 bits and revokes the previous one. Only the hash of the key is stored. */
export async function openFeed(db: Db, userId: number): Promise<string> {
  const key = randomBytes(24).toString('base64url')
  const fresh = { hash: hashOf(key), createdAt: sql`now()`, lastReadAt: null }
  await db
    .insert(leaveFeeds)
    .values({ ...fresh, id: userId })
    .onConflictDoUpdate({ target: leaveFeeds.id, set: fresh })
  return key
}

export async function closeFeeds(db: Db, userIds: readonly number[]): Promise<void> {
  await db.delete(leaveFeeds).where(inArray(leaveFeeds.id, [...userIds]))
}

export async function readFeed(db: Db, userId: number) {
  const [feed] = await db.select().from(leaveFeeds).where(eq(leaveFeeds.id, userId))
  return { active: feed !== undefined, createdAt: feed?.createdAt ?? null, lastReadAt: feed?.lastReadAt ?? null }
}

interface Shown {
  id: number
  version: number
  typeName: string
  startDate: string
  endDate: string
  startPart: LeavePart
  endPart: LeavePart
  status: 'approved' | 'pending'
  createdAt: string | Date
  updatedAt: string | Date
}

interface Asked {
  key: string
  repeatables?: 'true' | 'false' | undefined
  holidays?: 'true' | 'false' | undefined
}

/**
 * Writes the calendar of the owner of a key: shifts, events, approved and pending leaves. 404 for an unknown key, and 403
 * while the owner must choose a password or set up a second factor.
 */
export async function writeCalendar(
  db: Db,
  { key, repeatables = 'true', holidays = 'false' }: Asked,
  now: Date,
): Promise<Written> {
  const [owner] = await rows<{ id: number; name: string; departmentId: number | null; owes: Owes | null }>(
    db,
    sql`select u.user_id as id, ${personName('u')} as name,
        u.department_id as "departmentId", ${OWES} as owes from leave_feeds f
      join users u on u.user_id = f.user_id and u.deleted_at is null
      left join roles r on r.role_id = u.role_id and r.deleted_at is null where f.hash = ${hashOf(key)}`,
  )
  if (!owner) throw notFound('calendar')
  if (owner.owes) throw owing(owner.owes)
  await db.execute(sql`update leave_feeds set last_read_at = now()
    where user_id = ${owner.id} and coalesce(last_read_at, 'epoch') < now() - ${NOTED}`)
  const since = addDays(now.toISOString().slice(0, 10), -PAST_DAYS)
  const found = await rows<Shown>(
    db,
    sql`select r.leave_id as id, r.version, t.name as "typeName", r.start_date::text as "startDate", r.end_date::text as "endDate",
        r.start_part as "startPart", r.end_part as "endPart", r.status, r.created_at as "createdAt", r.updated_at as "updatedAt"
      from leaves r join leave_types t on t.leave_type_id = r.leave_type_id
      where r.user_id = ${owner.id} and r.status in ('approved', 'pending')
        and r.end_date >= ${since}::date
      order by r.start_date, r.leave_id`,
  )
  const chosen = { since, now, repeatables: repeatables === 'true', holidays: holidays === 'true' }
  const work = [...(await workEntries(db, owner.id, since)), ...(await otherEntries(db, owner, chosen))]
  const text = calendarOf(owner.name, found, work)
  return { name: 'calendar.ics', type: 'text/calendar; charset=utf-8', parts: once(text) }
}

async function* once(text: string) {
  yield text
}

function calendarOf(name: string, leaves: readonly Shown[], work: readonly WorkEntry[]): string {
  const calendar = ical({
    name: escaped(`Calendar of ${name}`, false), // unescaped, because the library escapes only the texts of events
    prodId: { company: 'Innkeeper', product: 'Calendar', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_S,
  })
  for (const leave of leaves) {
    const isSure = leave.status === 'approved'
    calendar.createEvent({
      id: `leave-${leave.id}@innkeeper`,
      sequence: leave.version,
      start: new Date(leave.startDate),
      end: new Date(addDays(leave.endDate, 1)), // RFC 5545: DTEND of a whole day is the next day
      allDay: true,
      summary: `${leave.typeName}${partOf(leave)}${isSure ? '' : ' (asked for)'}`,
      status: isSure ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
      busystatus: isSure ? ICalEventBusyStatus.OOF : ICalEventBusyStatus.TENTATIVE,
      transparency: ICalEventTransparency.OPAQUE,
      created: new Date(leave.createdAt),
      lastModified: new Date(leave.updatedAt),
      stamp: new Date(leave.updatedAt),
    })
  }
  for (const { uid, version, title, location, start, end, allDay, isSure, isFree, createdAt, updatedAt } of work)
    calendar.createEvent({
      id: `${uid}@innkeeper`,
      sequence: version,
      ...{ start, end, allDay, location, summary: title },
      status: isSure ? ICalEventStatus.CONFIRMED : ICalEventStatus.TENTATIVE,
      busystatus: isFree ? ICalEventBusyStatus.FREE : isSure ? ICalEventBusyStatus.BUSY : ICalEventBusyStatus.TENTATIVE,
      transparency: isFree ? ICalEventTransparency.TRANSPARENT : ICalEventTransparency.OPAQUE,
      ...{ created: createdAt, lastModified: updatedAt, stamp: updatedAt },
    })
  return `${calendar}\r\n` // RFC 5545: the last line ends with CRLF too
}

/** `, from noon`: an all-day event has no other way to show half days. */
function partOf({ startDate, endDate, startPart, endPart }: Shown): string {
  if (startDate === endDate) return startPart === 'full' ? '' : `, ${startPart}`
  const parts = [...(startPart === 'full' ? [] : ['from noon']), ...(endPart === 'full' ? [] : ['until noon'])]
  return parts.length ? `, ${parts.join(', ')}` : ''
}

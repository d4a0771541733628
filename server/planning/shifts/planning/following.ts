import { eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { type Recharged, type Retold, retoldOf } from '../../leaves/recharge/recharged.ts'
import { tellOthersOfRecharge } from '../../leaves/recharge/tell.ts'
import type { By } from '../notify.ts'
import { readPeople } from '../roster/people.ts'
import { shiftFollowings, shiftTypes } from '../tables.ts'
import { inLedger } from './chargeAnew.ts'
import { followSettings, followType, OTHER_TIMES } from './follow.ts'

/** Number of people in one transaction, which keeps their plans and balances locked. */
const PEOPLE = 25
/** A round ends after this time. The next one continues where it stopped. */
const ROUND_MS = 5000

/**
 * Leaves it to the worker to apply a changed type, or changed settings, to future shifts. Another change before the worker is
 * done begins again with the first person.
 */
export async function followLater(db: Db, shiftTypeId: number | null, { id, name }: By, now: Date): Promise<void> {
  const since = now.toISOString()
  await db.execute(sql`insert into shift_followings (shift_type_id, by_id, by, since, created_by)
    values (${shiftTypeId}::int, ${id}, ${name}, ${since}::timestamptz, ${id})
    on conflict (coalesce(shift_type_id, 0)) do update set by_id = excluded.by_id, by = excluded.by, since = excluded.since,
      cursor = -1, done = 0, stayed = '{}', version = shift_followings.version + 1, updated_at = now()`)
}

/** By shift type, with 0 for the settings: percentage of the people whose future shifts have followed. Without an entry all have. */
export async function progressOfFollowing(db: Db): Promise<Map<number, number>> {
  const found = await rows<{ typeId: number; progress: number }>(
    db,
    sql`select coalesce(f.shift_type_id, 0) as "typeId",
        (select floor(99.0 * count(*) filter (where u.user_id <= f.cursor) / greatest(count(*), 1)) from users u)::int as progress
      from shift_followings f`,
  )
  return new Map(found.map(({ typeId, progress }) => [typeId, progress]))
}

/** The worker's round. */
export async function followRound(app: Pick<App, 'db'>): Promise<void> {
  const until = Date.now() + ROUND_MS
  let wasSeen = false
  do {
    const done = await app.db.transaction(followSome)
    if (!done) break
    wasSeen = true
  } while (Date.now() < until)
  if (wasSeen) await changed(app.db, 'shifts')
}

interface Due {
  id: number
  typeId: number | null
  by: By
  since: Date
  cursor: number
}

/**
 * Updates the shifts of some people. What people are told is written in the same transaction as the cursor, so that a
 * crash neither repeats nor loses it. Returns false if there is nothing to do, or another worker does it.
 */
export async function followSome(db: Db): Promise<boolean> {
  const [due] = await rows<Omit<Due, 'by' | 'since'> & { byId: number; byName: string; since: string | Date }>(
    db,
    sql`select shift_following_id as id, shift_type_id as "typeId", by_id as "byId", by as "byName", since, cursor
      from shift_followings order by updated_at, shift_following_id limit 1 for update skip locked`,
  )
  if (!due) return false
  const { byId: id, byName: name, since, ...rest } = due
  await next(db, { ...rest, by: { id, name }, since: new Date(isoOf(since)) })
  return true
}

async function next(db: Db, due: Due): Promise<void> {
  const userIds = due.cursor < 0 ? [] : await usersAfter(db, due.cursor)
  if (due.cursor >= 0 && !userIds.length) return end(db, due)
  const part = await followPart(db, due, userIds)
  const charged = JSON.stringify(part.leaves.map(retoldOf))
  // `updated_at`: several changes have their turns
  await db.execute(sql`update shift_followings set cursor = ${userIds.at(-1) ?? 0}, done = done + ${part.done},
      charged = charged || ${charged}::jsonb, stayed = stayed || ${sql.param(part.stayed)}::text[], updated_at = clock_timestamp()
    where shift_following_id = ${due.id}`)
}

async function usersAfter(db: Db, cursor: number): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select user_id as id from users where user_id > ${cursor} order by user_id limit ${PEOPLE}`,
  )
  return found.map(({ id }) => id)
}

interface Part {
  done: number
  leaves: Recharged[]
  /** Names of people whose shifts stay as they were. */
  stayed: string[]
}

/** Updates the shifts of these people, or, without people, the open shifts. */
async function followPart(db: Db, due: Due, userIds: readonly number[]): Promise<Part> {
  try {
    return await db.transaction((tx) => followAll(tx, due, userIds))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (userIds.length > 1) return oneByOne(db, due, userIds)
    const [person] = await readPeople(db, { ids: userIds })
    return { done: 0, leaves: [], stayed: [person?.name ?? (userIds.length ? 'Somebody who has left' : 'Open shifts')] }
  }
}

async function followAll(db: Db, { typeId, by, since }: Due, userIds: readonly number[]): Promise<Part> {
  const part = userIds.length ? sql`s.user_id = any(${sql.param([...userIds])}::int[])` : sql`s.user_id is null`
  if (typeId === null) return { done: await followSettings(db, { since, part }), leaves: [], stayed: [] }
  const { value, leaves } = await followType(db, typeId, { since, by, part })
  return { done: value, leaves, stayed: [] }
}

/** One person’s shifts that would overlap do not keep the others of the part from theirs. */
async function oneByOne(db: Db, due: Due, userIds: readonly number[]): Promise<Part> {
  const sum: Part = { done: 0, leaves: [], stayed: [] }
  for (const id of userIds) {
    const { done, leaves, stayed } = await followPart(db, due, [id])
    sum.done += done
    sum.leaves.push(...leaves)
    sum.stayed.push(...stayed)
  }
  return sum
}

/** Tells who made the change, approvers and planners, and forgets the change. */
async function end(db: Db, { id, typeId, by }: Due): Promise<void> {
  const [gone] = await db.delete(shiftFollowings).where(eq(shiftFollowings.id, id)).returning()
  const { done, stayed, charged } = gone! // the row is locked
  const [type] =
    typeId === null ? [] : await db.select({ name: shiftTypes.name }).from(shiftTypes).where(eq(shiftTypes.id, typeId))
  const what = type?.name ?? 'The rules of the roster'
  const names = stayed.slice(0, 5).join(', ')
  const more = stayed.length - 5
  await notify(db, {
    to: [by.id],
    reason: 'shifts',
    level: stayed.length ? 'warning' : 'info',
    title: `${what}: ${done === 1 ? '1 future shift is' : `${done} future shifts are`} updated`,
    body: stayed.length
      ? `Shifts that would overlap, or begin at a time that does not exist, stay as they were: ${names}${more > 0 ? ` and ${more} more` : ''}.`
      : 'People whose times changed are notified.',
    link: typeId === null ? '/calendar/shifts/manage' : `/calendar/shifts/type/${typeId}`,
  })
  await tellOthersOfRecharge(db, latest(charged), inLedger(OTHER_TIMES), by)
}

/** Each leave once: what it cost before the first change and costs after the last. */
function latest(charged: readonly Retold[]): Retold[] {
  const found = new Map<number, Retold>()
  for (const leave of charged) found.set(leave.id, { ...leave, before: found.get(leave.id)?.before ?? leave.before })
  return [...found.values()].filter(({ before, halves }) => before !== halves)
}

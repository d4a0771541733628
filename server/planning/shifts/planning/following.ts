import { eq, sql } from 'drizzle-orm'
import { notify } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { Refusal } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf, failedLast } from '../../../kit/work/round.ts'
import { notifyOthersOfRecharge } from '../../leaves/recharge/notify.ts'
import { type Recharged, type Retold, retoldOf } from '../../leaves/recharge/recharged.ts'
import { followAutomation } from '../automations/automations.ts'
import { automatic, without } from '../automations/ownShifts.ts'
import type { By } from '../notify.ts'
import { readPeople } from '../roster/people.ts'
import { shiftAutomations, shiftFollowings, shiftTypes } from '../tables.ts'
import { inLedger } from './chargeAnew.ts'
import { followSettings, followType, OTHER_TIMES } from './follow.ts'

/** Number of people in one transaction, which keeps their plans and balances locked. */
const PEOPLE = 25
/** A round ends after this time. The next one continues where it stopped. */
const ROUND_MS = 5000

/** Title of the round. */
const ROUND = 'shifts could not follow a change'

/** The worker's round. A change that fails does not keep the other changes from their turn. */
export async function followRound(app: Pick<App, 'db' | 'log'>): Promise<void> {
  const until = Date.now() + ROUND_MS
  let wasSeen = false
  let isDone: boolean
  do {
    isDone = false
    const next = await rows<{ id: number }>(
      app.db,
      sql`select shift_following_id as id from shift_followings
        order by ${failedLast(app, ROUND, sql`shift_following_id`)}, updated_at, shift_following_id limit 1`,
    )
    await eachOf(app, ROUND, next, async ({ id }) => {
      isDone = await app.db.transaction((tx) => followSome(tx, id))
    })
    wasSeen ||= isDone
  } while (isDone && Date.now() < until)
  if (wasSeen) await changed(app.db, 'shifts')
}

interface Due {
  id: number
  typeId: number | null
  automationId: number | null
  by: By
  since: Date
  cursor: number
}

/**
 * Updates the shifts of some people, for this change or for the one that has waited longest. What people are told is written in the same transaction as the cursor, so that a
 * crash neither repeats nor loses it. Returns false if there is nothing to do, or another worker does it.
 */
export async function followSome(db: Db, id?: number): Promise<boolean> {
  const [due] = await rows<Omit<Due, 'by' | 'since'> & { byId: number; byName: string; since: string | Date }>(
    db,
    sql`select shift_following_id as id, shift_type_id as "typeId", automation_id as "automationId", by_id as "byId", by as "byName", since, cursor
      from shift_followings where ${id === undefined ? sql`true` : sql`shift_following_id = ${id}`}
      order by updated_at, shift_following_id limit 1 for update skip locked`,
  )
  if (!due) return false
  const { byId, byName, since, ...rest } = due
  await next(db, { ...rest, by: { id: byId, name: byName }, since: new Date(isoOf(since)) })
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

async function followAll(db: Db, { typeId, automationId, by, since }: Due, userIds: readonly number[]): Promise<Part> {
  if (automationId !== null) {
    const followed = userIds.length ? await followAutomation({ db, now: new Date() }, automationId, userIds) : nothing
    return { ...followed, stayed: [] }
  }
  const part = userIds.length ? sql`s.user_id = any(${sql.param([...userIds])}::int[])` : sql`s.user_id is null`
  if (typeId === null) return { done: await followSettings(db, { since, part }), leaves: [], stayed: [] }
  const { value, leaves } = await followType(db, typeId, { since, by, part })
  return { done: value, leaves, stayed: [] }
}

/** Automations plan no open shifts. */
const nothing = { done: 0, leaves: [] }

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
async function end(db: Db, { id, by, ...due }: Due): Promise<void> {
  const [gone] = await db.delete(shiftFollowings).where(eq(shiftFollowings.id, id)).returning()
  const { done, stayed, charged } = gone! // the row is locked
  const { what, why, link, told } = await wordsOf(db, due)
  const names = stayed.slice(0, 5).join(', ')
  const more = stayed.length - 5
  await notify(db, {
    to: [by.id],
    reason: 'shifts',
    level: stayed.length ? 'warning' : 'info',
    title: `${what}: ${done === 1 ? '1 future shift is' : `${done} future shifts are`} updated`,
    body: stayed.length
      ? `Shifts that would overlap, or begin at a time that does not exist, stay as they were: ${names}${more > 0 ? ` and ${more} more` : ''}.`
      : told,
    link,
  })
  await notifyOthersOfRecharge(db, latest(charged), inLedger(why), by)
}

/** What is followed, in words: for the title, for the ledger, and where people look at it. */
async function wordsOf(db: Db, { typeId, automationId }: Pick<Due, 'typeId' | 'automationId'>) {
  const told = 'People whose times changed are notified.'
  if (typeId !== null) {
    const [type] = await db.select({ name: shiftTypes.name }).from(shiftTypes).where(eq(shiftTypes.id, typeId))
    return { what: type?.name ?? '', why: OTHER_TIMES, link: `/calendar/shifts/type/${typeId}`, told }
  }
  if (automationId === null)
    return { what: 'The rules of the roster', why: '', link: '/calendar/shifts/manage', told: 'Times did not change.' }
  const [one] = await db
    .select({ name: shiftAutomations.name, deletedAt: shiftAutomations.deletedAt })
    .from(shiftAutomations)
    .where(eq(shiftAutomations.id, automationId))
  const name = one?.name ?? ''
  return one?.deletedAt
    ? { what: `${name}, which was deleted`, why: without(name), link: '/calendar/shifts/automation', told }
    : { what: name, why: `by ${automatic(name).name}`, link: `/calendar/shifts/automation/${automationId}`, told }
}

/** Each leave once: what it cost before the first change and costs after the last. */
function latest(charged: readonly Retold[]): Retold[] {
  const found = new Map<number, Retold>()
  for (const leave of charged) found.set(leave.id, { ...leave, before: found.get(leave.id)?.before ?? leave.before })
  return [...found.values()].filter(({ before, halves }) => before !== halves)
}

import type { shifts as contract, Swap } from '@innkeeper/contract/planning/shifts/calls'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import type { Db } from '../../../kit/db/db.ts'
import { sqlState } from '../../../kit/db/failures.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { mayTake, notifyOfShifts, shiftText } from '../notify.ts'
import { builtOf } from '../planning/build.ts'
import { findConflicts } from '../planning/conflicts.ts'
import { stopAt } from '../planning/insertShifts.ts'
import { findPerson, holdPeople, plans, visibleTo } from '../roster/people.ts'
import { readStored, type Stored, shown } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { shiftSwaps } from '../tables.ts'
import { shiftTexts } from '../texts.ts'
import { exchangeShifts } from './exchange.ts'
import { askPlanners, notifyOfSwap, swapText } from './notify.ts'
import { holdSwap, isNear, readSwaps, type SwapRow, seenBy, shownSwap } from './view.ts'
import { swapStands } from './void.ts'

type Calls = 'exchange' | 'swaps' | 'offerSwap' | 'answerSwap' | 'withdrawSwap' | 'decideSwap'

/** Swaps: a person offers, a colleague accepts, a planner approves. */
export const swapHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async exchange({ id, version, otherId, otherVersion, stopAtWarnings }, context) {
    const [give, take] = [await storedShift(context.db, id), await storedShift(context.db, otherId)]
    checkVersion(give, version, 'This shift')
    checkVersion(take, otherVersion, 'The other shift')
    if (give.userId === null || take.userId === null || give.userId === take.userId)
      throw refused('Two people have shifts to exchange', { otherId: 'A shift of another person' })
    for (const shift of [give, take])
      if (shift.status !== 'published') throw refused('A draft needs no swap: give it to somebody else')
    const outcome = await exchangeShifts(context, { give, take, toUserId: take.userId, stopAtWarnings })
    await notifyOfShifts(context.db, [shown(give), shown(take)], context.staff, 'given')
    await notifyOfShifts(
      context.db,
      [
        { ...shown(give), userId: take.userId },
        { ...shown(take), userId: give.userId },
      ],
      context.staff,
    )
    return outcome
  },

  async swaps(_, { db, staff }) {
    const found = await readSwaps(db, [
      seenBy(staff),
      // accepted swaps between other people stay hidden
      sql`(${plans(staff)} or w.status = 'offered' or w.from_user_id = ${staff.id} or w.to_user_id = ${staff.id})`,
      sql`((w.status in ('offered', 'accepted') and ${swapStands}) or w.updated_at > now() - interval '30 days')`,
    ])
    return { items: found.map((row) => shownSwap(row, staff)), total: found.length }
  },

  async offerSwap({ shiftId, userId, otherShiftId, note, stopAtWarnings }, { db, staff, audit }) {
    const colleague = userId === null ? undefined : await findPerson(db, userId)
    if (colleague?.id === staff.id) throw refused('A swap needs a colleague', { userId: 'Choose somebody else' })
    await holdPeople(db, [staff.id, ...(colleague ? [colleague.id] : [])])
    const give = await storedShift(db, shiftId)
    // 404 rather than 403, so that nobody learns whether a shift of another department exists
    if (give.userId !== staff.id) throw notFound('shift', shiftId)
    if (colleague && (give.departmentId === null || colleague.departmentId !== give.departmentId))
      throw refused('Another department', { userId: `${colleague.name} is of another department` })
    if (!colleague && otherShiftId !== null)
      throw refused('Everybody gives nothing in return', { otherShiftId: 'Choose a colleague first' })
    const take = otherShiftId === null ? undefined : await storedShift(db, otherShiftId, visibleTo(staff))
    if (take && (take.userId !== userId || take.status === 'draft')) throw notFound('shift', otherShiftId ?? 0)
    for (const [shift, field] of [
      [give, 'shiftId'],
      [take, 'otherShiftId'],
    ] as const)
      if (shift && (shift.status !== 'published' || new Date(shift.startsAt) <= new Date()))
        throw refused('Only published shifts that have not begun can be swapped', {
          [field]: 'The shift is a draft, or has begun',
        })
    if (colleague) stopAt(await conflictsOf(db, give, take, { toUserId: colleague.id, reader: staff }), stopAtWarnings)
    const to = colleague ? [colleague.id] : (await mayTake(db, [give.id], staff)).map((one) => one.userId)
    if (!to.length)
      throw refused('Nobody may take this shift', { userId: 'Nobody else of the department is free at that time' })
    const [made] = await insertOpen(db, {
      ...{ fromUserId: staff.id, fromShiftId: give.id, fromDate: give.date, fromText: shiftText(shown(give)) },
      ...{ fromStartsAt: shown(give).startsAt, fromEndsAt: shown(give).endsAt, toUserId: userId },
      toAll: userId === null,
      ...(take && {
        ...{ toShiftId: take.id, toDate: take.date, toText: shiftText(shown(take)) },
        ...{ toStartsAt: shown(take).startsAt, toEndsAt: shown(take).endsAt },
      }),
      ...{ note: note ?? null, createdBy: staff.id },
    })
    const swap = await holdSwap(db, staff, made!.id) // one inserted row returns one row
    await notifyOfSwap(db, swap, staff, to, () => ({
      title: colleague ? shiftTexts().offersSwap(staff.name) : shiftTexts().offersShift(staff.name, swap.fromText),
      body: `${colleague ? swapText(swap) : shiftTexts().whoAccepts}.${note ? ` ${note}` : ''}`,
    }))
    audit.of('swap', swap.id)
    return finish(db, staff, swap.id, audit)
  },

  async answerSwap({ id, version, accepts, message, stopAtWarnings }, context) {
    const { db, staff, audit } = context
    const swap = await openSwap(context, id, version, 'offered')
    if (swap.toUserId === null) checkTaker(swap, staff, accepts)
    else if (swap.toUserId !== staff.id) throw conflict(`Only ${swap.toName} answers this swap`)
    Object.assign(swap, { toUserId: staff.id, toName: staff.name })
    const { give, take } = await shiftsOf(db, swap)
    if (!accepts) await settle(db, id, { status: 'declined', message: message ?? null })
    else {
      stopAt(await conflictsOf(db, give, take, { toUserId: staff.id, reader: staff }), stopAtWarnings)
      await settle(db, id, { status: 'accepted', toUserId: staff.id, message: message ?? null })
      if ((await readSettings(db)).swaps === 'agree') await carryOut(context, swap, stopAtWarnings)
      else await askPlanners(db, swap, staff, give.departmentId)
    }
    await notifyOfSwap(db, swap, staff, [swap.fromUserId], () => ({
      title: accepts ? shiftTexts().accepts(staff.name) : shiftTexts().declines(staff.name),
      body: `${swapText(swap)}.${message ? ` ${message}` : ''}`,
    }))
    return finish(db, staff, id, audit)
  },

  async withdrawSwap({ id, version }, context) {
    const { db, staff, audit } = context
    const swap = await openSwap(context, id, version)
    const isTheirs = swap.fromUserId === staff.id || (swap.toUserId === staff.id && swap.status === 'accepted')
    if (!isTheirs) throw conflict(`Only ${swap.fromName} withdraws this swap`)
    await settle(db, id, { status: 'withdrawn' })
    await notifyOfSwap(db, swap, staff, [swap.fromUserId, swap.toUserId], () => ({
      title: shiftTexts().withdraws(staff.name),
      body: `${swapText(swap)}. ${shiftTexts().stay}`,
    }))
    return finish(db, staff, id, audit)
  },

  async decideSwap({ id, version, isApproved, message, stopAtWarnings }, context) {
    const { db, staff, audit } = context
    const swap = await openSwap(context, id, version, 'accepted')
    if (isApproved) await carryOut(context, swap, stopAtWarnings)
    else await settle(db, id, { status: 'refused', message: message ?? null, decidedBy: staff.name })
    await notifyOfSwap(db, swap, staff, [swap.fromUserId, swap.toUserId], () => ({
      title: isApproved ? shiftTexts().approved : shiftTexts().refused,
      body: `${swapText(swap)}. ${shiftTexts().by(staff.name)}${message ? ` ${message}` : ''}`,
    }))
    return finish(db, staff, id, audit)
  },
}

/** Locks an open swap and the plans of its people; 409 if it is closed, or if one of its shifts changed. */
async function openSwap(
  { db, staff, audit }: Context,
  id: number,
  version: number | undefined,
  status?: SwapRow['status'],
) {
  const [seen] = await readSwaps(db, [sql`w.shift_swap_id = ${id}`, seenBy(staff)])
  if (!seen) throw notFound('swap', id)
  // for an offer to everybody, the person who accepts is the second person
  await holdPeople(db, [seen.fromUserId, seen.toUserId ?? staff.id])
  const swap = await holdSwap(db, staff, id)
  audit.of('swap', id)
  audit.before(shownSwap(swap, staff))
  const current = shownSwap(swap, staff)
  checkVersion(current, version, 'This swap')
  const isOpen = status ? swap.status === status : swap.status === 'offered' || swap.status === 'accepted'
  if (!isOpen) throw conflict(`This swap is ${words[swap.status]}`, { current })
  const [standing] = await readSwaps(db, [sql`w.shift_swap_id = ${id}`, swapStands])
  if (!standing) throw conflict('One of the shifts was changed or has begun: the swap is void', { current })
  return swap
}

/**
 * Throws 409 unless a colleague of the department accepts this offer to everybody. Nobody can decline such an offer.
 */
function checkTaker(swap: SwapRow, staff: Staff, accepts: boolean): void {
  if (swap.fromUserId === staff.id) throw conflict('This shift is yours: withdraw the offer instead')
  if (!isNear(swap, staff)) throw conflict('This shift is offered to people of its department')
  if (!accepts) throw conflict('This shift is offered to everybody: only an acceptance is an answer')
}

const words: Record<SwapRow['status'], string> = {
  offered: 'not answered yet',
  accepted: 'accepted already',
  done: 'done already',
  declined: 'declined',
  refused: 'refused',
  withdrawn: 'withdrawn',
  void: 'void, because one of its shifts changed',
}

async function storedShift(db: Db, id: number, visible: SQL = sql`true`): Promise<Stored> {
  const [found] = await readStored(db, [sql`s.shift_id = ${id}`, visible])
  if (!found) throw notFound('shift', id)
  return found
}

const shiftsOf = async (db: Db, swap: SwapRow) => ({
  give: await storedShift(db, swap.fromShiftId),
  take: swap.toShiftId === null ? undefined : await storedShift(db, swap.toShiftId),
})

/** Conflicts and warnings of the exchanged shifts, which do not conflict with each other. */
const conflictsOf = async (
  db: Db,
  give: Stored,
  take: Stored | undefined,
  { toUserId, reader }: { toUserId: number; reader: Staff },
) =>
  findConflicts(
    db,
    [{ ...builtOf(give), userId: toUserId }, ...(take ? [{ ...builtOf(take), userId: give.userId }] : [])],
    [give.id, ...(take ? [take.id] : [])],
    await readSettings(db),
    reader,
  )

/** Exchanges the shifts. The swap is closed before, so that the change of its shifts does not void it. */
async function carryOut(context: Context, swap: SwapRow, stopAtWarnings: boolean): Promise<void> {
  const { db, staff } = context
  const { toUserId } = swap
  if (toUserId === null) throw conflict('Nobody has accepted this swap yet')
  const { give, take } = await shiftsOf(db, swap)
  await settle(db, swap.id, { status: 'done', decidedBy: staff.name })
  const { batchId } = await exchangeShifts(context, { give, take, toUserId, stopAtWarnings })
  await db.update(shiftSwaps).set({ batchId }).where(eq(shiftSwaps.id, swap.id))
}

const settle = (db: Db, id: number, change: Partial<typeof shiftSwaps.$inferInsert>) =>
  db
    .update(shiftSwaps)
    .set({ ...change, ...nextVersion })
    .where(eq(shiftSwaps.id, id))

async function insertOpen(db: Db, row: typeof shiftSwaps.$inferInsert) {
  try {
    return await db.insert(shiftSwaps).values(row).returning({ id: shiftSwaps.id })
  } catch (error) {
    if (sqlState(error)?.code === '23505') throw conflict('This shift is offered already: withdraw that swap first')
    throw error
  }
}

async function finish(db: Db, staff: Staff, id: number, audit: Context['audit']): Promise<Swap> {
  const swap = shownSwap(await holdSwap(db, staff, id), staff)
  audit.after(swap)
  await changed(db, 'shifts')
  return swap
}

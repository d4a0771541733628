import { LONGEST_DAYS, type ShiftAutomation } from '@innkeeper/contract/planning/shifts/calls'
import { isForeseen } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { addDays, daysFromTo } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import type { Recharged } from '../../leaves/recharge/recharged.ts'
import { together } from '../planning/chargeAnew.ts'
import { followLater, isFollowing } from '../planning/later.ts'
import { type Automation, limits, plannedAfter } from './ownShifts.ts'
import { type Ran, runAutomation, sumOf } from './runAutomation.ts'

type Reading = Pick<Context, 'db' | 'now'>
interface Span {
  from: string
  to: string
}

/**
 * Runs the automation from today for its weeks ahead, and for later days that it has planned before; very many shifts follow later,
 * in the worker. Does nothing if it is switched off.
 */
export async function planAhead(context: Context, automation: ShiftAutomation): Promise<Recharged[]> {
  const { db, staff, now } = context
  if (!automation.isActive) return []
  if (!(await isForLater(context, automation))) return (await planAll(context, automation)).leaves
  // a preview would write what is too much for the call
  if (!isForeseen()) await followLater(db, { automationId: automation.id }, staff, now)
  return []
}

async function isForLater(context: Reading, automation: ShiftAutomation): Promise<boolean> {
  const { from, to } = await spanOf(context, automation)
  const { last } = (await plannedAfter(context.db, automation.id, to)) ?? {}
  const end = automation.endDate && automation.endDate < to ? automation.endDate : (last ?? to)
  const size = automation.people * Math.max(0, daysFromTo(from, end))
  return size > limits.atOnce || (await isFollowing(context.db, { automationId: automation.id }))
}

/** Runs the automation as far ahead as it plans, for all its people or for a part of them. */
export async function planAll(
  context: Reading,
  automation: ShiftAutomation,
  only?: ReadonlySet<number>,
): Promise<Pick<Ran, 'leaves'> & { done: number }> {
  const span = await spanOf(context, automation)
  const runs = [await runSpan(context, automation, span, 'write', only)]
  for (let { to: done } = span; ; ) {
    const { first, last } = (await plannedAfter(context.db, automation.id, done)) ?? {}
    if (!first || !last) break
    runs.push(await runSpan(context, automation, { from: first, to: last }, 'write', only))
    done = last
  }
  return {
    done: runs.reduce((sum, { made, changed, removed }) => sum + made + changed + removed, 0),
    leaves: together(runs.flatMap(({ leaves }) => leaves)),
  }
}

/** Runs the automation for its weeks ahead, a year at a time. */
export async function runAhead(
  context: Reading,
  automation: ShiftAutomation,
  mode: 'preview' | 'write' = 'write',
): Promise<Ran> {
  return runSpan(context, automation, await spanOf(context, automation), mode)
}

export async function runSpan(
  context: Reading,
  automation: ShiftAutomation,
  span: Span,
  mode: 'preview' | 'write',
  only?: ReadonlySet<number>,
): Promise<Ran> {
  const runs: Ran[] = []
  // a few people are told of all their days at once; a preview assumes all of them at once
  for (const piece of only || isForeseen() ? [span] : piecesOf(span))
    runs.push(await runAutomation(context, automation, piece, mode, only))
  return sumOf(span, runs)
}

/** Splits a span into pieces of at most LONGEST_DAYS. */
function piecesOf({ from, to }: Span): Span[] {
  const pieces: Span[] = []
  for (let start = from; start <= to; start = addDays(start, LONGEST_DAYS)) {
    const last = addDays(start, LONGEST_DAYS - 1)
    pieces.push({ from: start, to: last < to ? last : to })
  }
  return pieces
}

/** Days of a run, not before today. 422 for an end beyond LONGEST_DAYS, unless the automation plans that far ahead. */
export async function spanOf(
  { db, now }: Reading,
  { weeksAhead }: Pick<Automation, 'weeksAhead'>,
  from?: string,
  to?: string,
): Promise<Span> {
  const today = await todayIn(db, now)
  const start = from && from > today ? from : today
  const ahead = addDays(today, weeksAhead * 7 - 1)
  const end = to ?? ahead
  if (end > ahead && end > addDays(start, LONGEST_DAYS - 1)) {
    const text = `At most ${LONGEST_DAYS} days at once`
    throw refused(text, { to: text })
  }
  return { from: start, to: end }
}

/** 422 for a run by hand of more days of people than somebody waits for. */
export function checkSize({ people }: Pick<ShiftAutomation, 'people'>, { from, to }: Span): void {
  const most = Math.floor(limits.atOnce / Math.max(1, people))
  if (daysFromTo(from, to) <= most) return
  const text = `At most ${most} days at once for ${people} people`
  throw refused(text, { to: text })
}

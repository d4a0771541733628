import type { Outcome, ShiftSource } from '@innkeeper/contract/planning/shifts/calls'
import { toHours } from '@innkeeper/contract/planning/shifts/duration'
import { inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { foresee } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { mustBeOpen } from '../../calendar/closedMonths.ts'
import { concernsLeaves } from '../../leaves/recharge/charges.ts'
import { notifyOfShifts } from '../notify.ts'
import { byId, holdPeople, readPeople } from '../roster/people.ts'
import { readStored, type Stored, shown } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { voidSwaps } from '../swaps/void.ts'
import { shiftBatches, shifts } from '../tables.ts'
import type { Built } from './build.ts'
import {
  assumeCharges,
  chargeAnew,
  chargesAsWarnings,
  nearbyLeaves,
  replacing,
  shownLeaves,
  type Touched,
} from './chargeAnew.ts'
import { findConflicts } from './conflicts.ts'
import { insertShifts, isPublished, stopAt } from './insertShifts.ts'

export interface Plan {
  make: readonly Built[]
  /** Shifts to remove, as the planner saw them. A changed version is a 409. */
  remove: readonly { id: number; version?: number | undefined }[]
  status: 'draft' | 'published'
  source: ShiftSource
  /** Description of the change in the list of changes: "Copied 2–8 Nov" */
  text: string
  /** Also refuses the plan if there are warnings. */
  stopAtWarnings?: boolean | undefined
  /** Sends no notifications, because the caller sends its own. */
  silent?: boolean | undefined
}

/** Returns the effect of a plan without applying it, with the leaves that the changed roster charges anew. Writes nothing. */
export async function previewPlan(context: Context, plan: Plan): Promise<Outcome> {
  const { db, staff } = context
  const { make, remove } = plan
  const ids = remove.map(({ id }) => id)
  const conflicts = await findConflicts(db, make, ids, await readSettings(db))
  const leaves =
    conflicts.some(({ refuses }) => refuses) || !(await concernsLeaves(db, nearbyLeaves(await concernedBy(db, plan))))
      ? []
      : await foresee(db, async (tx) => {
          const gone = sql`s.shift_id = any(${sql.param(ids)}::int[])`
          const asIf = replacing(gone, plan.status === 'published' ? make : [])
          return assumeCharges({ ...context, db: tx, by: staff }, await concernedBy(tx, plan), asIf)
        })
  return {
    ...{ batchId: null, made: make.length, removed: ids.length, hours: await hoursOf(db, make), conflicts },
    leaves: shownLeaves(leaves),
  }
}

/** The people and days whose roster a plan changes. */
async function concernedBy(db: Db, { make, remove }: Plan): Promise<Touched> {
  const gone = await readStored(db, [sql`s.shift_id = any(${sql.param(remove.map(({ id }) => id))}::int[])`])
  return {
    userIds: [...new Set([...make, ...gone].flatMap(({ userId }) => userId ?? []))],
    dates: [...make, ...gone].map(({ date }) => date),
  }
}

/**
 * Applies a plan, all or nothing. 409 with the conflicts that refuse it, or with a shift of `remove` that has changed.
 * Also stores a single shift as a batch, so that undo always reverts the last change.
 */
export async function applyPlan(context: Context, plan: Plan): Promise<Outcome & { ids: number[] }> {
  const { db, staff, now, audit } = context
  const { make, remove } = plan
  if (!make.length && !remove.length) throw refused('There is nothing to plan')
  const { value, leaves } = await chargeAnew({ db, by: staff, now }, await concernedBy(db, plan), plan.text, () =>
    checkAndWrite(context, plan),
  )
  const { batchId, made, gone, conflicts } = value
  stopAt([...conflicts, ...chargesAsWarnings(leaves, staff)], plan.stopAtWarnings)
  if (!plan.silent) await notifyOfShifts(db, gone.filter(isPublished).map(shown), staff, 'removed')
  await voidSwaps(db, staff)
  const outcome = {
    ...{ batchId, made: made.length, removed: gone.length, hours: await hoursOf(db, make), conflicts },
    leaves: shownLeaves(leaves),
  }
  audit.after({ text: plan.text, batchId, made: made.length, removed: gone.length })
  await changed(db, 'shifts')
  return { ...outcome, ids: made }
}

async function checkAndWrite(context: Context, plan: Plan) {
  const { db, staff } = context
  const { make, remove } = plan
  await holdPeople(
    db,
    make.flatMap(({ userId }) => userId ?? []),
  )
  const gone = await holdRemoved(db, remove)
  await mustBeOpen(db, [...make.map(({ date }) => date), ...gone.map(({ date }) => date)])
  const ids = remove.map(({ id }) => id)
  const conflicts = await findConflicts(db, make, ids, await readSettings(db), staff)
  stopAt(conflicts, false)
  return { gone, conflicts, ...(await writePlan(context, plan)) }
}

interface Written {
  batchId: number
  made: number[]
}

/** Removes and inserts the shifts of a plan, as one batch. */
async function writePlan(context: Context, plan: Plan): Promise<Written> {
  const { db, staff } = context
  const { make, remove, status, source } = plan
  const batchId = await makeBatch(context, plan)
  if (remove.length)
    await db
      .update(shifts)
      .set({
        deletedAt: sql`now()`,
        removedBatchId: batchId,
        ...nextVersion,
      })
      .where(
        inArray(
          shifts.id,
          remove.map(({ id }) => id),
        ),
      )
  const made = await insertShifts(
    db,
    make.map((shift) => ({
      ...shift,
      status: shift.userId === null ? ('open' as const) : status,
      ...{ source, batchId, createdBy: staff.id },
    })),
  )
  return { batchId, made }
}

/** Locks and returns the shifts to remove; 409 if one is deleted or has another version. */
async function holdRemoved(db: Db, remove: Plan['remove']): Promise<Stored[]> {
  if (!remove.length) return []
  const found = await readStored(db, [sql`s.shift_id = any(${sql.param(remove.map(({ id }) => id))}::int[])`], true)
  const stored = new Map(found.map((row) => [row.id, row]))
  for (const { id, version } of remove) {
    const now = stored.get(id)
    if (!now) throw conflict('A shift to remove no longer exists', { current: { id, gone: true } })
    if (version !== undefined && version !== now.version)
      throw conflict(`${now.userName ?? 'An open shift'} on ${now.date} was changed by somebody else meanwhile`, {
        current: shown(now),
      })
  }
  return found
}

async function makeBatch({ db, staff }: Context, { text, make, remove }: Plan): Promise<number> {
  const [batch] = await db
    .insert(shiftBatches)
    .values({ text, by: staff.name, made: make.length, removed: remove.length, createdBy: staff.id })
    .returning({ id: shiftBatches.id })
  return batch!.id // one inserted row returns one row
}

async function hoursOf(db: Db, make: readonly Built[]): Promise<Outcome['hours']> {
  const people = byId(await readPeople(db, { ids: make.flatMap(({ userId }) => userId ?? []) }))
  const sums = Map.groupBy(
    make.filter(({ userId }) => userId !== null),
    ({ userId }) => userId,
  )
  return [...sums].flatMap(([userId, theirs]) => {
    const person = userId === null ? undefined : people.get(userId)
    if (!person) return []
    return [
      { userId: person.id, name: person.name, hours: toHours(theirs.reduce((sum, one) => sum + one.weighted420, 0)) },
    ]
  })
}

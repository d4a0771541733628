import { and, isNull, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { mustBeOpen } from '../../calendar/closedMonths.ts'
import { daysInWords } from '../../calendar/words.ts'
import { notifyOfShifts } from '../notify.ts'
import { holdPeopleOf } from '../roster/people.ts'
import { readStored, type Stored, shiftsById, shown } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { voidSwaps } from '../swaps/void.ts'
import { shifts } from '../tables.ts'
import { assumeCharges, type Charged, chargeAnew, replacing, touchedBy } from './chargeAnew.ts'
import { findConflicts } from './conflicts.ts'
import { inOurWords, stopAt } from './insertShifts.ts'

/** Undoes a batch: deletes its shifts and restores those that it removed. 409 if one of its shifts has changed. */
export async function undoBatch(context: Context, id: number): Promise<Charged<void>> {
  const { db, staff, now } = context
  const touched = await touchedBy(db, sql`(s.batch_id = ${id} or s.removed_batch_id = ${id})`)
  if (isForeseen()) {
    const { removed } = await checked(context, id)
    const asIf = replacing(sql`s.batch_id = ${id}`, removed.filter(isPublished))
    return { value: undefined, leaves: await assumeCharges({ db, by: staff, now }, touched, asIf) }
  }
  return chargeAnew({ db, by: staff, now }, touched, 'a change was taken back', () => undo(context, id))
}

/** Locks and reads the shifts of a batch; 409 if one has changed, or another was planned in the place of a removed one. */
async function checked({ db }: Pick<Context, 'db'>, id: number) {
  await holdPeopleOf(db, sql`(s.batch_id = ${id} or s.removed_batch_id = ${id})`)
  const made = await readStored(db, [sql`s.batch_id = ${id}`], true)
  await mustBeUntouched(db, id, made)
  const removed = await db
    .select()
    .from(shifts)
    .where(and(sql`${shifts.removedBatchId} = ${id}`))
    .for('update')
  await mustBeOpen(
    db,
    [...made, ...removed].map(({ date }) => date),
  )
  const gone = made.map((shift) => shift.id)
  stopAt(await findConflicts(db, removed, gone, await readSettings(db)), false)
  return { made, removed }
}

async function undo(context: Context, id: number): Promise<void> {
  const { db, staff, audit } = context
  const { made, removed } = await checked(context, id)
  if (made.length) await db.delete(shifts).where(and(sql`${shifts.batchId} = ${id}`, isNull(shifts.deletedAt)))
  try {
    await db
      .update(shifts)
      .set({ deletedAt: null, removedBatchId: null, ...nextVersion })
      .where(sql`${shifts.removedBatchId} = ${id}`)
  } catch (error) {
    throw inOurWords(error)
  }
  const restored = await shiftsById(
    db,
    removed.map((shift) => shift.id),
  )
  await notifyOfShifts(db, made.filter(isPublished).map(shown), staff, 'removed')
  await notifyOfShifts(db, restored.filter(isPublished), staff)
  await voidSwaps(db, staff)
  audit.after({ undone: id, removed: made.length, restored: removed.length })
  await changed(db, 'shifts')
}

const isPublished = ({ status }: { status: string }) => status === 'published'

/**
 * Throws 409 if a shift of the batch was edited or taken, was published and not unpublished since, or was freed by a
 * leave. An undone publication, an undone removal and a changed type do not count as changes.
 */
async function mustBeUntouched(db: Db, id: number, made: readonly Stored[]): Promise<void> {
  const edited = made.find((shift) => shift.edited)
  if (edited) throw touched(edited, 'was changed')
  const [away] = await rows<{ name: string }>(
    db,
    sql`select ${personName('u')} as name from shifts s join users u on u.user_id = s.user_id
      where s.batch_id = ${id} and s.leave_id is not null limit 1`,
  )
  if (away) throw conflict(`${away.name} is on leave since: nothing was taken back`)
  const [published] = await rows<{ id: number }>(
    db,
    sql`select s.shift_id as id from shifts s join shift_batches b on s.shift_id = any(b.published) and b.undone_at is null
      where s.batch_id = ${id} and s.deleted_at is null order by 1 limit 1`,
  )
  const row = made.find((shift) => shift.id === published?.id)
  if (row) throw touched(row, 'was published')
}

const touched = (row: Stored, what: string) =>
  conflict(`${row.userName ?? 'An open shift'} on ${daysInWords(row.date)} ${what} since: nothing was taken back`, {
    current: shown(row),
  })

import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { shifts as contract } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import { checkDepartments } from '../../../access/departments/exists.ts'
import { checkPeople } from '../../../access/users/exist.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { isForeseen } from '../../../kit/db/foresee.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { mustBeOpen } from '../../calendar/closedMonths.ts'
import { daysInWords } from '../../calendar/words.ts'
import type { Rostered } from '../../leaves/followers.ts'
import { notifyOfShifts } from '../notify.ts'
import { checkRange } from '../range.ts'
import { readStored, shiftsById, shown } from '../roster/view.ts'
import { voidSwaps } from '../swaps/void.ts'
import { shiftBatches } from '../tables.ts'
import { assumeCharges, type Charged, chargeAnew, replacing, touchedBy } from './chargeAnew.ts'

/** Most shifts of a publication, which locks and notifies all their people at once: two months of 500 people are 31,000. */
export const limits = { most: 35_000 }

async function mustBeFew(db: Db, where: SQL): Promise<void> {
  const found = await rows(db, sql`select from shifts s where ${where} limit ${limits.most + 1}`)
  if (found.length <= limits.most) return
  const text = `More than ${limits.most} drafts: publish them by department, or fewer days at once`
  throw refused(text, { to: text })
}

type Wanted = Input<typeof contract.publishLeaves, 'out'>

/** Publishes the drafts of a range. Stored as a batch, so that undo can revert it. */
export async function publish(context: Context, wanted: Wanted) {
  const { db, staff, now } = context
  const { where, touched } = await draftsOf(db, wanted)
  const text = `shifts of ${daysInWords(wanted.from, wanted.to)} were published`
  return chargeAnew({ db, by: staff, now }, touched, text, () => turnDrafts(context, where, wanted))
}

/** The leaves that a publication charges anew. Nothing is written. */
export async function assumePublished({ db, staff, now }: Context, wanted: Wanted): Promise<Charged<void>> {
  const { drafts, touched } = await draftsOf(db, wanted)
  const days = await rows<{ date: string }>(db, sql`select distinct s.date::text as date from shifts s where ${drafts}`)
  await mustBeOpen(
    db,
    days.map(({ date }) => date),
  )
  const asIf = { which: drafts, areDrafts: true, after: (shift: Rostered) => shift }
  return { value: undefined, leaves: await assumeCharges({ db, by: staff, now }, touched, asIf) }
}

async function draftsOf(db: Db, { from, to, departmentId, userIds }: Wanted) {
  checkRange({ from, to })
  const where: SQL[] = [sql`s.status = 'draft' and s.date between ${from}::date and ${to}::date`]
  if (departmentId) {
    await checkDepartments(db, [departmentId], 'departmentId')
    where.push(sql`s.department_id = ${departmentId}`)
  }
  await checkPeople(db, userIds ?? [], 'userIds')
  if (userIds) where.push(sql`s.user_id = any(${sql.param(userIds)}::int[])`)
  const drafts = sql`s.deleted_at is null and ${sql.join(where, sql` and `)}`
  await mustBeFew(db, drafts)
  return { where, drafts, touched: await touchedBy(db, drafts) }
}

async function turnDrafts(context: Context, where: SQL[], { from, to }: { from: string; to: string }) {
  const { db, staff, audit } = context
  const drafts = await readStored(db, where, true)
  if (!drafts.length) return { published: 0, people: 0, batchId: null }
  const ids = drafts.map(({ id }) => id)
  await turn(context, drafts, 'published')
  const [batch] = await db
    .insert(shiftBatches)
    .values({
      text: `Published ${ids.length}, ${daysInWords(from, to)}`,
      ...{ by: staff.name, made: 0, removed: 0, published: ids, createdBy: staff.id },
    })
    .returning({ id: shiftBatches.id })
  await notifyOfShifts(db, await shiftsById(db, ids), staff)
  const batchId = batch!.id // one inserted row returns one row
  audit.after({ published: ids.length, from, to, batchId })
  await changed(db, 'shifts')
  return { published: ids.length, people: new Set(drafts.map(({ userId }) => userId)).size, batchId }
}

/** Reverts a publication to drafts and notifies the people. 409 if one of the shifts has changed since. */
export async function unpublish(context: Context, batch: Batch): Promise<Charged<void>> {
  const { db, staff, now } = context
  const which = sql`s.shift_id = any(${sql.param(batch.published)}::int[])`
  const touched = await touchedBy(db, which)
  if (isForeseen()) {
    await readUntouched(db, batch)
    return { value: undefined, leaves: await assumeCharges({ db, by: staff, now }, touched, replacing(which, [])) }
  }
  return chargeAnew({ db, by: staff, now }, touched, 'shifts are drafts again', () => turnBack(context, batch))
}

type Batch = typeof shiftBatches.$inferSelect

/** Locks and reads the published shifts; 409 if one of them has changed since, 422 if its month is closed. */
async function readUntouched(db: Db, { published, createdAt }: Batch) {
  const now = await readStored(db, [sql`s.shift_id = any(${sql.param(published)}::int[])`], true)
  // batch and shifts were written in one transaction, so their timestamps are equal
  const touched = now.find((row) => row.status !== 'published' || +new Date(row.updatedAt) !== +new Date(createdAt))
  if (touched || now.length < published.length) {
    const which = touched ? `${touched.userName ?? 'An open shift'} on ${touched.date} was changed` : 'One was removed'
    throw conflict(`${which} since: nothing was taken back`, { current: touched ? shown(touched) : { gone: true } })
  }
  await mustBeOpen(
    db,
    now.map(({ date }) => date),
  )
  return now
}

async function turnBack(context: Context, batch: Batch) {
  const { db, staff, audit } = context
  const { id, published } = batch
  await turn(context, await readUntouched(db, batch), 'draft')
  await notifyOfShifts(db, await shiftsById(db, published), staff, 'taken back')
  await voidSwaps(db, staff)
  audit.after({ undone: id, drafts: published.length })
  await changed(db, 'shifts')
}

async function turn({ db }: Context, rows: readonly { id: number; date: string }[], status: 'draft' | 'published') {
  await mustBeOpen(
    db,
    rows.map(({ date }) => date),
  )
  await db.execute(sql`update shifts set status = ${status}, version = version + 1, updated_at = now()
    where shift_id = any(${sql.param(rows.map(({ id }) => id))}::int[])`)
}

import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { shifts as contract, Outcome } from '@innkeeper/contract/planning/shifts/calls'
import { daysBetween } from '@innkeeper/contract/planning/shifts/values'
import { type SQL, sql } from 'drizzle-orm'
import { checkPeople } from '../../../access/users/exist.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { addDays } from '../../calendar/days.ts'
import { daysInWords } from '../../calendar/words.ts'
import { notifyOfShifts } from '../notify.ts'
import { checkRange } from '../range.ts'
import { byId, readPeople } from '../roster/people.ts'
import { clockOf } from '../roster/times.ts'
import { readStored, shiftsById } from '../roster/view.ts'
import { shiftBatches } from '../tables.ts'
import { applyPlan, type Plan, previewPlan } from './apply.ts'
import { readBatches } from './batches.ts'
import { buildCells, type Cell } from './cells.ts'
import { type Charged, foreseeCharges, seeing } from './chargeAnew.ts'
import { assumePublished, publish, unpublish } from './publish.ts'
import { undoBatch } from './undo.ts'

type Calls =
  | ('preview' | 'plan' | 'previewCopy' | 'copy')
  | ('publish' | 'publishLeaves' | 'batches' | 'undo' | 'undoLeaves')
type Wanted<K extends 'plan' | 'copy'> = Input<(typeof contract)[K], 'out'>

/** Changes of many shifts at once: preview, apply (all or nothing), undo. */
export const planningHandlers: Pick<Handlers<typeof contract>, Calls> = {
  preview: async (input, context) => previewPlan(context, await planOf(context.db, input)),
  plan: async (input, context) => carryOut(context, await planOf(context.db, input)),
  previewCopy: async (input, context) => previewPlan(context, await copyOf(context.db, input)),
  copy: async (input, context) => carryOut(context, await copyOf(context.db, input)),

  publish: ({ leaves, ...input }, context) => seeing(context, leaves, () => publish(context, input)),
  publishLeaves: (input, context) => foreseeCharges(context, (inner) => assumePublished(inner, input)),

  async batches(_, { db }) {
    const items = await readBatches(db)
    return { items, total: items.length }
  },

  async undo({ id, leaves }, context) {
    const { db, staff } = context
    await seeing(context, leaves, () => takeBack(context, id))
    await db
      .update(shiftBatches)
      .set({ undoneAt: sql`now()`, undoneBy: staff.name, ...nextVersion })
      .where(sql`${shiftBatches.id} = ${id}`)
    const [undone] = await readBatches(db, id)
    if (!undone) throw notFound('change', id)
    return undone
  },
  undoLeaves: ({ id }, context) => foreseeCharges(context, (inner) => takeBack(inner, id)),
}

async function takeBack(context: Context, id: number): Promise<Charged<void>> {
  const [batch] = await context.db.select().from(shiftBatches).where(sql`${shiftBatches.id} = ${id}`).for('update')
  if (!batch) throw notFound('change', id)
  if (batch.undoneAt) throw conflict(`The change was undone already, by ${batch.undoneBy}`)
  return batch.published.length ? unpublish(context, batch) : undoBatch(context, id)
}

async function carryOut(context: Context, plan: Plan): Promise<Outcome> {
  const { ids, ...outcome } = await applyPlan(context, plan)
  if (plan.status === 'published') await notifyOfShifts(context.db, await shiftsById(context.db, ids), context.staff)
  return outcome
}

async function planOf(db: Db, { cells, remove, status }: Wanted<'plan'>): Promise<Plan> {
  const [first, ...others] = cells.map(({ date }) => date).toSorted()
  const text = first
    ? `Planned ${cells.length}, ${daysInWords(first, others.at(-1))}`
    : `Removed ${remove.length} ${remove.length === 1 ? 'shift' : 'shifts'}`
  return { make: await buildCells(db, cells), remove, status, source: 'bulk', text }
}

/** Copies the shifts of some days to later days, in each person's time zone. Skips people who have left. */
async function copyOf(db: Db, { from, to, into, times, departmentId, userIds, status }: Wanted<'copy'>): Promise<Plan> {
  checkRange({ from, to }, 62)
  const length = daysBetween(from, to)
  const text = 'The copy would overlap its source'
  if (addDays(into, length * times - 1) >= from && into <= to) throw refused(text, { into: text })
  const where: SQL[] = [sql`s.date between ${from}::date and ${to}::date and s.status in ('draft', 'published')`]
  if (departmentId) where.push(sql`s.department_id = ${departmentId}`)
  await checkPeople(db, userIds ?? [], 'userIds')
  if (userIds) where.push(sql`s.user_id = any(${sql.param(userIds)}::int[])`)
  const found = await readStored(db, where)
  const people = byId(await readPeople(db, { ids: found.flatMap(({ userId }) => userId ?? []) }))
  const usable = new Set(
    (
      await rows<{ id: number }>(
        db,
        sql`select shift_type_id as id from shift_types where deleted_at is null and is_active`,
      )
    ).map(({ id }) => id),
  )
  const cells = found.flatMap((shift): Cell[] => {
    const { userId, shiftTypeId, date, breakMinutes, ownTimes } = shift
    if (userId === null || !people.has(userId) || !usable.has(shiftTypeId)) return []
    const own = ownTimes && { startTime: clockOf(shift.startMinute), endTime: clockOf(shift.endMinute), breakMinutes }
    return Array.from({ length: times }, (_, n) => ({
      ...{ userId, shiftTypeId, date: addDays(into, daysBetween(from, date) - 1 + n * length) },
      ...own,
    }))
  })
  if (cells.length > 8000) throw refused('That is more than 8,000 shifts at once')
  return {
    make: await buildCells(db, cells),
    remove: [],
    status,
    source: 'copy',
    text: `Copied ${daysInWords(from, to)} to ${daysInWords(into)}`,
  }
}

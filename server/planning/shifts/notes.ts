import type { shifts as contract, ShiftNote } from '@innkeeper/contract/planning/shifts/calls'
import { type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../kit/access/sessions.ts'
import { isoOf } from '../../kit/db/columns.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { personName } from '../../kit/db/people.ts'
import type { Handlers } from '../../kit/http/api.ts'
import { notFound, refused } from '../../kit/http/errors.ts'
import { checkVersion } from '../../kit/http/version.ts'
import { changed } from '../../kit/live/live.ts'
import { monthOf } from '../calendar/closedMonths.ts'
import { addDays } from '../calendar/days.ts'
import { todayIn } from '../calendar/places.ts'
import { checkRange } from './range.ts'
import { findPerson, plans } from './roster/people.ts'
import { shiftNotes } from './tables.ts'

type Row = Omit<ShiftNote, 'createdAt' | 'updatedAt'> & Record<'createdAt' | 'updatedAt', string | Date>

/** Notes in one answer; more are refused, because nobody would see which ones are missing. */
export const limits = { most: 20_000 }

/** Notes that match the conditions on `n`, by day. 422 for too many. */
export async function readNotes(db: Db, where: SQL[]): Promise<ShiftNote[]> {
  const found = await rows<Row>(
    db,
    sql`select n.shift_note_id as id, n.version, n.created_at as "createdAt", n.updated_at as "updatedAt", n.user_id as "userId",
        ${personName('u')} as "userName", n.date::text as date, n.content, n.by
      from shift_notes n join users u on u.user_id = n.user_id
      where n.deleted_at is null and ${sql.join(where, sql` and `)} order by n.date, n.shift_note_id
      limit ${limits.most + 1}`,
  )
  if (found.length > limits.most) throw refused(`More than ${limits.most} notes: choose fewer days or people`)
  return found.map((note) => ({
    ...note,
    createdAt: isoOf(note.createdAt),
    updatedAt: isoOf(note.updatedAt),
  }))
}

/** Condition on `n` and `u`: planners see the notes about everybody, others those about themselves and their department. */
export const notesVisibleTo = (staff: Staff): SQL =>
  plans(staff) ? sql`true` : sql`(n.user_id = ${staff.id} or u.department_id = ${staff.departmentId ?? 0})`

async function findNote(db: Db, id: number, where: SQL = sql`true`): Promise<ShiftNote> {
  const [note] = await readNotes(db, [sql`n.shift_note_id = ${id}`, where])
  if (!note) throw notFound('note', id)
  return note
}

export const noteHandlers: Pick<Handlers<typeof contract>, 'notes' | 'addNote' | 'removeNote'> = {
  async notes({ date, from, to, userId, departmentId }, { db, staff, now }) {
    const start = date ?? from ?? monthOf(to ?? (await todayIn(db, now, staff.departmentId)))
    const end = date ?? to ?? addDays(start, 31)
    checkRange({ from: start, to: end })
    const where = [sql`n.date between ${start}::date and ${end}::date`]
    if (userId) where.push(sql`n.user_id = ${userId}`)
    if (departmentId) where.push(sql`u.department_id = ${departmentId}`)
    where.push(notesVisibleTo(staff))
    const items = await readNotes(db, where)
    return { items, total: items.length }
  },

  async addNote({ userId, date, content }, { db, staff, audit }) {
    await findPerson(db, userId)
    const [made] = await db
      .insert(shiftNotes)
      .values({ userId, date, content, by: staff.name, createdBy: staff.id })
      .returning({ id: shiftNotes.id })
    const note = await findNote(db, made!.id) // one inserted row returns one row
    audit.after(note)
    await changed(db, 'shifts')
    return note
  },

  async removeNote({ id, version }, { db, staff, audit }) {
    await db.select({ id: shiftNotes.id }).from(shiftNotes).where(sql`${shiftNotes.id} = ${id}`).for('update')
    const note = await findNote(db, id, notesVisibleTo(staff))
    audit.before(note)
    checkVersion(note, version, 'This note')
    await db
      .update(shiftNotes)
      .set({ deletedAt: sql`now()`, version: sql`version + 1` })
      .where(sql`${shiftNotes.id} = ${id}`)
    await changed(db, 'shifts')
  },
}

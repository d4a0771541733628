import { sql } from 'drizzle-orm'
import { users } from '../../../access/users/tables.ts'
import { rows } from '../../../kit/db/db.ts'
import { addDays, weekdayOf, yearOf } from '../../calendar/days.ts'
import { openRoster } from '../../shifts/test/shifts.ts'
import { decides, leavesOf, type Person, takes } from './leaves.ts'

/** A roster with a chief, and an approver of all leaves. */
export async function openStaffed() {
  const t = await openRoster(2)
  const l = leavesOf(t)
  const chief = await t.somebody('admin', 'chief')
  const approver = await t.somebody([...decides, 'calendar:leave:read'], 'approver')
  await l.ask(chief, 'POST', 'approvers', { departmentId: null, approvers: [{ userId: approver.id }] })
  return {
    ...{ t, l, chief, approver },
    /** Somebody of the roster's department who takes leave. */
    async worker() {
      const made = await l.joined(await t.somebody(takes))
      await t.app.db.update(users).set({ departmentId: t.departmentId }).where(sql`${users.id} = ${made.id}`)
      return made
    },
    works: (who: Person, from: string, minutes: number[] | null, more: object = {}) =>
      l.ask(chief, 'POST', `employee/${who.id}/working-days`, { from, minutes, ...more }),
    told: (who: Person) =>
      rows<{ title: string; body: string }>(
        t.app.db,
        sql`select title, body from notifications where user_id = ${who.id} order by notification_id desc`,
      ),
    /** A Monday from August to November of the next year, of a week without holidays in Norway. After 16 weeks they come again. */
    monday(week: number) {
      const first = `${yearOf(t.today) + 1}-08-03`
      return addDays(first, ((8 - weekdayOf(first)) % 7) + (week % 16) * 7)
    },
  }
}
export type Staffed = Awaited<ReturnType<typeof openStaffed>>

/** Hours of Monday, Tuesday and Wednesday. */
export const three = [450, 450, 450, 0, 0, 0, 0]

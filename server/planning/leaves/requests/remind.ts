import type { LeaveCode } from '@innkeeper/contract/planning/leaves/values'
import { type SQL, sql } from 'drizzle-orm'
import { byPerson, LATE_ROWS } from '../../../access/notifications/late.ts'
import { notifyEach } from '../../../access/notifications/notify.ts'
import type { App } from '../../../kit/app/app.ts'
import { spokenNotice } from '../../../kit/app/notice.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { addDays } from '../../calendar/days.ts'
import { todayIn } from '../../calendar/places.ts'
import { kindText, leaveTexts, spanText } from '../texts.ts'
import { type ReviewScope, readLists, tellersOf } from './deciders.ts'

interface Waiting {
  id: number
  userId: number
  departmentId: number | null
  userName: string
  typeCode: LeaveCode
  typeName: string
  startDate: string
  endDate: string
}

/** Reminds approvers, once for each first day, of leaves that begin tomorrow or have begun, and still wait for a decision. */
export const remindApprovers = ({ db }: App): Promise<void> =>
  db.transaction(async (tx) => {
    const now = new Date()
    const today = await todayIn(tx, now)
    const lists = await readLists(tx, today)
    const soon = addDays(today, 1)
    const waiting: (Waiting & { to: number[] })[] = []
    const add = async (scope: ReviewScope, found: readonly Waiting[]) => {
      if (!found.length) return
      const tellers = await tellersOf(tx, lists, scope)
      waiting.push(...found.map((leave) => ({ ...leave, to: tellers(leave) })))
    }
    const begins = sql`r.start_date <= ${soon}::date`
    await add('calendar:leave:review', await take(tx, 'leaves', sql`r.status = 'pending' and ${begins}`))
    const waits = sql`c.status = 'pending' and r.status = 'approved' and ${begins}`
    await add('calendar:leave:review-cancellation', await take(tx, 'leave_cancellations', waits))
    await notifyEach(
      tx,
      byPerson(waiting).map(([userId, [first, ...more]]) =>
        first && !more.length
          ? spokenNotice({ ...to(userId), link: `/leaves/all?leave=${first.id}` }, () => ({
              title: leaveTexts().waitsForYou(first.userName, spanText(first.startDate, first.startDate)),
              body: `${kindText(first.typeCode, first.typeName)}, ${spanText(first.startDate, first.endDate)}`,
            }))
          : spokenNotice({ ...to(userId), link: '/leaves/all?tab=waiting&mine=true' }, () => ({
              title: leaveTexts().waitForYou(more.length + 1),
              body: leaveTexts().decideInTime,
            })),
      ),
    )
  })

const to = (userId: number) => ({ to: [userId], reason: 'leave', level: 'warning' }) as const

/** Marks leaves, or their cancellations, of whose first day nobody was reminded, and returns them. Another worker passes over them. */
const take = (db: Db, table: 'leaves' | 'leave_cancellations', which: SQL): Promise<Waiting[]> => {
  const key = sql.raw(table === 'leaves' ? 'leave_id' : 'leave_cancellation_id')
  return rows<Waiting>(
    db,
    sql`with due as (select c.${key} as id, r.start_date from ${sql.raw(table)} c join leaves r on r.leave_id = c.leave_id
        where ${which} and c.reminded_for is distinct from r.start_date
        order by r.start_date limit ${LATE_ROWS} for update of c skip locked)
      update ${sql.raw(table)} v set reminded_for = due.start_date from due, leaves r
        join users u on u.user_id = r.user_id join leave_types t on t.leave_type_id = r.leave_type_id
      where v.${key} = due.id and r.leave_id = v.leave_id
      returning r.leave_id as id, r.user_id as "userId", u.department_id as "departmentId", ${personName('u')} as "userName",
        t.code as "typeCode", t.name as "typeName", r.start_date::text as "startDate", r.end_date::text as "endDate"`,
  )
}

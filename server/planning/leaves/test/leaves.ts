import type { LeaveBalance } from '@innkeeper/contract/planning/leaves/calls'
import { eq } from 'drizzle-orm'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import type { Answer, TestApp } from '../../../test/app.ts'
import { grantYears } from '../entitlements/ledger.ts'

export interface Person {
  id: number
  token: string
}
export const takes = ['calendar:leave:create', 'calendar:leave:cancel']
export const decides = ['calendar:leave:review', 'calendar:leave:review-cancellation']

/** Calls of leaves by a person, for the tests of this folder. */
export function leavesOf(t: TestApp) {
  const at = '/api/leave-calendar'
  const ask = (
    who: Person,
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Answer> => t.call(method, `${at}/${path}`, { token: who.token, ...(body !== undefined && { body }) })
  return {
    ask,
    /** Requests paid leave unless `more` overrides the type. */
    take: (who: Person, startDate: string, endDate = startDate, more: object = {}) =>
      ask(who, 'POST', 'requests', { typeId: 1, startDate, endDate, ...more }),
    /** Stores the grants of years for which balances are not open yet. */
    grant: (who: Person, ...years: number[]) => grantYears(t.app.db, who.id, years),
    /**
     * The person as if they had joined in 2025, so with whole years, and with the grants of 2027 and 2028: tests with
     * literal days of these years pass at any date.
     */
    async joined(who: Person): Promise<Person> {
      await t.app.db.update(users).set({ createdAt: '2025-01-01' }).where(eq(users.id, who.id))
      await grantYears(t.app.db, who.id, [2027, 2028])
      return who
    },
    review: (who: Person, id: number, isApproved = true) => ask(who, 'PATCH', `requests/review/${id}`, { isApproved }),
    async balance(who: Person, year: number, code = 'paid'): Promise<LeaveBalance> {
      const { body } = await ask(who, 'GET', `types/users/${who.id}?year=${year}`)
      return (body.items as LeaveBalance[]).find(({ type }) => type.code === code)!
    },
    async department(name: string, ...people: Person[]): Promise<number> {
      const [made] = await t.app.db.insert(departments).values({ name }).returning({ id: departments.id })
      for (const { id } of people) await t.app.db.update(users).set({ departmentId: made!.id }).where(eq(users.id, id))
      return made!.id
    },
  }
}

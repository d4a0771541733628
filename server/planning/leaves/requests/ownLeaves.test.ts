import type { LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { departments } from '../../../access/departments/tables.ts'
import { users } from '../../../access/users/tables.ts'
import { clearCounts } from '../../../kit/db/page.ts'
import { openTestApp, type TestApp } from '../../../test/app.ts'
import { leaveApproverLists, leaveApprovers, leaveCancellations, leaves } from '../tables.ts'
import { decides, leavesOf, type Person } from '../test/leaves.ts'

/** Compares the database query for a person's pending decisions with `mayReview` of each leave. */
let t: TestApp
let l: ReturnType<typeof leavesOf>
let people: Person[]
let places: number[]
beforeAll(async () => {
  t = await openTestApp()
  l = leavesOf(t)
  const read = 'calendar:leave:read'
  const rights = [...Array(5).fill([read, ...decides]), ...decides.map((one) => [read, one]), [read], 'admin']
  people = await Promise.all(rights.map((scopes) => t.somebody(scopes)))
  const made = await t.app.db
    .insert(departments)
    .values(['Day', 'Night', 'Nobody'].map((name) => ({ name })))
    .returning({ id: departments.id })
  places = made.map(({ id }) => id)
  const waits = people.flatMap(({ id: userId }) =>
    (['pending', 'approved'] as const).map((status, n) => ({
      ...{ userId, typeId: 1, startDate: `2027-03-0${n + 1}`, endDate: `2027-03-0${n + 1}`, halves: 2, status },
      ...{ startPart: 'full' as const, endPart: 'full' as const },
    })),
  )
  const asked = await t.app.db.insert(leaves).values(waits).returning({ id: leaves.id, status: leaves.status })
  await t.app.db
    .insert(leaveCancellations)
    .values(asked.filter(({ status }) => status === 'approved').map(({ id: leaveId }) => ({ leaveId })))
})
afterAll(() => t.close())

const anybody = fc.nat(7) // of `people`
const list = fc.uniqueArray(fc.record({ user: anybody, substitute: fc.option(anybody, { freq: 1 }) }), {
  selector: ({ user }) => user,
  maxLength: 2,
})
const world = fc.record({
  /** Approvers of two departments, and the default approvers. */
  lists: fc.tuple(list, list, list),
  homes: fc.array(fc.option(fc.nat(2)), { minLength: 8, maxLength: 8 }),
  gone: fc.uniqueArray(anybody, { maxLength: 2 }),
})

it('equals the leaves that the person may decide, for any lists of approvers', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ lists, homes, gone }) => {
      const { db } = t.app
      await db.delete(leaveApproverLists)
      for (const [n, approvers] of lists.entries()) {
        const departmentId = n < 2 ? places[n]! : null
        const [made] = await db.insert(leaveApproverLists).values({ departmentId }).returning()
        for (const [position, { user, substitute }] of approvers.entries())
          await db.insert(leaveApprovers).values({
            ...{ listId: made!.id, userId: people[user]!.id, position },
            substituteId: substitute === null ? null : people[substitute]!.id,
          })
      }
      for (const [n, home] of homes.entries())
        await db
          .update(users)
          .set({ departmentId: home === null ? null : places[home]!, deletedAt: gone.includes(n) ? sql`now()` : null })
          .where(eq(users.id, people[n]!.id))
      clearCounts(db)
      const here = people.filter((_, n) => !gone.includes(n))
      for (const who of here)
        for (const kind of ['', '&kind=request', '&kind=cancellation']) {
          const path = `requests/pending?itemsPerPage=100${kind}`
          const [all, mine] = [await l.ask(who, 'GET', path), await l.ask(who, 'GET', `${path}&mine=true`)]
          const reviewed = (all.body.items as LeaveRequest[]).filter(({ mayReview }) => mayReview)
          expect(mine.body.items).toEqual(reviewed)
          expect(mine.body.total).toBe(reviewed.length)
        }
    }),
    { numRuns: 15 },
  )
})

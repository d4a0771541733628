import { eq, sql } from 'drizzle-orm'
import { users } from '../../../access/users/tables.ts'
import { shiftSwaps, shifts } from '../../../planning/shifts/tables.ts'
import type { TestApp } from '../../app.ts'
import { comingDay } from '../../comingDays.ts'

type Call = (
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body: unknown,
) => Promise<{ id: number; batchId?: number | null }>

/** Shift types, shifts in every state, swaps, a wish, a batch, a team, a note, an automation and a closed month. */
export async function makeShifts(t: TestApp, call: Call): Promise<void> {
  const base = '/calendar/shifts'
  const department = await call('POST', '/auth/departments', { name: 'Shift desk' })
  const olga = await t.somebody([], 'olga')
  const paul = await t.somebody([], 'paul')
  for (const { id } of [olga, paul])
    await t.app.db.update(users).set({ departmentId: department.id }).where(eq(users.id, id))
  const early = await call('POST', `${base}/type`, {
    name: 'Early',
    startTime: '06:00',
    endTime: '14:00',
    breakMinutes: 30,
  })
  const night = await call('POST', `${base}/type`, { name: 'Night', startTime: '22:00', endTime: '06:00' })
  await call('POST', `${base}/type`, { name: 'Unused', startTime: '10:00', endTime: '12:00' })
  const plan = (userId: number | null, date: string, shiftTypeId: number, more: object = {}) =>
    call('POST', base, { userId, date, shiftTypeId, ...more })
  for (const weekday of [1, 2, 3, 4]) await plan(olga.id, comingDay(0, weekday), early.id)
  await plan(olga.id, comingDay(0, 5), night.id, { status: 'draft' })
  await plan(null, comingDay(0, 6), night.id, { departmentId: department.id })
  for (const date of [comingDay(4, 1), comingDay(4, 2)])
    await call('POST', `${base}/plan`, {
      cells: [olga, paul].map(({ id }) => ({ userId: id, date, shiftTypeId: early.id })),
    })
  await call('POST', `${base}/team`, {
    departmentId: department.id,
    date: comingDay(-1, 5),
    name: 'Red',
    memberIds: [olga.id, paul.id],
  })
  for (const weekday of [1, 2])
    await call('POST', `${base}/note`, { userId: olga.id, date: comingDay(0, weekday), content: 'Has the keys' })
  for (const name of ['Paul', 'Paul too'])
    await call('POST', `${base}/automations`, {
      name,
      userId: paul.id,
      pattern: [early.id, null],
      startDate: comingDay(22, 1),
      weeksAhead: 1,
    })
  await makeSwaps(t, plan, { early: early.id, olga: olga.id, paul: paul.id, departmentId: department.id })
  await call('POST', `${base}/wishes`, {
    kind: 'rather-not',
    from: comingDay(0, 1),
    to: comingDay(4, 1),
    weekdays: [3],
  })
  await call('POST', `${base}/months`, { month: '2025-12' })
  await call('PATCH', `${base}/minimum`, { departmentId: department.id, minimum: Array.from({ length: 168 }, () => 1) })
}

type Plan = (userId: number, date: string, shiftTypeId: number) => Promise<{ id: number }>
interface Desk {
  early: number
  olga: number
  paul: number
  departmentId: number
}

/** Shifts to exchange, and a swap for each act of the administrator: answer, withdrawal and decision. */
async function makeSwaps(
  { app: { db } }: TestApp,
  plan: Plan,
  { early, olga, paul, departmentId }: Desk,
): Promise<void> {
  const [keeper] = await db.select({ id: users.id }).from(users).where(eq(users.username, 'keeper'))
  const admin = keeper!.id
  await plan(olga, comingDay(5, 1), early)
  await plan(paul, comingDay(5, 2), early)
  const { id: free } = await plan(admin, comingDay(5, 5), early)
  await db.update(shifts).set({ departmentId }).where(eq(shifts.id, free))
  const swap = async (from: number, date: string, to: number, note: string, status: 'offered' | 'accepted') => {
    const { id } = await plan(from, date, early)
    const [shift] = await db.select().from(shifts).where(sql`${shifts.id} = ${id}`)
    await db.insert(shiftSwaps).values({
      ...{
        status,
        fromUserId: from,
        fromShiftId: id,
        fromDate: date,
        fromText: `Early on ${date}`,
        toUserId: to,
        note,
      },
      ...{ fromStartsAt: shift!.startsAt, fromEndsAt: shift!.endsAt },
    })
  }
  await swap(olga, comingDay(6, 1), admin, 'asks the admin', 'offered')
  await swap(admin, comingDay(5, 6), olga, 'of the admin', 'offered')
  await swap(olga, comingDay(6, 2), paul, 'waits for a planner', 'accepted')
}

import { eq, sql } from 'drizzle-orm'
import { shiftSwaps, shifts } from '../../shifts/tables.ts'
import type { TestApp } from '../../testing/testApp.ts'
import { users } from '../../users/tables.ts'

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
  for (const day of ['04', '05', '06', '07']) await plan(olga.id, `2027-01-${day}`, early.id)
  await plan(olga.id, '2027-01-08', night.id, { status: 'draft' })
  await plan(null, '2027-01-09', night.id, { departmentId: department.id })
  for (const date of ['2027-02-01', '2027-02-02'])
    await call('POST', `${base}/plan`, {
      cells: [olga, paul].map(({ id }) => ({ userId: id, date, shiftTypeId: early.id })),
    })
  await call('POST', `${base}/team`, {
    departmentId: department.id,
    date: '2027-01-01',
    name: 'Red',
    memberIds: [olga.id, paul.id],
  })
  for (const day of ['04', '05'])
    await call('POST', `${base}/note`, { userId: olga.id, date: `2027-01-${day}`, content: 'Has the keys' })
  for (const name of ['Paul', 'Paul too'])
    await call('POST', `${base}/automations`, {
      name,
      userId: paul.id,
      pattern: [early.id, null],
      startDate: '2027-06-07',
      weeksAhead: 1,
    })
  await makeSwaps(t, plan, { early: early.id, olga: olga.id, paul: paul.id, departmentId: department.id })
  await call('POST', `${base}/wishes`, { kind: 'rather-not', from: '2027-01-04', to: '2027-02-01', weekdays: [3] })
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
  await plan(olga, '2027-02-08', early)
  await plan(paul, '2027-02-09', early)
  const { id: free } = await plan(admin, '2027-02-12', early)
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
  await swap(olga, '2027-02-15', admin, 'asks the admin', 'offered')
  await swap(admin, '2027-02-13', olga, 'of the admin', 'offered')
  await swap(olga, '2027-02-16', paul, 'waits for a planner', 'accepted')
}

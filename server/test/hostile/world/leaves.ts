import type { TestApp } from '../../app.ts'
import { comingDay } from '../../comingDays.ts'

type Call = (method: 'POST' | 'PATCH' | 'DELETE', path: string, body: unknown) => Promise<{ id: number }>

/** Leaves in every state, of the administrator and of a person whose leaves the administrator decides. */
export async function makeLeaves(t: TestApp, call: Call): Promise<void> {
  const base = '/leave-calendar'
  const nina = await t.somebody([], 'nina')
  const take = (startDate: string, endDate: string, more: object = {}) =>
    call('POST', `${base}/requests`, { typeId: 1, startDate, endDate, userId: nina.id, ...more })
  const review = ({ id }: { id: number }, isApproved: boolean) =>
    call('PATCH', `${base}/requests/review/${id}`, { isApproved })
  await call('PATCH', `${base}/employee/${nina.id}`, { entitlements: [{ typeId: 1, yearlyDays: 30 }] })
  for (const week of [8, 9, 10]) await take(comingDay(week, 1), comingDay(week, 3))
  for (const week of [11, 12, 13]) {
    const leave = await take(comingDay(week, 1), comingDay(week, 3))
    await review(leave, true)
    await call('POST', `${base}/cancellations`, { requestId: leave.id })
  }
  await review(await take(comingDay(14, 1), comingDay(14, 2)), true)
  await review(await take(comingDay(15, 1), comingDay(15, 2)), false)
  await call('POST', `${base}/requests`, { typeId: 2, startDate: comingDay(8, 1), endDate: comingDay(8, 2) })
  await call('POST', `${base}/approvers`, { departmentId: null, approvers: [{ userId: 1 }] })
  await call('POST', `${base}/feed`, {})
}

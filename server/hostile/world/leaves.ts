import type { TestApp } from '../../testing/testApp.ts'

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
  for (const month of ['03', '04', '05']) await take(`2027-${month}-01`, `2027-${month}-03`)
  for (const month of ['06', '07', '08']) {
    const leave = await take(`2027-${month}-01`, `2027-${month}-03`)
    await review(leave, true)
    await call('POST', `${base}/cancellations`, { requestId: leave.id })
  }
  await review(await take('2027-09-01', '2027-09-02'), true)
  await review(await take('2027-10-01', '2027-10-02'), false)
  await call('POST', `${base}/requests`, { typeId: 2, startDate: '2027-03-01', endDate: '2027-03-02' })
  await call('POST', `${base}/approvers`, { departmentId: null, approvers: [{ userId: 1 }] })
  await call('POST', `${base}/feed`, {})
}

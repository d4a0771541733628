import type { Good } from '../hostile/good.ts'

export const leaves: Good<'leaves'> = {
  create: ({ id }) => ({
    typeId: id('leave_types', 'paternity'),
    userId: id('users', 'invited'),
    startDate: '2027-09-01',
    endDate: '2027-09-02',
  }),
  review: ({ id }) => ({ id: id('leaves', 'pending'), isApproved: true }),
  cancel: ({ id }) => ({ requestId: id('leaves', { start_date: '2027-04-01' }) }),
  reviewCancellation: ({ id }) => ({ id: id('leave_cancellations'), isApproved: true }),
  setApprovers: ({ id }) => ({
    departmentId: id('departments', 'Names'),
    approvers: [{ userId: id('users', 'invited'), substituteId: id('users', 'keeper') }],
  }),
  updateType: ({ id }) => ({ id: id('leave_types', 'paid'), isPaid: false, yearlyDays: 2 }),
  updateEmployee: ({ id }) => ({
    id: id('users', 'comes'),
    entitlements: [{ typeId: id('leave_types', 'compensatory'), yearlyDays: 5 }],
  }),
  openFeed: {},
  closeFeed: {},
}

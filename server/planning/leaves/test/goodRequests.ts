import { comingDay } from '../../../test/comingDays.ts'
import type { Good } from '../../../test/hostile/good.ts'

export const leaves: Good<'leaves'> = {
  create: ({ id }) => ({
    typeId: id('leave_types', 'paternity'),
    userId: id('users', 'invited'),
    startDate: comingDay(14, 1),
    endDate: comingDay(14, 2),
  }),
  review: ({ id }) => ({ id: id('leaves', 'pending'), isApproved: true }),
  cancel: ({ id }) => ({ requestId: id('leaves', { start_date: comingDay(9, 1) }) }),
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
  setWorkingDays: ({ id }) => ({
    id: id('users', 'comes'),
    from: comingDay(20, 1),
    minutes: [450, 450, 450, 0, 0, 0, 0],
  }),
  openFeed: {},
  closeFeed: {},
}

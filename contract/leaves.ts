import * as z from 'zod'
import {
  csv,
  del,
  filter,
  get,
  id,
  line,
  listQuery,
  pageFields,
  pageOf,
  paging,
  patch,
  post,
  version,
  whole,
} from './kit.ts'
import {
  LeaveAccount,
  LeaveApprovers,
  LeaveBalance,
  LeaveCancellation,
  LeaveCoverage,
  LeaveEmployee,
  LeaveFeed,
  LeavePreview,
  LeaveRequest,
  LeaveType,
} from './leaves/shapes.ts'
import { day, dayOfYear, leavePart, leaveStatus, movedDays, note, someDays, year } from './leaves/values.ts'
import { binary, file, MiB } from './transfer.ts'

export * from './leaves/shapes.ts'
export * from './leaves/values.ts'

/** Leaves: people §3 Leave request, §4, §7 Leave calendar. */
const base = '/leave-calendar'

/** A doctor's note, a scan, a photograph of one. */
const document = file({ bytes: 10 * MiB, types: ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'] })

/** When. On one day both parts are the same; over several the first may begin at noon and the last may end there. */
const span = {
  typeId: id,
  startDate: day,
  endDate: day,
  startPart: leavePart.optional(),
  endPart: leavePart.optional(),
}

/** A day, a month (`2026-12`), or an instant, of which the day counts. */
const dayOrMonth = z
  .string()
  .regex(/^\d{4}-\d{2}(-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?)?$/, 'A day or a month, such as 2026-12-24 or 2026-12')
  .transform((text) => text.slice(0, 10))
  .refine((text) => day.safeParse(text.length === 7 ? `${text}-01` : text).success, 'There is no such day')

const narrowed = {
  search: filter(line(100)),
  departmentId: filter(csv(id)),
  typeId: filter(csv(id)),
  from: filter(day),
  to: filter(day),
}
const yearQuery = { year: filter(whole(2000, 2100)) }
const ids = z.array(id).max(500)
const listed = z.object({ items: z.array(LeaveRequest), ...pageFields })

export const leaves = {
  requests: get(`${base}/requests`, 'calendar:leave:read', {
    summary: 'Leaves; with a date those that touch that day or month',
    query: {
      ...listQuery(['startDate', 'createdAt', 'days']),
      ...narrowed,
      date: filter(dayOrMonth),
      status: filter(csv(leaveStatus)),
    },
    returns: pageOf(LeaveRequest),
  }),
  ofUser: get(`${base}/requests/users/:id`, 'calendar:leave:read', {
    summary: 'A person’s leaves, newest first; one’s own need a session alone',
    own: 'id',
    query: {
      ...listQuery(['startDate', 'createdAt', 'days']),
      status: filter(csv(leaveStatus)),
      typeId: narrowed.typeId,
    },
    returns: listed,
  }),
  approvedOf: get(`${base}/requests/users/:id/approved`, 'calendar:leave:read', {
    summary: 'A person’s approved leaves, newest first; one’s own need a session alone',
    own: 'id',
    query: paging(),
    returns: listed,
  }),
  upcomingOf: get(`${base}/requests/users/:id/upcoming`, 'calendar:leave:read', {
    summary: 'A person’s approved leaves that are not over, the next one first; one’s own need a session alone',
    own: 'id',
    query: paging(),
    returns: listed,
  }),
  pending: get(`${base}/requests/pending`, 'calendar:leave:read', {
    summary: 'What waits for a decision, requests and cancellations, longest waiting first',
    query: {
      ...listQuery(['createdAt', 'startDate', 'days']),
      ...narrowed,
      kind: filter(z.enum(['request', 'cancellation'])),
      /** Only what the caller may decide. */
      mine: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(LeaveRequest),
  }),
  one: get(`${base}/requests/:id`, 'signedIn', {
    summary: 'One leave: one’s own, or any for who may see leaves',
    returns: LeaveRequest,
  }),
  document: get(`${base}/requests/:id/document`, 'signedIn', {
    summary: 'The document of a leave: for oneself and for who may decide',
    returns: binary,
  }),
  coverage: get(`${base}/requests/:id/coverage`, 'calendar:leave:review', {
    summary: 'Who else of the department is away on its days, and which shifts fall free',
    returns: LeaveCoverage,
  }),
  preview: post(`${base}/requests/preview`, 'signedIn', {
    summary: 'What a request would take, and why it would be refused',
    effect: 'read',
    status: 200,
    body: { ...span, userId: id.optional() },
    returns: LeavePreview,
  }),
  create: post(`${base}/requests`, 'calendar:leave:create', {
    summary: 'Request a leave; for somebody else who may change entitlements',
    form: {
      ...span,
      reason: z.union([note, z.literal('')]).optional(),
      userId: id.optional(),
      document: document.optional(),
    },
    returns: LeaveRequest,
  }),
  review: patch(`${base}/requests/review/:id`, 'calendar:leave:review', {
    summary: 'Approve or reject a request; of two who decide at once the second is told of the first',
    body: { isApproved: z.boolean(), comment: z.union([note, z.literal('')]).optional(), version },
    returns: LeaveRequest,
  }),
  ofUsers: post(`${base}/requests/users`, 'calendar:leave:read', {
    summary: 'Leaves of these people that are asked for or approved; with a date those that touch that day or month',
    effect: 'read',
    status: 200,
    body: { usersIds: ids, date: dayOrMonth.optional() },
    returns: z.object({ items: z.array(LeaveRequest), total: z.int() }),
  }),
  archive: post(`${base}/requests/archive`, 'calendar:leave:read', {
    summary: 'What is over: rejected, cancelled, or approved and past; by page',
    effect: 'read',
    status: 200,
    body: {
      ...listQuery(['startDate', 'createdAt', 'days']),
      ...narrowed,
      usersIds: filter(csv(id)),
      status: filter(csv(leaveStatus)),
    },
    returns: pageOf(LeaveRequest),
  }),
  cancel: post(`${base}/cancellations`, 'calendar:leave:cancel', {
    summary: 'Withdraw one’s own request at once, or ask to cancel an approved leave',
    body: { requestId: id, reason: z.union([note, z.literal('')]).optional() },
    returns: LeaveCancellation,
  }),
  reviewCancellation: patch(`${base}/cancellations/review/:id`, 'calendar:leave:review-cancellation', {
    summary: 'Approve or reject a cancellation',
    body: { isApproved: z.boolean(), comment: z.union([note, z.literal('')]).optional(), version },
    returns: LeaveCancellation,
  }),
  approvers: get(`${base}/approvers`, 'calendar:default-approvers:read', {
    summary: 'Who decides: the default list first, then each department’s',
    returns: z.object({ items: z.array(LeaveApprovers), total: z.int() }),
  }),
  approversOf: get(`${base}/approvers/:department`, 'calendar:default-approvers:read', {
    summary: 'Who decides for a department',
    returns: LeaveApprovers,
  }),
  setApprovers: post(`${base}/approvers`, 'calendar:default-approvers:create', {
    summary: 'Say who decides for a department, or with null by default; an empty list falls back on the default',
    body: {
      departmentId: id.nullable(),
      approvers: z.array(z.object({ userId: id, substituteId: id.nullable().optional() })).max(20),
      version: whole(0).optional(),
    },
    returns: LeaveApprovers,
  }),
  types: get(`${base}/types`, 'calendar:leave:read', {
    summary: 'Types of leave and their rules',
    returns: z.object({ items: z.array(LeaveType), total: z.int() }),
  }),
  typesOf: get(`${base}/types/users/:id`, 'calendar:leave:read', {
    summary: 'What a person has of each type in a year; one’s own needs a session alone',
    own: 'id',
    query: yearQuery,
    returns: z.object({ items: z.array(LeaveBalance), total: z.int() }),
  }),
  updateType: patch(`${base}/types/:id`, 'calendar:employee:update', {
    summary: 'Change the rules of a type; leaves that are requested already keep what they took',
    body: {
      name: line(60).optional(),
      isPaid: z.boolean().optional(),
      documentFromDays: someDays.nullable().optional(),
      deductsBalance: z.boolean().optional(),
      allowNegative: z.boolean().optional(),
      countsEveryDay: z.boolean().optional(),
      halfDays: z.boolean().optional(),
      yearlyDays: someDays.optional(),
      carryForwardMax: someDays.optional(),
      carryUntil: dayOfYear.nullable().optional(),
      version,
    },
    returns: LeaveType,
  }),
  employees: get(`${base}/employee`, 'calendar:employee:read', {
    summary: 'People and what they have of each type in a year',
    query: { ...listQuery(['name']), ...yearQuery, search: filter(line(100)), departmentId: filter(csv(id)) },
    returns: pageOf(LeaveEmployee),
  }),
  employee: get(`${base}/employee/:id`, 'calendar:employee:read', {
    summary: 'A person’s balances and every movement of a year; one’s own need a session alone',
    own: 'id',
    query: yearQuery,
    returns: LeaveAccount,
  }),
  employeesByIds: post(`${base}/employee/ids`, 'calendar:employee:read', {
    summary: 'The balances of these people',
    effect: 'read',
    status: 200,
    body: { ids, year: year.optional() },
    returns: z.object({ items: z.array(LeaveEmployee), total: z.int() }),
  }),
  updateEmployee: patch(`${base}/employee/:id`, 'calendar:employee:update', {
    summary: 'Change what a person gets each year, or correct a balance with a note',
    body: {
      /** `yearlyDays` null: as the type says. */
      entitlements: z
        .array(z.object({ typeId: id, yearlyDays: someDays.nullable() }))
        .max(20)
        .optional(),
      adjustments: z
        .array(z.object({ typeId: id, year, days: movedDays, note }))
        .max(20)
        .optional(),
      year: year.optional(),
      version,
    },
    returns: LeaveAccount,
  }),
  feed: get(`${base}/feed`, 'signedIn', { summary: 'Whether one’s calendar feed is open', returns: LeaveFeed }),
  openFeed: post(`${base}/feed`, 'signedIn', {
    summary: 'A new secret address of one’s calendar feed, shown once; an older one ends',
    returns: LeaveFeed.extend({ path: z.string() }),
  }),
  closeFeed: del(`${base}/feed`, 'signedIn', { summary: 'End the calendar feed: its address answers no more' }),
  calendar: get(`${base}/feed.ics`, 'public', {
    summary: 'A person’s shifts, events and leaves as iCalendar, for who knows the secret address',
    query: { key: z.string().regex(/^[\w-]{32}$/, 'Not a key of a feed') },
    returns: binary,
  }),
}

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
} from '../../kit/endpoint.ts'
import { binary, file, MiB } from '../../kit/transfer.ts'
import { ChangedLeaves } from './changedLeaves.ts'
import { LeaveEffects } from './effects.ts'
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
  WorkingDays,
} from './shapes.ts'
import { day, dayOfYear, leaveCharges, leavePart, leaveStatus, movedDays, note, someDays, year } from './values.ts'

export * from './shapes.ts'
export * from './values.ts'

/** Leaves: specification people §3 Leave request, §4, §7 Leave calendar. */
const base = '/leave-calendar'

/** A medical certificate or another document, as a scan or photograph. */
const document = file({ bytes: 10 * MiB, types: ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'] })

/** Leaves whose approval is tried. The plans of their people are held meanwhile, so these are few. */
const decided = z.array(id).min(1).max(20)

/** Dates of a leave. A single day has equal parts; over several days the first may begin, and the last end, at noon. */
const span = {
  typeId: id,
  startDate: day,
  endDate: day,
  startPart: leavePart.optional(),
  endPart: leavePart.optional(),
}

/** A day, a month (`2026-12`), or a time whose date is used. */
const dayOrMonth = z
  .string()
  .regex(/^\d{4}-\d{2}(-\d{2}(T[\d:.]+(Z|[+-]\d{2}:\d{2}))?)?$/, 'A day or a month, such as 2026-12-24 or 2026-12')
  .transform((text) => text.slice(0, 10))
  .refine((text) => day.safeParse(text.length === 7 ? `${text}-01` : text).success, 'This date does not exist')

const narrowed = {
  search: filter(line(100)),
  departmentId: filter(csv(id)),
  typeId: filter(csv(id)),
  from: filter(day),
  to: filter(day),
}
const yearQuery = { year: filter(whole(2000, 2100)) }
const ids = z.array(id).max(500)
/** Minutes of work from Monday to Sunday; null: from this day on as the workplace. */
const week = z.array(whole(0, 1440)).length(7, 'Seven days, from Monday to Sunday').nullable()
/** Ids of the leaves that the caller saw change; 409 if other ones would. */
const seen = z.array(id).max(20_000).optional()
const listed = z.object({ items: z.array(LeaveRequest), ...pageFields })

export const leaves = {
  requests: get(`${base}/requests`, 'calendar:leave:read', {
    summary: 'Leaves, with a date only those of that day or month',
    query: {
      ...listQuery(['startDate', 'createdAt', 'days']),
      ...narrowed,
      date: filter(dayOrMonth),
      status: filter(csv(leaveStatus)),
    },
    returns: pageOf(LeaveRequest),
  }),
  ofUser: get(`${base}/requests/users/:id`, 'calendar:leave:read', {
    summary: 'Leaves of a person, newest first; one’s own without a permission',
    own: 'id',
    query: {
      ...listQuery(['startDate', 'createdAt', 'days']),
      status: filter(csv(leaveStatus)),
      typeId: narrowed.typeId,
    },
    returns: listed,
  }),
  approvedOf: get(`${base}/requests/users/:id/approved`, 'calendar:leave:read', {
    summary: 'Approved leaves of a person, newest first; one’s own without a permission',
    own: 'id',
    query: paging(),
    returns: listed,
  }),
  upcomingOf: get(`${base}/requests/users/:id/upcoming`, 'calendar:leave:read', {
    summary: 'Current and future approved leaves of a person, next first; one’s own without a permission',
    own: 'id',
    query: paging(),
    returns: listed,
  }),
  pending: get(`${base}/requests/pending`, 'calendar:leave:read', {
    summary: 'Pending requests and cancellations, oldest first',
    query: {
      ...listQuery(['createdAt', 'startDate', 'days']),
      ...narrowed,
      kind: filter(z.enum(['request', 'cancellation'])),
      /** Only those that the caller may decide. */
      mine: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(LeaveRequest),
  }),
  one: get(`${base}/requests/:id`, 'signedIn', {
    summary: 'One leave; one’s own without a permission',
    returns: LeaveRequest,
  }),
  document: get(`${base}/requests/:id/document`, 'signedIn', {
    summary: 'Document of a leave, for its person and the approvers',
    returns: binary,
  }),
  coverage: get(`${base}/requests/:id/coverage`, 'calendar:leave:review', {
    summary: 'Absences in the department during a leave, and shifts that become vacant',
    returns: LeaveCoverage,
  }),
  preview: post(`${base}/requests/preview`, 'signedIn', {
    summary: 'Preview a request: days, balance and refusals',
    effect: 'read',
    status: 200,
    body: { ...span, userId: id.optional() },
    returns: LeavePreview,
  }),
  create: post(`${base}/requests`, 'calendar:leave:create', {
    summary: 'Request a leave; for other people with the permission to change entitlements',
    form: {
      ...span,
      reason: z.union([note, z.literal('')]).optional(),
      userId: id.optional(),
      document: document.optional(),
    },
    returns: LeaveRequest,
  }),
  review: patch(`${base}/requests/review/:id`, 'calendar:leave:review', {
    summary: 'Approve or reject a request; 409 with the decision if somebody has already decided',
    body: { isApproved: z.boolean(), comment: z.union([note, z.literal('')]).optional(), version },
    returns: LeaveRequest,
  }),
  reviewEffects: post(`${base}/requests/review/effects`, 'calendar:leave:review', {
    summary: 'Preview what the approval of pending requests does to shifts and to other leaves',
    effect: 'read',
    status: 200,
    body: { ids: decided },
    returns: LeaveEffects,
  }),
  ofUsers: post(`${base}/requests/users`, 'calendar:leave:read', {
    summary: 'Pending and approved leaves of these people; with a date, only leaves of that day or month',
    effect: 'read',
    status: 200,
    body: { usersIds: ids, date: dayOrMonth.optional() },
    returns: z.object({ items: z.array(LeaveRequest), total: z.int() }),
  }),
  archive: post(`${base}/requests/archive`, 'calendar:leave:read', {
    summary: 'History of leaves: rejected, cancelled, or approved and past',
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
    summary: 'Withdraw one’s own request, or request the cancellation of an approved leave',
    body: { requestId: id, reason: z.union([note, z.literal('')]).optional() },
    returns: LeaveCancellation,
  }),
  cancellationEffects: post(`${base}/cancellations/review/effects`, 'calendar:leave:review-cancellation', {
    summary: 'Preview what the approval of pending cancellations of these leaves does to shifts and to other leaves',
    effect: 'read',
    status: 200,
    body: { ids: decided },
    returns: LeaveEffects,
  }),
  reviewCancellation: patch(`${base}/cancellations/review/:id`, 'calendar:leave:review-cancellation', {
    summary: 'Approve or reject a cancellation',
    body: { isApproved: z.boolean(), comment: z.union([note, z.literal('')]).optional(), version },
    returns: LeaveCancellation,
  }),
  approvers: get(`${base}/approvers`, 'calendar:default-approvers:read', {
    summary: 'Approvers: the default list, then the list of each department',
    returns: z.object({ items: z.array(LeaveApprovers), total: z.int() }),
  }),
  approversOf: get(`${base}/approvers/:department`, 'calendar:default-approvers:read', {
    summary: 'Approvers of a department',
    returns: LeaveApprovers,
  }),
  setApprovers: post(`${base}/approvers`, 'calendar:default-approvers:create', {
    summary: 'Set the approvers of a department, or with null the default list; an empty list means the default',
    body: {
      departmentId: id.nullable(),
      approvers: z.array(z.object({ userId: id, substituteId: id.nullable().optional() })).max(20),
      version: whole(0).optional(),
    },
    returns: LeaveApprovers,
  }),
  types: get(`${base}/types`, 'calendar:leave:read', {
    summary: 'Leave types and their rules',
    returns: z.object({ items: z.array(LeaveType), total: z.int() }),
  }),
  typesOf: get(`${base}/types/users/:id`, 'calendar:leave:read', {
    summary: 'Balances of a person in a year by leave type; one’s own without a permission',
    own: 'id',
    query: yearQuery,
    returns: z.object({ items: z.array(LeaveBalance), total: z.int() }),
  }),
  updateType: patch(`${base}/types/:id`, 'calendar:employee:update', {
    summary: 'Change the rules of a leave type; existing requests keep their days',
    body: {
      name: line(60).optional(),
      isPaid: z.boolean().optional(),
      documentFromDays: someDays.nullable().optional(),
      deductsBalance: z.boolean().optional(),
      allowNegative: z.boolean().optional(),
      countsEveryDay: z.boolean().optional(),
      halfDays: z.boolean().optional(),
      charge: z.enum(leaveCharges).optional(),
      yearlyDays: someDays.optional(),
      carryForwardMax: someDays.optional(),
      carryUntil: dayOfYear.nullable().optional(),
      version,
    },
    returns: LeaveType,
  }),
  employees: get(`${base}/employee`, 'calendar:employee:read', {
    summary: 'People with their balances of a year',
    query: { ...listQuery(['name']), ...yearQuery, search: filter(line(100)), departmentId: filter(csv(id)) },
    returns: pageOf(LeaveEmployee),
  }),
  employee: get(`${base}/employee/:id`, 'calendar:employee:read', {
    summary: 'Balances and ledger entries of a person in a year; one’s own without a permission',
    own: 'id',
    query: yearQuery,
    returns: LeaveAccount,
  }),
  employeesByIds: post(`${base}/employee/ids`, 'calendar:employee:read', {
    summary: 'Balances of these people',
    effect: 'read',
    status: 200,
    body: { ids, year: year.optional() },
    returns: z.object({ items: z.array(LeaveEmployee), total: z.int() }),
  }),
  updateEmployee: patch(`${base}/employee/:id`, 'calendar:employee:update', {
    summary: 'Change the yearly days of a person, or adjust a balance with a note',
    body: {
      /** `yearlyDays` null: the default of the leave type. */
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
  workingDays: get(`${base}/employee/:id/working-days`, 'calendar:employee:read', {
    summary: 'Working days and hours of a person with their history; one’s own without a permission',
    own: 'id',
    returns: WorkingDays,
  }),
  previewWorkingDays: post(`${base}/employee/:id/working-days/preview`, 'calendar:employee:update', {
    summary: 'Preview the leaves that other working days change',
    params: { id },
    effect: 'read',
    status: 200,
    body: { from: day, minutes: week },
    returns: ChangedLeaves,
  }),
  setWorkingDays: post(`${base}/employee/:id/working-days`, 'calendar:employee:update', {
    summary: 'Set the working days of a person from a day on; leaves are charged anew, and people are notified',
    params: { id },
    status: 200,
    body: { from: day, minutes: week, leaves: seen },
    returns: WorkingDays,
  }),
  feed: get(`${base}/feed`, 'signedIn', { summary: 'State of the caller’s calendar feed', returns: LeaveFeed }),
  openFeed: post(`${base}/feed`, 'signedIn', {
    summary: 'Create a secret address for the caller’s calendar feed, shown once; the previous address stops working',
    returns: LeaveFeed.extend({ path: z.string() }),
  }),
  closeFeed: del(`${base}/feed`, 'signedIn', { summary: 'Close the calendar feed' }),
  calendar: get(`${base}/feed.ics`, 'public', {
    summary: 'Shifts, events and leaves of a person as iCalendar, authorised by the secret address',
    query: {
      key: z.string().regex(/^[\w-]{32}$/, 'Not a calendar feed key'),
      /** Absent: with repeatable events, without holidays. */
      repeatables: filter(z.enum(['true', 'false'])),
      holidays: filter(z.enum(['true', 'false'])),
    },
    returns: binary,
  }),
}

import * as z from 'zod'
import { instant, stored } from '../kit.ts'
import { leaveCode, leavePart, leaveStatus, ledgerKind } from './values.ts'

export const LeaveType = z.object({
  ...stored,
  code: leaveCode,
  name: z.string(),
  isPaid: z.boolean(),
  /** A document is asked for where a leave takes so many days or more; null: never. */
  documentFromDays: z.number().nullable(),
  /** False: there is no balance to take from. */
  deductsBalance: z.boolean(),
  allowNegative: z.boolean(),
  /** Weekends and holidays count too. */
  countsEveryDay: z.boolean(),
  halfDays: z.boolean(),
  /** What everybody gets each year unless the entitlement says otherwise. */
  yearlyDays: z.number(),
  /** Of what is left at the end of a year, so much goes over into the next. */
  carryForwardMax: z.number(),
  /** Month and day after which what was carried over is lost; null: it stays. */
  carryUntil: z.string().nullable(),
})
export type LeaveType = z.output<typeof LeaveType>

/** What somebody has of one type in one year. `balance` is what can be requested now. */
export const LeaveBalance = z.object({
  userId: z.int(),
  year: z.int(),
  type: LeaveType,
  /** Null: the type's own. */
  entitlement: z.number().nullable(),
  granted: z.number(),
  carried: z.number(),
  adjusted: z.number(),
  expired: z.number(),
  /** Requested and not decided yet. */
  pending: z.number(),
  used: z.number(),
  balance: z.number(),
})
export type LeaveBalance = z.output<typeof LeaveBalance>

export const LeaveEntry = z.object({
  id: z.int(),
  typeId: z.int(),
  typeName: z.string(),
  year: z.int(),
  /** Days, signed. */
  days: z.number(),
  kind: ledgerKind,
  requestId: z.int().nullable(),
  note: z.string().nullable(),
  createdAt: instant,
  createdByName: z.string().nullable(),
})
export type LeaveEntry = z.output<typeof LeaveEntry>

export const LeaveCancellation = z.object({
  ...stored,
  requestId: z.int(),
  reason: z.string().nullable(),
  status: leaveStatus,
  reviewedBy: z.int().nullable(),
  reviewedByName: z.string().nullable(),
  reviewedAt: instant.nullable(),
  comment: z.string().nullable(),
})
export type LeaveCancellation = z.output<typeof LeaveCancellation>

export const LeaveRequest = z.object({
  ...stored,
  userId: z.int(),
  userName: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  typeId: z.int(),
  typeCode: leaveCode,
  typeName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  startPart: leavePart,
  endPart: leavePart,
  /** What is charged: without weekends and holidays, where the type goes by those. */
  days: z.number(),
  /** Null also for whom it is none of their business: only oneself and who decides read it. */
  reason: z.string().nullable(),
  document: z.object({ name: z.string(), type: z.string(), size: z.int() }).nullable(),
  status: leaveStatus,
  reviewedBy: z.int().nullable(),
  reviewedByName: z.string().nullable(),
  reviewedAt: instant.nullable(),
  comment: z.string().nullable(),
  /** The newest one. */
  cancellation: LeaveCancellation.nullable(),
  /** May the caller decide about it: as an approver, and not about one's own? */
  mayReview: z.boolean(),
})
export type LeaveRequest = z.output<typeof LeaveRequest>

const Day = z.object({ date: z.string(), name: z.string() })

/** What a request would mean, before it is sent. */
export const LeavePreview = z.object({
  days: z.number(),
  /** By year; null balances where the type has none. */
  years: z.array(
    z.object({ year: z.int(), days: z.number(), before: z.number().nullable(), after: z.number().nullable() }),
  ),
  holidays: z.array(Day),
  /** Days of weekends that are not charged. */
  weekend: z.int(),
  /** Names of who will be asked. */
  approvers: z.array(z.string()),
  /** A document has to come with it. */
  documentNeeded: z.boolean(),
  /** Why it would be refused, by field. */
  problems: z.record(z.string(), z.string()),
})
export type LeavePreview = z.output<typeof LeavePreview>

/** Who of a team is there on each day of a request, for whoever decides. */
export const LeaveCoverage = z.object({
  /** People of the department, the person who asks among them. */
  team: z.int(),
  days: z.array(
    z.object({
      date: z.string(),
      /** A holiday's name, `Weekend`, or null for a working day. */
      off: z.string().nullable(),
      away: z.array(z.object({ userId: z.int(), name: z.string(), status: leaveStatus })),
    }),
  ),
  /** Planned shifts of the person that nobody would do. */
  shifts: z.array(z.object({ date: z.string(), name: z.string(), startsAt: instant, endsAt: instant })),
})
export type LeaveCoverage = z.output<typeof LeaveCoverage>

const Approver = z.object({
  userId: z.int(),
  name: z.string(),
  substituteId: z.int().nullable(),
  substituteName: z.string().nullable(),
  /** On leave today: the substitute is told instead. */
  away: z.boolean(),
  /** False: the person holds no right to decide, so nothing comes of it. */
  mayReview: z.boolean(),
})
/** Who decides for a department; the default list, for departments without one of their own, has none. */
export const LeaveApprovers = z.object({
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** The department has no list of its own: this is the default one. */
  inherited: z.boolean(),
  version: z.int(),
  approvers: z.array(Approver),
})
export type LeaveApprovers = z.output<typeof LeaveApprovers>

/** A person with what they have of each type in a year. */
export const LeaveEmployee = z.object({
  /** The person's, and `userId` the same. */
  id: z.int(),
  userId: z.int(),
  name: z.string(),
  username: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  hiredAt: z.string().nullable(),
  year: z.int(),
  /** Rises with each change of entitlements. */
  version: z.int(),
  balances: z.array(LeaveBalance),
})
export type LeaveEmployee = z.output<typeof LeaveEmployee>
export const LeaveAccount = LeaveEmployee.extend({
  /** Every movement of the year, newest first. */
  ledger: z.array(LeaveEntry),
})
export type LeaveAccount = z.output<typeof LeaveAccount>

export const LeaveFeed = z.object({
  active: z.boolean(),
  createdAt: instant.nullable(),
  /** When a calendar last asked. */
  lastReadAt: instant.nullable(),
})

import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { leaveCharges, leaveCode, leavePart, leaveStatus, ledgerKind } from './values.ts'

export const LeaveType = z.object({
  ...stored,
  code: leaveCode,
  name: z.string(),
  isPaid: z.boolean(),
  /** From this number of days on, a document is required; null: never. */
  documentFromDays: z.number().nullable(),
  /** False: the leave type has no balance. */
  deductsBalance: z.boolean(),
  allowNegative: z.boolean(),
  /** True: weekends and holidays count as days of leave. */
  countsEveryDay: z.boolean(),
  halfDays: z.boolean(),
  /** By working days, or by the roster: a day for each shift, or the hours of the shifts. */
  charge: z.enum(leaveCharges),
  /** Default number of days per year, unless the person's entitlement differs. */
  yearlyDays: z.number(),
  /** Maximum number of days carried over into the next year. */
  carryForwardMax: z.number(),
  /** Month and day after which carried-over days expire; null: never. */
  carryUntil: z.string().nullable(),
})
export type LeaveType = z.output<typeof LeaveType>

/** Balance of a person for one leave type and year. `balance` is what can be requested now. */
export const LeaveBalance = z.object({
  userId: z.int(),
  year: z.int(),
  type: LeaveType,
  /** Null: the default of the leave type. */
  entitlement: z.number().nullable(),
  granted: z.number(),
  carried: z.number(),
  adjusted: z.number(),
  expired: z.number(),
  /** Days of pending requests. */
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
  /** Signed number of days. */
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
  /** Null unless the reader is the person, decides, or manages balances: others only see that the person is away. */
  typeId: z.int().nullable(),
  typeCode: leaveCode.nullable(),
  /** `Away` for the other readers. */
  typeName: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  startPart: leavePart,
  endPart: leavePart,
  /** Days taken from the balance, without weekends and holidays unless the leave type counts them. */
  days: z.number(),
  /** Null unless the reader is the person or an approver. */
  reason: z.string().nullable(),
  document: z.object({ name: z.string(), type: z.string(), size: z.int() }).nullable(),
  status: leaveStatus,
  reviewedBy: z.int().nullable(),
  reviewedByName: z.string().nullable(),
  reviewedAt: instant.nullable(),
  comment: z.string().nullable(),
  /** The latest cancellation request. */
  cancellation: LeaveCancellation.nullable(),
  /** True: the caller is an approver, and the leave is not the caller's own. */
  mayReview: z.boolean(),
})
export type LeaveRequest = z.output<typeof LeaveRequest>

const Day = z.object({ date: z.string(), name: z.string() })

/** Preview of a request. */
export const LeavePreview = z.object({
  days: z.number(),
  /** Per year; balances are null for leave types without one. */
  years: z.array(
    z.object({ year: z.int(), days: z.number(), before: z.number().nullable(), after: z.number().nullable() }),
  ),
  holidays: z.array(Day),
  /** Number of weekend days that are not charged. */
  weekend: z.int(),
  /** Shifts that are charged; null for types that count working days. */
  shifts: z.int().nullable(),
  /** Names of the approvers. */
  approvers: z.array(z.string()),
  /** True: a document is required. */
  documentNeeded: z.boolean(),
  /** Reasons of a refusal, by field. */
  problems: z.record(z.string(), z.string()),
})
export type LeavePreview = z.output<typeof LeavePreview>

/** Absences of a team on each day of a request, for approvers. */
export const LeaveCoverage = z.object({
  /** People of the department, including the person. */
  team: z.int(),
  days: z.array(
    z.object({
      date: z.string(),
      /** Name of a holiday, `Weekend`, or null for a working day. */
      off: z.string().nullable(),
      /** Colleagues on leave, or on a weekly day off of their own. */
      away: z.array(z.object({ userId: z.int(), name: z.string(), status: z.enum(['approved', 'pending', 'dayOff']) })),
    }),
  ),
  /** Planned shifts of the person that would become vacant. */
  shifts: z.array(z.object({ date: z.string(), name: z.string(), startsAt: instant, endsAt: instant })),
})
export type LeaveCoverage = z.output<typeof LeaveCoverage>

const Approver = z.object({
  userId: z.int(),
  name: z.string(),
  substituteId: z.int().nullable(),
  substituteName: z.string().nullable(),
  /** True: on leave today, so that the substitute is notified instead. */
  away: z.boolean(),
  /** False: the approver lacks the permission to decide. */
  mayReview: z.boolean(),
})
/** Approvers of a department; `null` for the default list. */
export const LeaveApprovers = z.object({
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  /** True: the department has no list of its own and uses the default list. */
  inherited: z.boolean(),
  version: z.int(),
  approvers: z.array(Approver),
})
export type LeaveApprovers = z.output<typeof LeaveApprovers>

/** A person with balances per leave type in a year. */
export const LeaveEmployee = z.object({
  /** Id of the person, the same as `userId`. */
  id: z.int(),
  userId: z.int(),
  name: z.string(),
  username: z.string(),
  departmentId: z.int().nullable(),
  departmentName: z.string().nullable(),
  hiredAt: z.string().nullable(),
  year: z.int(),
  /** Rises with each change of the entitlements. */
  version: z.int(),
  balances: z.array(LeaveBalance),
})
export type LeaveEmployee = z.output<typeof LeaveEmployee>
export const LeaveAccount = LeaveEmployee.extend({
  /** All ledger entries of the year, newest first. */
  ledger: z.array(LeaveEntry),
})
export type LeaveAccount = z.output<typeof LeaveAccount>

/** Working days and hours of a person from a day on. */
export const WorkingWeek = z.object({
  ...stored,
  from: z.string(),
  /** Minutes from Monday to Sunday, 0 for a day off; null: as the workplace. */
  minutes: z.array(z.int()).nullable(),
})
export type WorkingWeek = z.output<typeof WorkingWeek>

export const WorkingDays = z.object({
  userId: z.int(),
  name: z.string(),
  /** Latest first. */
  items: z.array(WorkingWeek),
  /** Where the person has no working days of their own: weekend and minutes of a day. */
  weekend: z.array(z.int()),
})
export type WorkingDays = z.output<typeof WorkingDays>

export const LeaveFeed = z.object({
  active: z.boolean(),
  createdAt: instant.nullable(),
  /** When a calendar program last requested the feed. */
  lastReadAt: instant.nullable(),
})

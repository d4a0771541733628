import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { ChangedLeave } from '../leaves/changedLeaves.ts'
import { leaveEffects, shiftColour, shiftSource, shiftStatus, swapRules, swapStatuses, wishKinds } from './values.ts'

const clock = z.string()
/** Hours, exact to 1/420; screens round them. */
const hours = z.number()

export const ShiftType = z.object({
  ...stored,
  name: z.string(),
  /** One to three letters for narrow cells. */
  code: z.string(),
  startTime: clock,
  /** An end at or before the start is on the next day. */
  endTime: clock,
  breakMinutes: z.int(),
  colour: shiftColour,
  isActive: z.boolean(),
  /** Weighted hours of a shift of this type under the current settings. */
  hours,
  nightHours: z.number(),
  /** Percentage of the people whose future shifts have followed the latest change; below 100 while the worker updates them. */
  progress: z.int(),
})
export type ShiftType = z.output<typeof ShiftType>

export const Shift = z.object({
  ...stored,
  /** Null: an open shift. */
  userId: z.int().nullable(),
  userName: z.string().nullable(),
  departmentId: z.int().nullable(),
  date: z.string(),
  shiftTypeId: z.int(),
  /** Name of the shift type when the shift was planned. */
  name: z.string(),
  code: z.string(),
  colour: shiftColour,
  startTime: clock,
  endTime: clock,
  breakMinutes: z.int(),
  startsAt: instant,
  endsAt: instant,
  /** Time zone of the times of day. */
  timeZone: z.string(),
  /** Weighted hours by wall clock; a night hour counts 8/7. */
  hours,
  nightHours: z.number(),
  /** Minutes by which a clock change makes the shift longer, or, if negative, shorter than its wall clock times. */
  clockChange: z.int(),
  status: shiftStatus,
  source: shiftSource,
  automationId: z.int().nullable(),
  /** True: created by an automation and edited later. Automations no longer change the shift. */
  edited: z.boolean(),
  /** For an open shift: the person whose leave opened the shift. */
  freedFrom: z.string().nullable(),
})
export type Shift = z.output<typeof Shift>

/** Conflicts of a planned shift. The first four refuse the shift, the others are warnings. */
export const conflictKinds = [
  'overlap',
  'closed',
  'leave',
  'gone',
  'rest',
  'holiday',
  'dayOff',
  'week',
  'nights',
  'wish',
  /** Not of the shift itself: a leave by shifts or hours takes other days then. */
  'charge',
] as const
export const Conflict = z.object({
  userId: z.int().nullable(),
  name: z.string(),
  date: z.string(),
  kind: z.enum(conflictKinds),
  /** False: the conflict is only a warning. */
  refuses: z.boolean(),
  /** For example "has Night 22:00–06:00 from 3 Nov". */
  text: z.string(),
  /** The conflicting shift and its version. */
  shiftId: z.int().nullable(),
  version: z.int().nullable(),
})
export type Conflict = z.output<typeof Conflict>

/** A leave that a plan charges anew, for planners, who know its person; lists have the first 200. */
const ChargedLeave = ChangedLeave.omit({ userId: true, status: true }).extend({ userName: z.string() })

/** Result, or preview, of a plan. */
export const Outcome = z.object({
  /** Null: nothing changed, or a preview. */
  batchId: z.int().nullable(),
  made: z.int(),
  removed: z.int(),
  /** Added weighted hours per person. */
  hours: z.array(z.object({ userId: z.int(), name: z.string(), hours })),
  conflicts: z.array(Conflict),
  leaves: z.array(ChargedLeave),
})
export type Outcome = z.output<typeof Outcome>

/** A change of many shifts that can be undone as a whole. */
export const Batch = z.object({
  id: z.int(),
  at: instant,
  by: z.string(),
  text: z.string(),
  /** First and last day of the shifts; null if there are none. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  made: z.int(),
  removed: z.int(),
  /** Number of drafts that were published. */
  published: z.int(),
  undoneAt: instant.nullable(),
  undoneBy: z.string().nullable(),
})
export type Batch = z.output<typeof Batch>

export const ShiftNote = z.object({
  ...stored,
  userId: z.int(),
  userName: z.string(),
  date: z.string(),
  content: z.string(),
  by: z.string(),
})
export type ShiftNote = z.output<typeof ShiftNote>

const Member = z.object({ id: z.int(), name: z.string() })

export const ShiftTeam = z.object({
  ...stored,
  name: z.string(),
  departmentId: z.int(),
  departmentName: z.string(),
  /** Valid from this day until the department has a later team of the same name. */
  date: z.string(),
  memberIds: z.array(z.int()),
  members: z.array(Member),
})
export type ShiftTeam = z.output<typeof ShiftTeam>

export const ShiftAutomation = z.object({
  ...stored,
  name: z.string(),
  /** Exactly one of these three is set. */
  userId: z.int().nullable(),
  teamId: z.int().nullable(),
  departmentId: z.int().nullable(),
  /** Names of the people, the team or the department. */
  who: z.string(),
  people: z.int(),
  /** Shift types per day from the start date on, repeated; null is a day off. */
  pattern: z.array(z.int().nullable()),
  startDate: z.string(),
  endDate: z.string().nullable(),
  /** Offset in days between a person and the previous one. */
  stagger: z.int(),
  onHoliday: z.enum(['work', 'skip']),
  onLeave: z.enum(['work', 'skip']),
  status: z.enum(['draft', 'published']),
  /** Days planned ahead. */
  weeksAhead: z.int(),
  isActive: z.boolean(),
  plannedTo: z.string().nullable(),
  /** Percentage of the people whose shifts follow the latest change; below 100 while the worker plans them. */
  progress: z.int(),
})
export type ShiftAutomation = z.output<typeof ShiftAutomation>

/** Result, or preview, of a run of an automation. */
export const Run = z.object({
  from: z.string(),
  to: z.string(),
  made: z.int(),
  changed: z.int(),
  removed: z.int(),
  /** Skipped days: edited by a person, another shift, a closed month, a leave, a holiday, a clock change. */
  kept: z.object({
    edited: z.int(),
    overlap: z.int(),
    closed: z.int(),
    leave: z.int(),
    holiday: z.int(),
    /** The times do not exist on that day: the clocks are put forward. */
    clocks: z.int(),
    /** The person does not work on that day of the week, has not begun yet, or has left by then. */
    off: z.int(),
  }),
  leaves: z.array(ChargedLeave),
})
export type Run = z.output<typeof Run>

/** Hours of one person in one month. */
export const ShiftStatistic = z.object({
  userId: z.int(),
  name: z.string(),
  departmentId: z.int().nullable(),
  /** First day of the month. */
  month: z.string(),
  shifts: z.int(),
  /** Hours by wall clock without breaks. */
  hours,
  /** Hours that passed, without breaks: the night of a clock change has an hour more or less than by the clock. */
  workedHours: hours,
  nightHours: z.number(),
  weightedHours: hours,
  /**
   * Working days of the month (without weekends, holidays and leaves) times the daily norm, or the hours of the person's
   * own working days. 0 for people whom no roster plans.
   */
  normHours: hours,
  /** Weighted hours minus the norm. */
  difference: hours,
})
export type ShiftStatistic = z.output<typeof ShiftStatistic>

/** The same figures for any range of days. */
export const ShiftHours = ShiftStatistic.omit({ month: true })
export type ShiftHours = z.output<typeof ShiftHours>

/** Staffing per hour of a day: the lowest number at any minute of the hour. */
export const CoverageDay = z.object({
  date: z.string(),
  people: z.array(z.int()).length(24),
  minimum: z.array(z.int()).length(24),
})
export type CoverageDay = z.output<typeof CoverageDay>

/** Minimum staffing of a department, or of the organisation: 7 × 24 figures from Monday 00:00. */
export const ShiftMinimum = z.object({
  departmentId: z.int().nullable(),
  version: z.int(),
  minimum: z.array(z.int()).length(168),
  /** Weekend of the workplace; 1 is Monday. */
  weekend: z.array(z.int()),
})
export type ShiftMinimum = z.output<typeof ShiftMinimum>

export const ShiftSettings = z.object({
  version: z.int(),
  nightFrom: z.int(),
  nightTo: z.int(),
  nightNumerator: z.int(),
  nightDenominator: z.int(),
  /** Norm of a working day in minutes. */
  dayNormMinutes: z.int(),
  /** Minimum rest between two shifts of a person in minutes; less is a warning. */
  restMinutes: z.int(),
  /** More worked minutes in a week are a warning; 0: no limit. */
  weekMinutes: z.int(),
  /** More nights in a row are a warning; 0: no limit. */
  nightsInRow: z.int(),
  /** Effect of an approved leave on the person's published shifts. */
  onLeave: z.enum(leaveEffects),
  /** Next step after a colleague accepts a swap. */
  swaps: z.enum(swapRules),
  /** Percentage of the people whose future shifts count by the night hours; below 100 while the worker updates them. */
  progress: z.int(),
})
export type ShiftSettings = z.output<typeof ShiftSettings>

export const ShiftMonth = z.object({
  month: z.string(),
  closedAt: instant,
  closedBy: z.string(),
})
export type ShiftMonth = z.output<typeof ShiftMonth>

const Swapped = z.object({
  userId: z.int(),
  userName: z.string(),
  /** The shift that this person gives away; null if the person only takes a shift. */
  shiftId: z.int().nullable(),
  date: z.string().nullable(),
  /** "Early 06:00–14:00 on Mon 1 Mar" */
  text: z.string().nullable(),
})

/** A swap of two shifts, or a shift that one person takes from another. */
export const Swap = z.object({
  ...stored,
  status: z.enum(swapStatuses),
  /** Who offered the swap, and who was asked or took the shift. */
  from: Swapped,
  /** The person is null while the shift is offered to everybody. */
  to: Swapped.extend({ userId: z.int().nullable(), userName: z.string().nullable() }),
  /** True: the shift was offered to everybody who may take it. */
  toAll: z.boolean(),
  note: z.string().nullable(),
  /** Reason of a decline or refusal, or why the swap is void. */
  message: z.string().nullable(),
  decidedBy: z.string().nullable(),
  /** Actions on the swap that the caller may take now. */
  may: z.array(z.enum(['answer', 'withdraw', 'decide'])),
})
export type Swap = z.output<typeof Swap>

/** A wish of a person for a span of days, or for some weekdays within the span. */
export const ShiftWish = z.object({
  ...stored,
  userId: z.int(),
  kind: z.enum(wishKinds),
  from: z.string(),
  to: z.string(),
  /** Days of the week, 1 is Monday; empty: each day. */
  weekdays: z.array(z.int()),
  /** Only shifts of this type. */
  shiftTypeId: z.int().nullable(),
  shiftTypeName: z.string().nullable(),
  note: z.string().nullable(),
})
export type ShiftWish = z.output<typeof ShiftWish>

/** A roster: people, shifts and days. */
export const Roster = z.object({
  from: z.string(),
  to: z.string(),
  people: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      departmentId: z.int().nullable(),
      departmentName: z.string().nullable(),
    }),
  ),
  shifts: z.array(Shift),
  /** People with shifts of a department that is not theirs. */
  guests: z.array(z.object({ userId: z.int(), departmentId: z.int() })),
  /** Number of drafts on these days, of people who have some; only planners see drafts. */
  drafts: z.array(z.object({ userId: z.int(), count: z.int() })),
  /** Approved leaves per person and date range; planners also get leaves that wait for a decision. */
  leaves: z.array(
    z.object({
      userId: z.int(),
      from: z.string(),
      to: z.string(),
      /** Minutes after midnight at which the leave begins on its first day: above 0 for an afternoon. */
      fromMinute: z.int(),
      /** Minutes after midnight at which the leave ends on its last day: below 1440 for a morning. */
      toMinute: z.int(),
      label: z.string(),
      pending: z.boolean(),
    }),
  ),
  /** Wishes: planners get all, other people only their own. */
  wishes: z.array(ShiftWish),
  /** Days on which the workplace works and the person, by working days of their own, does not. */
  daysOff: z.array(z.object({ userId: z.int(), date: z.string() })),
  /** Holidays and weekend of the requested department, or else of the organisation. */
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
  /** Days of the week; 1 is Monday. */
  weekend: z.array(z.int()),
  /** Holidays and weekend of each department of these people. */
  places: z.array(
    z.object({
      departmentId: z.int(),
      timeZone: z.string(),
      holidays: z.array(z.object({ date: z.string(), name: z.string() })),
      weekend: z.array(z.int()),
    }),
  ),
  notes: z.array(ShiftNote),
  closedMonths: z.array(z.string()),
  /** Rest between two shifts of a person below which a plan warns. */
  restMinutes: z.int(),
})
export type Roster = z.output<typeof Roster>

import * as z from 'zod'
import { instant, stored } from './kit.ts'
import { shiftColour, shiftSource, shiftStatus } from './shifts/values.ts'

const clock = z.string()
/** Hours, exact to 1/420; screens round them. */
const hours = z.number()

export const ShiftType = z.object({
  ...stored,
  name: z.string(),
  /** One to three letters for a cell that has no room for more. */
  code: z.string(),
  startTime: clock,
  /** At or before the start: on the next day. */
  endTime: clock,
  breakMinutes: z.int(),
  colour: shiftColour,
  isActive: z.boolean(),
  /** Weighted, as a shift of it counts under the settings of now. */
  hours,
  nightHours: z.number(),
})
export type ShiftType = z.output<typeof ShiftType>

export const Shift = z.object({
  ...stored,
  /** Null: open, nobody has it yet. */
  userId: z.int().nullable(),
  userName: z.string().nullable(),
  departmentId: z.int().nullable(),
  date: z.string(),
  shiftTypeId: z.int(),
  /** As the type was called when it was planned, or worked. */
  name: z.string(),
  code: z.string(),
  colour: shiftColour,
  startTime: clock,
  endTime: clock,
  breakMinutes: z.int(),
  startsAt: instant,
  endsAt: instant,
  /** The zone that its times of day are of. */
  timeZone: z.string(),
  /** Weighted by the clock: a night hour counts 8/7. */
  hours,
  nightHours: z.number(),
  /** By how many minutes it lasts longer (or, less than zero, shorter) than the clock says: clocks are changed meanwhile. */
  clockChange: z.int(),
  status: shiftStatus,
  source: shiftSource,
  automationId: z.int().nullable(),
  /** Of an automation and changed by somebody since: it stays as they left it. */
  edited: z.boolean(),
})
export type Shift = z.output<typeof Shift>

/** Why a shift cannot be planned; the first four refuse it, the others are worth a look. */
export const conflictKinds = ['overlap', 'closed', 'leave', 'gone', 'rest', 'holiday'] as const
export const Conflict = z.object({
  userId: z.int().nullable(),
  name: z.string(),
  date: z.string(),
  kind: z.enum(conflictKinds),
  /** false: it is only worth a look. */
  refuses: z.boolean(),
  /** "has Night 22:00–06:00 from 3 Nov" */
  text: z.string(),
  /** The shift that is in the way, and its version. */
  shiftId: z.int().nullable(),
  version: z.int().nullable(),
})
export type Conflict = z.output<typeof Conflict>

/** What a plan would do, or has done. */
export const Outcome = z.object({
  /** Null: nothing was changed, or it was a preview. */
  batchId: z.int().nullable(),
  made: z.int(),
  removed: z.int(),
  /** Weighted hours that it adds, by person. */
  hours: z.array(z.object({ userId: z.int(), name: z.string(), hours })),
  conflicts: z.array(Conflict),
})
export type Outcome = z.output<typeof Outcome>

/** A change of many shifts that can be taken back as one. */
export const Batch = z.object({
  id: z.int(),
  at: instant,
  by: z.string(),
  text: z.string(),
  made: z.int(),
  removed: z.int(),
  /** Drafts that became what their people see. */
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
  /** From this day on, until the department has a later one of the same name. */
  date: z.string(),
  memberIds: z.array(z.int()),
  members: z.array(Member),
})
export type ShiftTeam = z.output<typeof ShiftTeam>

export const ShiftAutomation = z.object({
  ...stored,
  name: z.string(),
  /** One of the three says who. */
  userId: z.int().nullable(),
  teamId: z.int().nullable(),
  departmentId: z.int().nullable(),
  /** What they are called. */
  who: z.string(),
  people: z.int(),
  /** Shift types by day, from the start date on, again and again; null is a free day. */
  pattern: z.array(z.int().nullable()),
  startDate: z.string(),
  endDate: z.string().nullable(),
  /** Days by which each person is behind the one before. */
  stagger: z.int(),
  onHoliday: z.enum(['work', 'skip']),
  onLeave: z.enum(['work', 'skip']),
  status: z.enum(['draft', 'published']),
  /** Kept planned this far ahead. */
  weeksAhead: z.int(),
  isActive: z.boolean(),
  plannedTo: z.string().nullable(),
})
export type ShiftAutomation = z.output<typeof ShiftAutomation>

/** What a run of an automation did, or would do. */
export const Run = z.object({
  from: z.string(),
  to: z.string(),
  made: z.int(),
  changed: z.int(),
  removed: z.int(),
  /** Days left alone: edited by somebody, something else is planned, a closed month, a leave, a holiday. */
  kept: z.object({
    edited: z.int(),
    overlap: z.int(),
    closed: z.int(),
    leave: z.int(),
    holiday: z.int(),
  }),
})
export type Run = z.output<typeof Run>

/** Of one person in one month. */
export const ShiftStatistic = z.object({
  userId: z.int(),
  name: z.string(),
  departmentId: z.int().nullable(),
  /** Its first day. */
  month: z.string(),
  shifts: z.int(),
  /** By the clock, less breaks. */
  hours,
  nightHours: z.number(),
  weightedHours: hours,
  /** Working days of the month (no weekends, no holidays, no leave) at the day's norm. */
  normHours: hours,
  /** Weighted less norm. */
  difference: hours,
})
export type ShiftStatistic = z.output<typeof ShiftStatistic>

/** How many are there in each hour of a day: the fewest at any minute of it. */
export const CoverageDay = z.object({
  date: z.string(),
  people: z.array(z.int()).length(24),
  minimum: z.array(z.int()).length(24),
})
export type CoverageDay = z.output<typeof CoverageDay>

/** Minimum staffing of a department, or of everybody: 7 × 24 figures, Monday 00:00 first. */
export const ShiftMinimum = z.object({
  departmentId: z.int().nullable(),
  version: z.int(),
  minimum: z.array(z.int()).length(168),
  /** Days of the week on which nobody works there, 1 is Monday. */
  weekend: z.array(z.int()),
})
export type ShiftMinimum = z.output<typeof ShiftMinimum>

export const ShiftSettings = z.object({
  version: z.int(),
  nightFrom: z.int(),
  nightTo: z.int(),
  nightNumerator: z.int(),
  nightDenominator: z.int(),
  /** Minutes that a working day has. */
  dayNormMinutes: z.int(),
  /** Between two shifts of a person; less is a warning. */
  restMinutes: z.int(),
})
export type ShiftSettings = z.output<typeof ShiftSettings>

export const ShiftMonth = z.object({
  month: z.string(),
  closedAt: instant,
  closedBy: z.string(),
})
export type ShiftMonth = z.output<typeof ShiftMonth>

/** A roster: who, what they work, and what the days are. */
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
  /** Approved absences, by person and day range. */
  leaves: z.array(z.object({ userId: z.int(), from: z.string(), to: z.string(), label: z.string() })),
  holidays: z.array(z.object({ date: z.string(), name: z.string() })),
  /** Days of the week, 1 is Monday. */
  weekend: z.array(z.int()),
  notes: z.array(ShiftNote),
  closedMonths: z.array(z.string()),
})
export type Roster = z.output<typeof Roster>

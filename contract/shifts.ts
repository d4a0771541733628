import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from './kit.ts'
import {
  Batch,
  CoverageDay,
  Outcome,
  Roster,
  Run,
  Shift,
  ShiftAutomation,
  ShiftMinimum,
  ShiftMonth,
  ShiftNote,
  ShiftSettings,
  ShiftStatistic,
  ShiftTeam,
  ShiftType,
} from './shiftShapes.ts'
import { clockTime, shiftColour, shiftDay, shiftMonth, shiftStatus } from './shifts/values.ts'

export * from './shiftShapes.ts'
export * from './shifts/duration.ts'
export * from './shifts/values.ts'

/** Shifts: people §3 Shift…, §7 Shifts, §9 Shift duration. */
const base = '/calendar/shifts'

/** Text too, as queries and bodies of DELETE send it. */
const flag = z.union([z.boolean(), z.stringbool()])
const pause = whole(0, 720)
const code = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}]{1,3}$/u, 'One to three letters or digits')

const typeFields = {
  name: line(60),
  code,
  startTime: clockTime,
  endTime: clockTime,
  breakMinutes: pause,
  colour: shiftColour,
  isActive: z.boolean(),
}
const typeChange = {
  name: typeFields.name.optional(),
  code: code.optional(),
  startTime: clockTime.optional(),
  endTime: clockTime.optional(),
  breakMinutes: pause.optional(),
  colour: shiftColour.optional(),
  isActive: z.boolean().optional(),
}
/** The times of one shift, where they are not those of its type. */
const own = { startTime: clockTime.optional(), endTime: clockTime.optional(), breakMinutes: pause.optional() }
const planned = z.enum(['draft', 'published'])
const range = { from: filter(shiftDay), to: filter(shiftDay) }
const span = { from: shiftDay, to: shiftDay }
const whose = { departmentId: filter(id), userIds: filter(csv(id)) }
const listed = z.object({ items: z.array(Shift), total: z.int() })
const someIds = z.array(id).max(500)

/** One shift of a plan. `replaces`: what the planner saw there and wants gone. */
const Cell = z.object({ userId: id, date: shiftDay, shiftTypeId: id, ...own })
const Replaced = z.object({ id, version })
const plan = {
  cells: z.array(Cell).max(8000).default([]),
  remove: z.array(Replaced).max(8000).default([]),
  status: planned.default('draft'),
}
const copy = {
  /** Days that are copied, and the day that the first of them becomes. */
  ...span,
  into: shiftDay,
  times: whole(1, 12).default(1),
  departmentId: id.optional(),
  userIds: someIds.optional(),
  status: planned.default('draft'),
}
const pattern = z
  .array(id.nullable())
  .min(1, 'At least one day')
  .max(84, 'At most twelve weeks')
  .refine((days) => days.some((day) => day !== null), 'At least one day with a shift')
const automationFields = {
  userId: id.nullable().optional(),
  teamId: id.nullable().optional(),
  departmentId: id.nullable().optional(),
  endDate: shiftDay.nullable().optional(),
  stagger: whole(0, 83).optional(),
  onHoliday: z.enum(['work', 'skip']).optional(),
  onLeave: z.enum(['work', 'skip']).optional(),
  status: planned.optional(),
  weeksAhead: whole(1, 104).optional(),
  isActive: z.boolean().optional(),
}
const all = z.object({ items: z.array(ShiftAutomation), total: z.int() })
const READ = 'calendar:shift:read'
const PLAN = 'calendar:shift:create'

export const shifts = {
  list: get(base, READ, {
    summary: 'Shifts, by page; planners see drafts, others what is published in their department',
    query: {
      ...listQuery(['date']),
      ...range,
      ...whose,
      date: filter(shiftDay),
      shiftTypeId: filter(csv(id)),
      status: filter(csv(shiftStatus)),
    },
    returns: pageOf(Shift),
  }),
  ofUser: get(`${base}/user/:id`, READ, {
    summary: 'Shifts of a person: of a day, of a range, or of the next 31 days; one’s own need a session alone',
    own: 'id',
    query: { date: filter(shiftDay), ...range },
    returns: listed,
  }),
  bulk: post(`${base}/bulk`, READ, {
    summary: 'Shifts of these people on a day',
    effect: 'read',
    status: 200,
    body: { ids: someIds, date: shiftDay },
    returns: listed,
  }),
  roster: get(`${base}/roster`, READ, {
    summary: 'People, shifts, leaves, holidays and notes of up to 62 days',
    query: { ...span, departmentId: filter(id), search: filter(line(100)) },
    returns: Roster,
  }),
  next: get(`${base}/next`, 'signedIn', {
    summary: 'One’s own next shifts, and the one that is being worked',
    returns: z.object({ items: z.array(Shift), total: z.int(), today: z.string() }),
  }),
  create: post(base, PLAN, {
    summary: 'Plan a shift; with applySameShiftsToTeam for everybody of the team, all or nothing',
    body: {
      /** Null: an open shift, for whoever takes it. */
      userId: id.nullable(),
      date: shiftDay,
      shiftTypeId: id,
      ...own,
      status: planned.default('published'),
      departmentId: id.optional(),
      applySameShiftsToTeam: flag.default(false),
    },
    returns: Shift.extend({ batchId: z.int().nullable(), made: z.int() }),
  }),
  update: patch(`${base}/:id`, PLAN, {
    summary: 'Move a shift, change its times, give it to somebody else',
    params: { id },
    body: {
      version,
      userId: id.optional(),
      date: shiftDay.optional(),
      shiftTypeId: id.optional(),
      ...own,
      status: planned.optional(),
    },
    returns: Shift,
  }),
  take: post(`${base}/:id/take`, 'signedIn', {
    summary: 'Take an open shift of one’s department',
    params: { id },
    body: { version },
    status: 200,
    returns: Shift,
  }),
  remove: del(base, 'calendar:shift:delete', {
    summary:
      'Take the shifts of a person off a day, with applySameShiftsToTeam those of the whole team; or one by its id',
    body: {
      userId: id.optional(),
      date: shiftDay.optional(),
      applySameShiftsToTeam: flag.default(false),
      id: id.optional(),
      version,
    },
    status: 204,
  }),
  preview: post(`${base}/preview`, PLAN, {
    summary: 'What a plan would do, and what is in its way',
    effect: 'read',
    status: 200,
    body: plan,
    returns: Outcome,
  }),
  plan: post(`${base}/plan`, PLAN, {
    summary: 'Plan many shifts at once, all or nothing; 409 with the conflicts',
    body: plan,
    returns: Outcome,
  }),
  previewCopy: post(`${base}/copy/preview`, PLAN, {
    summary: 'What copying these days would do',
    effect: 'read',
    status: 200,
    body: copy,
    returns: Outcome,
  }),
  copy: post(`${base}/copy`, PLAN, {
    summary: 'Copy a week, or any days, once or several times one after the other; all or nothing',
    body: copy,
    returns: Outcome,
  }),
  publish: post(`${base}/publish`, PLAN, {
    summary: 'Publish the drafts of a range; their people are told, also when it is taken back',
    status: 200,
    body: { ...span, departmentId: id.optional(), userIds: someIds.optional() },
    returns: z.object({ published: z.int(), people: z.int(), batchId: z.int().nullable() }),
  }),
  batches: get(`${base}/batches`, PLAN, {
    summary: 'What was planned, copied, removed and published last, newest first',
    returns: z.object({ items: z.array(Batch), total: z.int() }),
  }),
  undo: post(`${base}/batches/:id/undo`, PLAN, {
    summary: 'Take such a change back as a whole; 409 when one of them was changed since',
    params: { id },
    status: 200,
    returns: Batch,
  }),

  automations: get(`${base}/automations`, 'calendar:shift-automation:read', {
    summary: 'All automations',
    returns: all,
  }),
  automationsOfUser: get(`${base}/automations/user/:id`, 'calendar:shift-automation:read', {
    summary: 'The automations that plan for a person; one’s own need a session alone',
    own: 'id',
    returns: all,
  }),
  automation: get(`${base}/automations/id/:id`, 'calendar:shift-automation:read', {
    summary: 'One automation',
    returns: ShiftAutomation,
    aliases: [`${base}/automations/:id`],
  }),
  createAutomation: post(`${base}/automations`, 'calendar:shift-automation:create', {
    summary: 'Add an automation for a person, a team or a department',
    body: { ...automationFields, name: line(80), pattern, startDate: shiftDay },
    returns: ShiftAutomation,
  }),
  updateAutomation: patch(`${base}/automations`, 'calendar:shift-automation:update', {
    summary: 'Change an automation; what it has planned for later follows, but for what somebody edited',
    body: {
      id,
      version,
      ...automationFields,
      name: line(80).optional(),
      pattern: pattern.optional(),
      startDate: shiftDay.optional(),
    },
    returns: ShiftAutomation,
    aliases: [`${base}/automations/:id`, `${base}/automations/id/:id`],
  }),
  removeAutomation: del(`${base}/automations`, 'calendar:shift-automation:delete', {
    summary: 'Delete an automation; its later shifts that nobody edited go, unless they are kept',
    body: { id, version, keepShifts: flag.default(false) },
    status: 204,
    aliases: [`${base}/automations/:id`, `${base}/automations/id/:id`],
  }),
  previewRun: post(`${base}/automations/id/:id/preview`, 'calendar:shift-automation:read', {
    summary: 'What a run would do',
    effect: 'read',
    status: 200,
    body: { from: shiftDay.optional(), to: shiftDay.optional() },
    returns: Run,
  }),
  run: post(`${base}/automations/id/:id/run`, 'calendar:shift-automation:update', {
    summary: 'Plan now, up to a day; twice does nothing twice, and what somebody edited stays',
    status: 200,
    body: { from: shiftDay.optional(), to: shiftDay.optional() },
    returns: Run,
  }),

  notes: get(`${base}/note`, 'calendar:shift-note:read', {
    summary: 'Notes of a day, of a range, or of the month',
    query: { date: filter(shiftDay), ...range, userId: filter(id), departmentId: filter(id) },
    returns: z.object({ items: z.array(ShiftNote), total: z.int() }),
  }),
  addNote: post(`${base}/note`, 'calendar:shift-note:create', {
    summary: 'Write a note to a person’s day',
    body: { userId: id, date: shiftDay, content: z.string().trim().min(1, 'Required').max(2000) },
    returns: ShiftNote,
  }),
  removeNote: del(`${base}/note`, 'calendar:shift-note:delete', {
    summary: 'Delete a note',
    body: { id, version },
    status: 204,
    aliases: [`${base}/note/:id`],
  }),

  teams: get(`${base}/team`, 'calendar:shift-team:read', {
    summary: 'The shift teams of a department, or of all, as they are on a day',
    query: { departmentId: filter(id), date: filter(shiftDay) },
    returns: z.object({ items: z.array(ShiftTeam), total: z.int() }),
  }),
  onShift: get(`${base}/team/:departmentId/:shiftTypeId/:date`, 'calendar:shift-team:read', {
    summary: 'Who of a department works a type of shift on a day',
    params: { departmentId: id, shiftTypeId: id, date: shiftDay },
    returns: z.object({
      departmentId: z.int(),
      shiftTypeId: z.int(),
      date: z.string(),
      members: z.array(z.object({ id: z.int(), name: z.string(), shiftId: z.int() })),
      total: z.int(),
    }),
  }),
  createTeam: post(`${base}/team`, 'calendar:shift-team:create', {
    summary: 'Form a shift team from a day on; one of the same name is succeeded',
    body: { departmentId: id, date: shiftDay, name: line(60).optional(), memberIds: someIds.default([]) },
    returns: ShiftTeam,
  }),
  removeTeam: del(`${base}/team`, 'calendar:shift-team:delete', {
    summary: 'Delete a shift team; the one that it succeeded holds again',
    body: { id, version },
    status: 204,
    aliases: [`${base}/team/:id`],
  }),

  types: get(`${base}/type`, 'calendar:shift-type:read', {
    summary: 'Shift types',
    query: {
      ...listQuery(['name', 'startTime', 'createdAt'], 200),
      search: filter(line(60)),
      isActive: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(ShiftType),
  }),
  type: get(`${base}/type/:id`, 'calendar:shift-type:read', { summary: 'One shift type', returns: ShiftType }),
  createType: post(`${base}/type`, 'calendar:shift-type:create', {
    summary: 'Add a shift type',
    body: { ...typeChange, name: typeFields.name, startTime: clockTime, endTime: clockTime },
    returns: ShiftType,
  }),
  updateType: patch(`${base}/type/:id`, 'calendar:shift-type:update', {
    summary: 'Change a shift type; shifts that have not begun follow, those that were worked stay as they were',
    params: { id },
    body: { ...typeChange, version },
    returns: ShiftType.extend({ shifts: z.int() }),
  }),
  removeType: del(`${base}/type`, 'calendar:shift-type:delete', {
    summary: 'Delete a shift type that nothing later is planned with',
    body: { id, version },
    status: 204,
    aliases: [`${base}/type/:id`],
  }),

  statistics: get('/shift-statistics', READ, {
    summary: 'Hours, night hours and weighted hours against the norm, per person and month of up to 24 months',
    query: {
      userId: filter(id),
      /** A month, by any of its days. */
      date: filter(shiftMonth),
      from: filter(shiftMonth),
      to: filter(shiftMonth),
      departmentId: filter(id),
    },
    returns: z.object({ items: z.array(ShiftStatistic), total: z.int() }),
    aliases: ['/calendar/shift-statistics', `${base}/shift-statistics`],
  }),
  coverage: get(`${base}/coverage`, READ, {
    summary: 'How many are there in each hour, against the minimum',
    query: { ...span, departmentId: filter(id) },
    returns: z.object({ items: z.array(CoverageDay), total: z.int(), weekend: z.array(z.int()) }),
  }),
  minimum: get(`${base}/minimum`, READ, {
    summary: 'The minimum staffing of a department, or of everybody',
    query: { departmentId: filter(id) },
    returns: ShiftMinimum,
  }),
  setMinimum: patch(`${base}/minimum`, 'calendar:shift-type:update', {
    summary: 'Say how many there have to be in each hour of the week',
    body: { departmentId: id.nullable().default(null), minimum: z.array(whole(0, 999)).length(168), version },
    returns: ShiftMinimum,
  }),
  settings: get(`${base}/settings`, READ, {
    summary: 'Night hours and their weight, the norm of a day, rest',
    returns: ShiftSettings,
  }),
  setSettings: patch(`${base}/settings`, 'calendar:shift-type:update', {
    summary: 'Change what counts as night and how much; shifts that have not begun follow',
    body: {
      nightFrom: whole(0, 23).optional(),
      nightTo: whole(0, 23).optional(),
      nightNumerator: whole(1, 100).optional(),
      nightDenominator: whole(1, 100).optional(),
      dayNormMinutes: whole(0, 1440).optional(),
      restMinutes: whole(0, 2880).optional(),
      version,
    },
    returns: ShiftSettings,
  }),
  months: get(`${base}/months`, READ, {
    summary: 'The months that are closed, latest first',
    returns: z.object({ items: z.array(ShiftMonth), total: z.int() }),
  }),
  closeMonth: post(`${base}/months`, 'calendar:shift-type:update', {
    summary: 'Close a month that is over: none of its shifts changes any more',
    body: { month: shiftMonth },
    returns: ShiftMonth,
  }),
  openMonth: del(`${base}/months`, 'calendar:shift-type:update', {
    summary: 'Open a closed month again',
    body: { month: shiftMonth },
    status: 204,
  }),
}

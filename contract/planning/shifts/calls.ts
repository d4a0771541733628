import * as z from 'zod'
import { csv, del, filter, get, id, line, listQuery, pageOf, patch, post, version, whole } from '../../kit/endpoint.ts'
import {
  automationChange,
  automationFields,
  copy,
  own,
  pattern,
  plan,
  planned,
  publication,
  seenLeaves,
  settingsChange,
  typeChange,
  typeFields,
} from './inputs.ts'
import { leaveCalls } from './leaveCalls.ts'
import {
  Batch,
  CoverageDay,
  Outcome,
  Roster,
  Run,
  Shift,
  ShiftAutomation,
  ShiftHours,
  ShiftMinimum,
  ShiftMonth,
  ShiftNote,
  ShiftSettings,
  ShiftStatistic,
  ShiftTeam,
  ShiftType,
} from './shapes.ts'
import { swapCalls } from './swapCalls.ts'
import { clockTime, shiftDay, shiftMonth, shiftStatus } from './values.ts'

export * from './duration.ts'
export * from './shapes.ts'
export * from './values.ts'

/** Shifts: specification people §3 Shift…, §7 Shifts, §9 Shift duration. */
const base = '/calendar/shifts'

/** A boolean. Also accepts text, as in queries and bodies of DELETE. */
const flag = z.union([z.boolean(), z.stringbool()])
/** True: warnings (short rest, holiday, long week, many nights in a row) also refuse the shift with 409. */
const stopAtWarnings = flag.default(false)
const range = { from: filter(shiftDay), to: filter(shiftDay) }
const span = { from: shiftDay, to: shiftDay }
const whose = { departmentId: filter(id), userIds: filter(csv(id)) }
const listed = z.object({ items: z.array(Shift), total: z.int() })
const someIds = z.array(id).max(500)

const all = z.object({ items: z.array(ShiftAutomation), total: z.int() })
const READ = 'calendar:shift:read'
const PLAN = 'calendar:shift:create'

export const shifts = {
  list: get(base, READ, {
    summary: 'Shifts; planners see drafts, others the published shifts of their department',
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
    summary: 'Shifts of a person on a day, in a range, or in the next 31 days; one’s own without a permission',
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
    summary: 'People, shifts, leaves, holidays and notes of up to 62 days; more than 500 people in parts',
    query: {
      ...span,
      departmentId: filter(id),
      search: filter(line(100)),
      /** Only these people, at most 500, without open shifts. */
      userIds: filter(csv(id)),
      /** Everybody’s names and the open shifts, without shifts, leaves, wishes and notes of people. */
      only: filter(z.enum(['people'])),
    },
    returns: Roster,
  }),
  next: get(`${base}/next`, 'signedIn', {
    summary: 'The caller’s current and next shifts',
    returns: z.object({ items: z.array(Shift), total: z.int(), today: z.string() }),
  }),
  create: post(base, PLAN, {
    summary: 'Plan a shift; with applySameShiftsToTeam for all people of the team or none',
    body: {
      /** Null: an open shift that anybody of the department can take. */
      userId: id.nullable(),
      date: shiftDay,
      shiftTypeId: id,
      ...own,
      status: planned.default('published'),
      /** Where the work is done, with the time zone of its workplace; absent: in the person's department. */
      departmentId: id.optional(),
      applySameShiftsToTeam: flag.default(false),
      stopAtWarnings,
    },
    returns: Shift.extend({ batchId: z.int().nullable(), made: z.int() }),
  }),
  update: patch(`${base}/:id`, PLAN, {
    summary: 'Move a shift, change its times or its person',
    params: { id },
    body: {
      version,
      userId: id.optional(),
      date: shiftDay.optional(),
      shiftTypeId: id.optional(),
      ...own,
      status: planned.optional(),
      stopAtWarnings,
    },
    returns: Shift,
  }),
  take: post(`${base}/:id/take`, 'signedIn', {
    summary: 'Take an open shift of the caller’s department',
    params: { id },
    body: { version, stopAtWarnings },
    status: 200,
    returns: Shift,
  }),
  remove: del(base, 'calendar:shift:delete', {
    summary: 'Delete the shifts of a person on a day, with applySameShiftsToTeam of the whole team; or one shift by id',
    body: {
      userId: id.optional(),
      date: shiftDay.optional(),
      applySameShiftsToTeam: flag.default(false),
      id: id.optional(),
      stopAtWarnings,
      version,
    },
    status: 204,
  }),
  preview: post(`${base}/preview`, PLAN, {
    summary: 'Preview a plan and its conflicts',
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
    summary: 'Preview a copy of days',
    effect: 'read',
    status: 200,
    body: copy,
    returns: Outcome,
  }),
  copy: post(`${base}/copy`, PLAN, {
    summary: 'Copy a week or other days, once or repeatedly; all or nothing',
    body: copy,
    returns: Outcome,
  }),
  publish: post(`${base}/publish`, PLAN, {
    summary: 'Publish the drafts of a range and notify their people',
    status: 200,
    body: { ...publication, leaves: seenLeaves },
    returns: z.object({ published: z.int(), people: z.int(), batchId: z.int().nullable() }),
  }),
  batches: get(`${base}/batches`, PLAN, {
    summary: 'Recent changes of the plan, newest first',
    returns: z.object({ items: z.array(Batch), total: z.int() }),
  }),
  undo: post(`${base}/batches/:id/undo`, PLAN, {
    summary: 'Undo a change as a whole; 409 if one of its shifts changed since',
    params: { id },
    body: { leaves: seenLeaves },
    status: 200,
    returns: Batch,
  }),

  ...swapCalls,
  ...leaveCalls,

  automations: get(`${base}/automations`, 'calendar:shift-automation:read', {
    summary: 'All automations',
    returns: all,
  }),
  automationsOfUser: get(`${base}/automations/user/:id`, 'calendar:shift-automation:read', {
    summary: 'Automations of a person; one’s own without a permission',
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
    body: { ...automationFields, name: line(80), pattern, startDate: shiftDay, leaves: seenLeaves },
    returns: ShiftAutomation,
  }),
  updateAutomation: patch(`${base}/automations`, 'calendar:shift-automation:update', {
    summary: 'Change an automation and its future shifts, except edited ones',
    body: { id, version, ...automationChange, leaves: seenLeaves },
    returns: ShiftAutomation,
    aliases: [`${base}/automations/:id`, `${base}/automations/id/:id`],
  }),
  removeAutomation: del(`${base}/automations`, 'calendar:shift-automation:delete', {
    summary: 'Delete an automation and its future unedited shifts, unless they are kept',
    body: { id, version, keepShifts: flag.default(false), leaves: seenLeaves },
    status: 204,
    aliases: [`${base}/automations/:id`, `${base}/automations/id/:id`],
  }),
  previewRun: post(`${base}/automations/id/:id/preview`, 'calendar:shift-automation:read', {
    summary: 'Preview a run of an automation',
    effect: 'read',
    status: 200,
    body: { from: shiftDay.optional(), to: shiftDay.optional() },
    returns: Run,
  }),
  run: post(`${base}/automations/id/:id/run`, 'calendar:shift-automation:update', {
    summary: 'Run an automation up to a day; repeatable, and edited shifts stay',
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
    summary: 'Write a note on a day of a person',
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
    summary: 'Shift teams of a department or of all, on a day',
    query: { departmentId: filter(id), date: filter(shiftDay) },
    returns: z.object({ items: z.array(ShiftTeam), total: z.int() }),
  }),
  onShift: get(`${base}/team/:departmentId/:shiftTypeId/:date`, 'calendar:shift-team:read', {
    summary: 'People of a department with a shift type on a day',
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
    summary: 'Create a shift team from a day on; it succeeds a team of the same name',
    body: { departmentId: id, date: shiftDay, name: line(60).optional(), memberIds: someIds.default([]) },
    returns: ShiftTeam,
  }),
  removeTeam: del(`${base}/team`, 'calendar:shift-team:delete', {
    summary: 'Delete a shift team; the team that it succeeded becomes valid again',
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
    summary: 'Change a shift type and its future shifts; more than 1,000 follow later, and `shifts` is 0 then',
    params: { id },
    body: { ...typeChange, leaves: seenLeaves, version },
    returns: ShiftType.extend({ shifts: z.int() }),
  }),
  removeType: del(`${base}/type`, 'calendar:shift-type:delete', {
    summary: 'Delete a shift type without future shifts',
    body: { id, version },
    status: 204,
    aliases: [`${base}/type/:id`],
  }),

  statistics: get('/shift-statistics', READ, {
    summary: 'Hours, night hours and weighted hours against the norm, per person and month of up to 24 months',
    query: {
      userId: filter(id),
      /** A month, given by any of its days. */
      date: filter(shiftMonth),
      from: filter(shiftMonth),
      to: filter(shiftMonth),
      departmentId: filter(id),
    },
    returns: z.object({ items: z.array(ShiftStatistic), total: z.int() }),
    aliases: ['/calendar/shift-statistics', `${base}/shift-statistics`],
  }),
  hours: get(`${base}/hours`, READ, {
    summary: 'Hours against the norm per person over any range of days, for pay periods that differ from months',
    query: { ...span, departmentId: filter(id) },
    returns: z.object({ items: z.array(ShiftHours), total: z.int() }),
  }),
  coverage: get(`${base}/coverage`, READ, {
    summary: 'Staffing per hour compared with the minimum',
    query: { ...span, departmentId: filter(id) },
    returns: z.object({
      items: z.array(CoverageDay),
      total: z.int(),
      weekend: z.array(z.int()),
      /** The zone of the hours: of the department, or of the organisation. */
      timeZone: z.string(),
    }),
  }),
  minimum: get(`${base}/minimum`, READ, {
    summary: 'Minimum staffing of a department or of the organisation',
    query: { departmentId: filter(id) },
    returns: ShiftMinimum,
  }),
  setMinimum: patch(`${base}/minimum`, 'calendar:shift-type:update', {
    summary: 'Set the minimum staffing per hour of the week',
    body: { departmentId: id.nullable().default(null), minimum: z.array(whole(0, 999)).length(168), version },
    returns: ShiftMinimum,
  }),
  settings: get(`${base}/settings`, READ, {
    summary: 'Settings: night hours and their weight, daily norm, rest, limits, effects of leaves and accepted swaps',
    returns: ShiftSettings,
  }),
  setSettings: patch(`${base}/settings`, 'calendar:shift-type:update', {
    summary: 'Change the settings; they apply to future shifts, of which more than 1,000 follow later',
    body: {
      ...settingsChange,
      leaves: seenLeaves,
      version,
    },
    returns: ShiftSettings,
  }),
  months: get(`${base}/months`, READ, {
    summary: 'Closed months, latest first',
    returns: z.object({ items: z.array(ShiftMonth), total: z.int() }),
  }),
  closeMonth: post(`${base}/months`, 'calendar:shift-type:update', {
    summary: 'Close a past month, so that its shifts cannot change',
    body: { month: shiftMonth },
    returns: ShiftMonth,
  }),
  openMonth: del(`${base}/months`, 'calendar:shift-type:update', {
    summary: 'Reopen a closed month',
    body: { month: shiftMonth },
    status: 204,
  }),
}

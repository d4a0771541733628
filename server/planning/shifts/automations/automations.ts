import { holds } from '@innkeeper/contract/kit/access'
import type { Input } from '@innkeeper/contract/kit/endpoint'
import type { shifts as contract, ShiftAutomation } from '@innkeeper/contract/planning/shifts/calls'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Staff } from '../../../kit/access/sessions.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { foresee } from '../../../kit/db/foresee.ts'
import { given } from '../../../kit/db/given.ts'
import { personName } from '../../../kit/db/people.ts'
import type { Context, Handlers } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { todayIn } from '../../calendar/places.ts'
import { concernsLeaves } from '../../leaves/recharge/charges.ts'
import type { Recharged } from '../../leaves/recharge/recharged.ts'
import { readTypes } from '../planning/cells.ts'
import { type Charged, foreseeCharges, nearbyLeaves, seeing } from '../planning/chargeAnew.ts'
import { followLater, isFollowing, progressOfFollowing, stopFollowing } from '../planning/later.ts'
import { findPerson, plans } from '../roster/people.ts'
import { shiftAutomations } from '../tables.ts'
import { heldBy } from '../teams.ts'
import { checkSize, planAhead, planAll, runSpan, spanOf } from './ahead.ts'
import { partsOf } from './members.ts'
import { areMany, dropLater } from './ownShifts.ts'
import { shownRun } from './runAutomation.ts'

type Row = Omit<ShiftAutomation, 'createdAt' | 'updatedAt' | 'progress'> &
  Record<'createdAt' | 'updatedAt', string | Date>

/** Automations that match the conditions on `a`, by name. */
async function readAutomations(db: Db, where: SQL[], today: string): Promise<ShiftAutomation[]> {
  const found = await rows<Row>(
    db,
    sql`select a.shift_automation_id as id, a.version, a.created_at as "createdAt", a.updated_at as "updatedAt", a.name,
        a.user_id as "userId", a.team_id as "teamId", a.department_id as "departmentId",
        coalesce(${personName('u')}, t.name, d.name, '') as who, a.pattern, a.start_date::text as "startDate",
        a.end_date::text as "endDate", a.stagger, a.on_holiday as "onHoliday", a.on_leave as "onLeave", a.status,
        a.weeks_ahead as "weeksAhead", a.is_active as "isActive", a.planned_to::text as "plannedTo",
        (select count(*) from users m where ${plansFor(today)})::int as people
      from shift_automations a left join users u on u.user_id = a.user_id
      left join shift_teams t on t.shift_team_id = a.team_id left join departments d on d.department_id = a.department_id
      where a.deleted_at is null and ${sql.join(where, sql` and `)} order by lower(a.name), a.shift_automation_id`,
  )
  const progress = await progressOfFollowing(db)
  return found.map((row) => ({
    ...row,
    progress: progress.get(-row.id) ?? 100,
    createdAt: isoOf(row.createdAt),
    updatedAt: isoOf(row.updatedAt),
    pattern: row.pattern.map((type) => type || null),
  }))
}

/**
 * Condition: automation `a` plans for `users m`. The same rule as `membersOf`, but for all automations in one query.
 */
const plansFor = (today: string): SQL => sql`m.deleted_at is null
  and (m.user_id = a.user_id or m.department_id = a.department_id or m.user_id = any((${heldBy(today, sql`a.team_id`)})::int[]))`

/**
 * Condition on a department: planners and people who create automations reach all, others their own, as with shifts and
 * teams.
 */
const within = (staff: Staff, department: SQL): SQL =>
  plans(staff) || holds(staff, 'calendar:shift-automation:create')
    ? sql`true`
    : sql`${department} = ${staff.departmentId ?? 0}`

/** Condition on `a`, its person `u` and its team `t` for the automations that a person may see. */
const visibleTo = (staff: Staff): SQL =>
  sql`(a.user_id = ${staff.id} or ${within(staff, sql`coalesce(a.department_id, t.department_id, u.department_id)`)})`

type Reading = Pick<Context, 'db' | 'now'> & Partial<Pick<Context, 'staff'>>

/** An automation; 404 also for an automation that the caller may not see. */
async function readAutomation({ db, now, staff }: Reading, id: number): Promise<ShiftAutomation> {
  const where = [sql`a.shift_automation_id = ${id}`, ...(staff ? [visibleTo(staff)] : [])]
  const [found] = await readAutomations(db, where, await todayIn(db, now))
  if (!found) throw notFound('shift automation', id)
  return found
}

/** Applies a changed or removed automation to the future shifts of a part of its people. */
export async function followAutomation(
  context: Pick<Context, 'db' | 'now'>,
  id: number,
  userIds: readonly number[],
): Promise<{ done: number; leaves: Recharged[] }> {
  const { db, now } = context
  // before balances and plans, as a run by hand
  const [row] = await rows<{ name: string }>(
    db,
    sql`select name from shift_automations where shift_automation_id = ${id} for update`,
  )
  const [automation] = await readAutomations(db, [sql`a.shift_automation_id = ${id}`], await todayIn(db, now))
  if (automation?.isActive) return planAll(context, automation, new Set(userIds))
  if (automation) return { done: 0, leaves: [] }
  const part = sql`s.user_id = any(${sql.param([...userIds])}::int[])`
  const { value, leaves } = await dropLater(db, { id, name: row?.name ?? '' }, now, part)
  return { done: value, leaves }
}

/** Locks the automation until the transaction ends, so that two runs wait for each other. 409 for another version. */
export async function holdAutomation(context: Reading, id: number, version?: number): Promise<ShiftAutomation> {
  await context.db
    .select({ id: shiftAutomations.id })
    .from(shiftAutomations)
    .where(eq(shiftAutomations.id, id))
    .for('update')
  const automation = await readAutomation(context, id)
  checkVersion(automation, version, automation.name)
  return automation
}

type Calls =
  | 'automations'
  | 'automationsOfUser'
  | 'automation'
  | 'createAutomation'
  | 'updateAutomation'
  | 'removeAutomation'
  | 'newAutomationLeaves'
  | 'automationLeaves'
  | 'automationRemovalLeaves'
  | 'previewRun'
  | 'run'

export const automationHandlers: Pick<Handlers<typeof contract>, Calls> = {
  async automations(_, { db, now, staff }) {
    const items = await readAutomations(db, [visibleTo(staff)], await todayIn(db, now))
    return { items, total: items.length }
  },

  async automationsOfUser({ id }, { db, now, staff }) {
    await findPerson(db, id)
    const today = await todayIn(db, now)
    const theirs = sql`exists (select from users m where m.user_id = ${id} and ${plansFor(today)})`
    const items = await readAutomations(db, [theirs, visibleTo(staff)], today)
    return { items, total: items.length }
  },

  automation: ({ id }, context) => readAutomation(context, id),

  async createAutomation({ leaves, ...fields }, context) {
    const { db, audit } = context
    const id = await seeing(context, leaves, () => add(context, fields))
    const automation = await readAutomation(context, id)
    audit.after(automation)
    await changed(db, 'shifts')
    return automation
  },

  async updateAutomation({ id, version, leaves, ...change }, context) {
    const { db, audit } = context
    await isFollowing(db, { automationId: id })
    const before = await holdAutomation(context, id, version)
    await seeing(context, leaves, () => alter(context, before, change))
    const automation = await readAutomation(context, id)
    audit.before(before)
    audit.after(automation)
    await changed(db, 'shifts')
    return automation
  },

  async removeAutomation({ id, version, keepShifts, leaves }, context) {
    const { db, audit, staff, now } = context
    const isRunning = await isFollowing(db, { automationId: id })
    const automation = await holdAutomation(context, id, version)
    audit.before(automation)
    if (keepShifts) await stopFollowing(db, { automationId: id })
    else if (isRunning || (await areMany(db, id, now))) await followLater(db, { automationId: id }, staff, now)
    else await seeing(context, leaves, () => dropLater(db, automation, now))
    await db
      .update(shiftAutomations)
      .set({ deletedAt: sql`now()`, version: sql`version + 1` })
      .where(eq(shiftAutomations.id, id))
    await changed(db, 'shifts')
  },

  newAutomationLeaves: (input, context) => foreseeCharges(context, (inner) => add(inner, input)),
  automationLeaves: ({ id, ...change }, context) =>
    foreseeCharges(context, async (inner) => alter(inner, await holdAutomation(inner, id), change)),
  automationRemovalLeaves: ({ id }, context) =>
    foreseeCharges(context, async (inner) => {
      const automation = await holdAutomation(inner, id)
      return (await areMany(inner.db, id, inner.now))
        ? { value: 0, leaves: [] }
        : dropLater(inner.db, automation, inner.now)
    }),

  async previewRun({ id, from, to }, context) {
    const automation = await readAutomation(context, id)
    const span = await spanOf(context, automation, from, to)
    checkSize(automation, span)
    const run = await runSpan(context, automation, span, 'preview')
    return shownRun({ ...run, leaves: await leavesOf(context, automation, span) }, context.staff)
  },

  async run({ id, from, to }, context) {
    const automation = await holdAutomation(context, id)
    const span = await spanOf(context, automation, from, to)
    checkSize(automation, span)
    const done = shownRun(await runSpan(context, automation, span, 'write'), context.staff)
    context.audit.after(done)
    await changed(context.db, 'shifts')
    return done
  },
}

type New = Input<typeof contract.newAutomationLeaves, 'out'>
type Change = Omit<Input<typeof contract.automationLeaves, 'out'>, 'id'>

async function add(context: Context, { pattern, ...fields }: New): Promise<Charged<number>> {
  const { db, staff } = context
  const requested = { ...given(fields), pattern: pattern.map((type) => type ?? 0) }
  const { name, startDate } = fields
  await check(context, { userId: null, teamId: null, departmentId: null, endDate: null, ...requested, startDate })
  const [made] = await db
    .insert(shiftAutomations)
    .values({ ...requested, name, startDate, createdBy: staff.id })
    .returning({ id: shiftAutomations.id })
  const id = made!.id // one inserted row returns one row
  return { value: id, leaves: await planAhead(context, await readAutomation(context, id)) }
}

async function alter(context: Context, before: ShiftAutomation, { pattern, ...change }: Change) {
  const { id } = before
  const requested = { ...given(change), ...(pattern && { pattern: pattern.map((type) => type ?? 0) }) }
  await check(context, { ...before, pattern: before.pattern.map((type) => type ?? 0), ...requested })
  await context.db
    .update(shiftAutomations)
    .set({ ...requested, ...nextVersion })
    .where(eq(shiftAutomations.id, id))
  return { value: undefined, leaves: await planAhead(context, await readAutomation(context, id)) }
}

/** The leaves that a run would charge anew: runs, and takes it back, where a leave is charged by the roster. */
async function leavesOf(context: Context, automation: ShiftAutomation, span: { from: string; to: string }) {
  const { db } = context
  const userIds = (await partsOf(db, automation, span.from, span.to)).flatMap(({ people }) =>
    people.map(({ id }) => id),
  )
  if (!(await concernsLeaves(db, nearbyLeaves({ userIds, dates: [span.from, span.to] })))) return []
  return (await foresee(db, (tx) => runSpan({ ...context, db: tx }, automation, span, 'write'))).leaves
}

interface Wanted {
  userId?: number | null
  teamId?: number | null
  departmentId?: number | null
  pattern: readonly number[]
  startDate: string
  endDate?: string | null
}

/** Requires exactly one of person, team and department, within reach, existing types, and an end that is not before the start. */
async function check(
  { db, staff }: Context,
  { userId, teamId, departmentId, pattern, startDate, endDate }: Wanted,
): Promise<void> {
  const near = within(staff, sql`department_id`)
  if ([userId, teamId, departmentId].filter(Boolean).length !== 1) {
    const text = 'Choose exactly one: a person, a team or a department'
    throw refused(text, { userId: text })
  }
  if (endDate && endDate < startDate) {
    const text = 'The end is before the beginning'
    throw refused(text, { endDate: text })
  }
  const wanted = pattern.filter((type) => type > 0)
  const types = await readTypes(db, wanted)
  const missing = wanted.find((type) => !types.get(type)?.isActive)
  if (missing !== undefined) {
    const text = `Shift type ${missing} is switched off or deleted`
    throw refused(text, { pattern: text })
  }
  const [found] = await rows<{ there: boolean }>(
    db,
    userId
      ? sql`select exists (select from users where user_id = ${userId} and deleted_at is null
          and (user_id = ${staff.id} or ${near})) as there`
      : teamId
        ? sql`select exists (select from shift_teams where shift_team_id = ${teamId} and deleted_at is null and ${near}) as there`
        : sql`select exists (select from departments where department_id = ${departmentId ?? 0} and deleted_at is null
            and ${near}) as there`,
  )
  if (!found?.there) {
    const field = userId ? 'userId' : teamId ? 'teamId' : 'departmentId'
    throw refused('The choice no longer exists', { [field]: 'No longer exists' })
  }
}

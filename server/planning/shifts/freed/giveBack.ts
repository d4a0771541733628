import { inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { personName } from '../../../kit/db/people.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import type { LeaveSpan } from '../../leaves/followers.ts'
import type { Recharged } from '../../leaves/recharge/recharged.ts'
import { type By, notifyOfShifts, notifyPlanners } from '../notify.ts'
import { builtOf } from '../planning/build.ts'
import { chargeAnew, touchedByLeave } from '../planning/chargeAnew.ts'
import { findConflicts } from '../planning/conflicts.ts'
import { rebuilt, writeTimes } from '../planning/follow.ts'
import { holdPeople } from '../roster/people.ts'
import { readDeleted, shiftsById } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { shifts } from '../tables.ts'

interface Freed {
  id: number
  /** Ids of the open shifts that replaced the freed one, including those from leaves of people who took one. */
  chain: number[]
  /** The person who has the last of these shifts. */
  holder: number | null
  /** Whether the last of these shifts was removed from the plan. */
  isRemoved: boolean
}

/**
 * Restores the shifts of a leave that has been cancelled, unless somebody took them, a planner removed them, their rest
 * was changed, or their automation was removed, or the person now has other shifts at these times.
 */
export async function giveBack(db: Db, leave: LeaveSpan, by: By, now: Date): Promise<Recharged[]> {
  const { leaves } = await chargeAnew({ db, by, now }, touchedByLeave(leave), 'shifts of another leave', () =>
    restore(db, leave, by, now),
  )
  return leaves
}

async function restore(db: Db, leave: LeaveSpan, by: By, now: Date): Promise<void> {
  await holdPeople(db, [leave.userId])
  const freed = await freedBy(db, leave.id)
  if (!freed.length) return
  const rests = await restsOf(db, freed)
  const wanted = freed.filter(({ id, holder, isRemoved }) => holder === null && !isRemoved && !rests.changed.has(id))
  const removed = await readDeleted(db, sql`s.shift_id = any(${sql.param(wanted.map(({ id }) => id))}::int[])`)
  // the times of the type may have changed; shifts that have begun keep their times
  const followed = await rebuilt(
    db,
    removed.filter(({ startsAt }) => new Date(startsAt) > now),
  )
  const timesNow = new Map(followed.map((shift) => [shift.id, shift]))
  const rowsOf = removed.map((row) => ({ ...builtOf(row), ...timesNow.get(row.id), id: row.id }))
  const ignored = wanted.flatMap(({ id }) => rests.ids.get(id) ?? [])
  const refusing = (await findConflicts(db, rowsOf, ignored, await readSettings(db))).filter(({ refuses }) => refuses)
  const busy = new Set(refusing.map(({ date }) => date))
  const dateOf = new Map(rowsOf.map(({ id, date }) => [id, date]))
  const back = wanted.filter(({ id }) => !busy.has(dateOf.get(id) ?? ''))
  const opened = back.flatMap(({ id, chain }) => [...chain, ...(rests.ids.get(id) ?? [])])
  if (opened.length)
    await db
      .update(shifts)
      .set({ deletedAt: sql`coalesce(${shifts.deletedAt}, now())`, leaveId: null, ...nextVersion })
      .where(inArray(shifts.id, opened))
  const ids = back.map(({ id }) => id)
  await writeTimes(
    db,
    followed.filter(({ id }) => ids.includes(id)),
  )
  if (ids.length)
    await db
      .update(shifts)
      .set({ deletedAt: null, leaveId: null, ...nextVersion })
      .where(inArray(shifts.id, ids))
  const restored = await shiftsById(db, ids)
  await notifyOfShifts(
    db,
    restored.filter(({ status }) => status === 'published'),
    by,
    'back',
  )
  const kept = freed.length - restored.length
  const name = await nameOf(db, leave.userId)
  await notifyPlanners(db, restored, by, {
    ...{ title: (n) => `The leave of ${name} is cancelled: ${n} on the plan again`, userId: leave.userId },
    after: kept ? `Not restored, because others have them or the plan changed: ${kept}.` : '',
  })
  await changed(db, 'shifts')
}

/** The rests of cut shifts, by the cut shift, and the cut shifts whose rest somebody has changed, removed or taken since. */
async function restsOf(db: Db, freed: readonly Freed[]): Promise<{ ids: Map<number, number[]>; changed: Set<number> }> {
  const found = await rows<{ id: number; restOfId: number; isChanged: boolean }>(
    db,
    sql`select s.shift_id as id, s.rest_of_id as "restOfId",
        s.version > 1 or s.deleted_at is not null or s.user_id is distinct from o.user_id as "isChanged"
      from shifts s join shifts o on o.shift_id = s.rest_of_id
      where s.rest_of_id = any(${sql.param(freed.map(({ id }) => id))}::int[]) order by s.shift_id for update of s`,
  )
  return {
    ids: new Map(found.map(({ id, restOfId }) => [restOfId, [id]])),
    changed: new Set(found.filter(({ isChanged }) => isChanged).map(({ restOfId }) => restOfId)),
  }
}

/** Locks and returns the shifts that a leave freed, each with its replacements and present holder. */
async function freedBy(db: Db, leaveId: number): Promise<Freed[]> {
  await db.execute(sql`select from shifts where leave_id = ${leaveId} order by shift_id for update`)
  const found = await rows<{
    root: number
    id: number
    userId: number | null
    isGone: boolean
    leaveId: number | null
  }>(
    db,
    sql`with recursive chain as (
        select s.shift_id as root, s.shift_id as id, 0 as n from shifts s
        left join shift_automations a on a.shift_automation_id = s.automation_id
        where s.leave_id = ${leaveId} and s.deleted_at is not null and a.deleted_at is null
        union all
        select c.root, s.shift_id, c.n + 1 from chain c join shifts s on s.replaces_id = c.id)
      select c.root, c.id, s.user_id as "userId", s.deleted_at is not null as "isGone", s.leave_id as "leaveId"
      from chain c join shifts s on s.shift_id = c.id
      order by c.root, c.n for update of s`,
  )
  return [...Map.groupBy(found, ({ root }) => root)].map(([id, links]) => {
    const last = links.at(-1)!
    return {
      id,
      chain: links.slice(1).map((link) => link.id),
      holder: last.isGone ? null : last.userId,
      // deleted, but not by a leave: removed by a planner
      isRemoved: last.isGone && last.leaveId === null,
    }
  })
}

async function nameOf(db: Db, userId: number): Promise<string> {
  const [person] = await rows<{ name: string }>(
    db,
    sql`select ${personName()} as name from users where user_id = ${userId}`,
  )
  return person?.name ?? 'somebody'
}

import { inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import type { LeaveSpan } from '../../leaves/followers.ts'
import { type By, tellOfShifts, tellPlanners } from '../notify.ts'
import { builtOf } from '../planning/build.ts'
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
 * Restores the shifts of a leave that has been cancelled, unless somebody took them, a planner removed them or their
 * automation, or the person now has other shifts at these times.
 */
export async function giveBack(db: Db, leave: LeaveSpan, by: By, now: Date): Promise<void> {
  await holdPeople(db, [leave.userId])
  const freed = await freedBy(db, leave.id)
  if (!freed.length) return
  const wanted = freed.filter(({ holder, isRemoved }) => holder === null && !isRemoved)
  const removed = await readDeleted(
    db,
    wanted.map(({ id }) => id),
  )
  // the times of the type may have changed; shifts that have begun keep their times
  const followed = await rebuilt(
    db,
    removed.filter(({ startsAt }) => new Date(startsAt) > now),
  )
  const timesNow = new Map(followed.map((shift) => [shift.id, shift]))
  const rowsOf = removed.map((row) => ({ ...builtOf(row), ...timesNow.get(row.id), id: row.id }))
  const refusing = (await findConflicts(db, rowsOf, [], await readSettings(db))).filter(({ refuses }) => refuses)
  const busy = new Set(refusing.map(({ date }) => date))
  const dateOf = new Map(rowsOf.map(({ id, date }) => [id, date]))
  const back = wanted.filter(({ id }) => !busy.has(dateOf.get(id) ?? ''))
  const opened = back.flatMap(({ chain }) => chain)
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
  await tellOfShifts(
    db,
    restored.filter(({ status }) => status === 'published'),
    by,
    'back',
  )
  const kept = freed.length - restored.length
  const name = await nameOf(db, leave.userId)
  await tellPlanners(db, restored, by, {
    ...{ title: (n) => `The leave of ${name} is cancelled: ${n} on the plan again`, userId: leave.userId },
    after: kept ? `Not restored, because others have them or the plan changed: ${kept}.` : '',
  })
  await changed(db, 'shifts')
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
    sql`select first_name || ' ' || last_name as name from users where user_id = ${userId}`,
  )
  return person?.name ?? 'somebody'
}

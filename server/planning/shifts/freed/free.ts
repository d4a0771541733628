import { inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import type { LeaveSpan } from '../../leaves/followers.ts'
import type { Recharged } from '../../leaves/recharge/recharged.ts'
import { announceOpen, type By, notifyOfShifts, notifyPlanners, shiftText } from '../notify.ts'
import { chargeAnew, touchedByLeave } from '../planning/chargeAnew.ts'
import { holdPeople } from '../roster/people.ts'
import { type Stored, shiftsById, shown } from '../roster/view.ts'
import { readSettings } from '../settings.ts'
import { voidSwaps } from '../swaps/void.ts'
import { shifts } from '../tables.ts'
import { type Cut, cutAll, keepRests } from './cut.ts'
import { shiftsDuring } from './during.ts'

/**
 * Removes the shifts of an approved leave from the plan; half a day cuts a shift, and the rest of the shift stays planned.
 * If the settings say so, what is off becomes open where it was published and lies ahead.
 * The removed row stays, so that a cancellation of the leave can restore the shift (giveBack.ts).
 */
export async function freeShifts(db: Db, leave: LeaveSpan, by: By, now: Date): Promise<Recharged[]> {
  // a night shift may reach into another leave
  const { leaves } = await chargeAnew({ db, by, now }, touchedByLeave(leave), 'shifts of another leave', () =>
    free(db, leave, by, now),
  )
  return leaves
}

async function free(db: Db, leave: LeaveSpan, by: By, now: Date): Promise<void> {
  await holdPeople(db, [leave.userId])
  const found = await shiftsDuring(db, leave, true)
  if (!found.length) {
    // a person without shifts may take over one on these days
    await voidSwaps(db, by)
    return
  }
  const { onLeave } = await readSettings(db)
  const ids = found.map(({ id }) => id)
  await db
    .update(shifts)
    .set({ deletedAt: sql`now()`, leaveId: leave.id, ...nextVersion })
    .where(inArray(shifts.id, ids))
  const cuts = await cutAll(db, leave, found)
  const stays = await keepRests(db, cuts, by)
  const offered = onLeave === 'open' ? cuts.filter(({ shift }) => isOffered(shift, now)) : []
  const opened = offered.length
    ? await db
        .insert(shifts)
        .values(offered.map((cut) => openCopy(cut, by)))
        .returning({ id: shifts.id })
    : []
  const removed = found.map(shown)
  const isCut = new Set(cuts.filter(({ rest }) => rest).map(({ shift }) => shift.id))
  const published = removed.filter(({ status }) => status === 'published')
  await notifyOfShifts(
    db,
    published.filter(({ id }) => !isCut.has(id)),
    by,
    'freed',
  )
  await notifyOfShifts(
    db,
    stays.filter(({ status }) => status === 'published'),
    by,
    'moved',
  )
  const open = await shiftsById(
    db,
    opened.map(({ id }) => id),
  )
  await notifyPlanners(db, removed, by, {
    title: (n) => `${removed[0]?.userName} is on leave: ${n} off the plan`,
    after: [
      open.length ? `Open for somebody else: ${open.length}.` : 'Nobody else was asked.',
      ...stays.map((rest) => `The rest stays: ${shiftText(rest)}.`),
    ].join(' '),
  })
  await announceOpen(db, open, by)
  await voidSwaps(db, by)
  await changed(db, 'shifts')
}

const isOffered = ({ status, endsAt }: Stored, now: Date) => status === 'published' && new Date(endsAt) > now

const openCopy = ({ shift, off }: Cut, by: By) => ({
  ...off,
  userId: null,
  status: 'open' as const,
  source: shift.source,
  replacesId: shift.id,
  createdBy: by.id || null,
})

/** Frees the shifts of leaves that were approved by an earlier version, in which approvals did not free shifts. */
export async function freeForgotten(db: Db, now = new Date()): Promise<void> {
  const due = await rows<LeaveSpan>(
    db,
    sql`select distinct r.leave_id as id, r.user_id as "userId", r.start_date::text as "startDate", r.end_date::text as "endDate",
        r.start_part as "startPart", r.end_part as "endPart"
      from leaves r join shifts s on s.user_id = r.user_id and s.date between r.start_date - 1 and r.end_date
      where r.status = 'approved' and s.deleted_at is null and s.status in ('draft', 'published')
        and s.starts_at > ${now.toISOString()}::timestamptz order by 1`,
  )
  for (const leave of due) await db.transaction((tx) => freeShifts(tx, leave, { id: 0, name: 'Innkeeper' }, now))
}

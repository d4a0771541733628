import type { LeaveCoverage, LeaveRequest } from '@innkeeper/contract/planning/leaves/calls'
import type { SQL } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import type { Recharged } from './recharge/recharged.ts'

/** The person and days of a leave. */
export type LeaveSpan = Pick<LeaveRequest, 'id' | 'userId' | 'startDate' | 'endDate' | 'startPart' | 'endPart'>

/** A published shift with the fields that the charge of a leave needs. */
export interface Rostered {
  date: string
  /** Minutes after midnight of `date`; the end may be on the next day. */
  startMinute: number
  endMinute: number
  /** Worked minutes by wall clock, without the break. */
  workMinutes: number
  /** Length of a working day in minutes, without working days of the person's own. */
  normMinutes: number
  /** True if another leave has freed the shift: its week had a roster, and the other leave pays for it. */
  isFreed?: boolean
  /** True for what half a day of another leave has left of a shift. */
  isRest?: boolean
  /** True if the change concerns the shift that a preview assumes. */
  isMarked?: boolean
  /** True if a preview assumes that the change adds the shift. */
  isAdded?: boolean
}

/** A published shift that a preview assumes. */
export type Added = Pick<Rostered, 'date' | 'startMinute' | 'endMinute' | 'workMinutes'> & { userId: number }

/** A change of the roster that a preview assumes instead of writing thousands of shifts and taking that back. */
export interface AsIf {
  /** Condition on `shifts s`: the shifts that change. */
  which: SQL
  /** The shifts are drafts, which charge no leave before the change. */
  areDrafts?: boolean
  /** The shift after the change; undefined if the change removes it, or makes a draft of it. */
  after(shift: Rostered): Rostered | undefined
  /** Shifts that the change adds. */
  adds?: readonly Added[]
}

/** A leave and the days, both included, whose shifts decide its charge. Id 0: a leave that is not stored yet. */
export interface Asked {
  id: number
  userId: number
  from: string
  to: string
}

/** A shift on the plan. */
export interface Planned {
  id: number
  userId: number | null
  userName: string | null
  date: string
  name: string
  startsAt: string | Date
  endsAt: string | Date
}

/** Effects of leaves on another domain. Each such domain exports them as `leaves` in `domain.ts`. */
export interface LeaveFollower {
  /** Shifts of the person that an approval frees, or would free. */
  shifts(db: Db, leave: LeaveSpan): Promise<LeaveCoverage['shifts']>
  /** Published shifts of the people of these leaves, as they were before the leave freed or cut them; by leave. */
  rostered(db: Db, asked: readonly Asked[], asIf?: AsIf): Promise<Map<number, Rostered[]>>
  /** All shifts of the people of these leaves on their days and the day before. */
  planned(db: Db, leaves: readonly LeaveSpan[]): Promise<Planned[]>
  /** Runs in the transaction of the approval, after the status was changed. Returns other leaves that are charged anew. */
  approved(context: Context, leave: LeaveSpan): Promise<Recharged[]>
  /** Runs in the transaction that cancels an approved leave, after the status was changed. Returns as `approved`. */
  cancelled(context: Context, leave: LeaveSpan): Promise<Recharged[]>
}

let followers: readonly LeaveFollower[] = []

/** Sets the followers of all domains; called by `registry.ts`. */
export function useLeaveFollowers(all: readonly LeaveFollower[]): void {
  followers = all
}

export async function shiftsDuring(db: Db, leave: LeaveSpan): Promise<LeaveCoverage['shifts']> {
  const found: LeaveCoverage['shifts'] = []
  for (const one of followers) found.push(...(await one.shifts(db, leave)))
  return found
}

/** Published shifts that decide the charges of these leaves, by leave. */
export async function rosteredBetween(db: Db, asked: readonly Asked[], asIf?: AsIf): Promise<Map<number, Rostered[]>> {
  const found = new Map<number, Rostered[]>()
  if (!asked.length) return found
  for (const one of followers)
    for (const [id, shifts] of await one.rostered(db, asked, asIf)) found.set(id, [...(found.get(id) ?? []), ...shifts])
  return found
}

export const rosteredFor = async (db: Db, asked: Asked): Promise<Rostered[]> =>
  (await rosteredBetween(db, [asked])).get(asked.id) ?? []

export async function plannedDuring(db: Db, spans: readonly LeaveSpan[]): Promise<Planned[]> {
  const found: Planned[] = []
  for (const one of followers) found.push(...(await one.planned(db, spans)))
  return found
}

export async function afterApproval(context: Context, leave: LeaveSpan): Promise<Recharged[]> {
  const found: Recharged[] = []
  for (const one of followers) found.push(...(await one.approved(context, leave)))
  return found
}

export async function afterCancellation(context: Context, leave: LeaveSpan): Promise<Recharged[]> {
  const found: Recharged[] = []
  for (const one of followers) found.push(...(await one.cancelled(context, leave)))
  return found
}

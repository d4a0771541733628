import type { Shift } from '@innkeeper/contract/planning/shifts/calls'
import type { Db } from '../../../kit/db/db.ts'
import { breakOf, type Minutes, restOf } from '../../leaves/days/halfDays.ts'
import type { LeaveSpan } from '../../leaves/followers.ts'
import type { By } from '../notify.ts'
import { type Built, builtOf, timesOf } from '../planning/build.ts'
import { clockOf } from '../roster/times.ts'
import { type Stored, shiftsById } from '../roster/view.ts'
import { readSettings, type Settings } from '../settings.ts'
import { shifts } from '../tables.ts'
import { halfDayMinuteOf } from './during.ts'

/** A shift of a leave: what is off, and what of the shift stays planned. */
export interface Cut {
  shift: Stored
  off: Built
  rest: Built | undefined
}

/** Cuts the shifts of a leave by the hour of the workplace that halves a day. */
export async function cutAll(db: Db, leave: LeaveSpan, found: readonly Stored[]): Promise<Cut[]> {
  const halfDayMinute = await halfDayMinuteOf(db, leave.userId)
  const settings = await readSettings(db)
  return found.map((shift) => {
    const stays = restOf(shift, leave, halfDayMinute)
    if (!stays) return { shift, off: builtOf(shift), rest: undefined }
    const isAfter = stays.startMinute > shift.startMinute
    const gone = isAfter
      ? { startMinute: shift.startMinute, endMinute: stays.startMinute }
      : { startMinute: stays.endMinute, endMinute: shift.endMinute }
    const breakMinutes = breakOf(stays, shift)
    return {
      shift,
      off: partOf(shift, gone, shift.breakMinutes - breakMinutes, settings),
      rest: partOf(shift, stays, breakMinutes, settings),
    }
  })
}

function partOf(shift: Stored, { startMinute, endMinute }: Minutes, breakMinutes: number, settings: Settings): Built {
  const clock = { startTime: clockOf(startMinute), endTime: clockOf(endMinute), breakMinutes }
  return { ...builtOf(shift), ...timesOf(clock, shift.date, shift.timeZone, settings), ownTimes: true }
}

/** Plans the rests of cut shifts for their person, and returns them. */
export async function keepRests(db: Db, cuts: readonly Cut[], by: By): Promise<Shift[]> {
  const rests = cuts.flatMap(({ shift, rest }) =>
    rest
      ? [
          {
            ...rest,
            status: shift.status,
            source: shift.source,
            edited: true,
            restOfId: shift.id,
            createdBy: by.id || null,
          },
        ]
      : [],
  )
  if (!rests.length) return []
  const made = await db.insert(shifts).values(rests).returning({ id: shifts.id })
  return shiftsById(
    db,
    made.map(({ id }) => id),
  )
}

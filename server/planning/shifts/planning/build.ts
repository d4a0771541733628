import { durationBetween, minutesOf } from '@innkeeper/contract/planning/shifts/calls'
import { isoOf } from '../../../kit/db/columns.ts'
import { refused } from '../../../kit/http/errors.ts'
import { daysInWords } from '../../calendar/words.ts'
import type { Person } from '../roster/people.ts'
import { spanOf } from '../roster/times.ts'
import type { Stored } from '../roster/view.ts'
import type { Settings } from '../settings.ts'
import type { shiftTypes } from '../tables.ts'

export type Type = typeof shiftTypes.$inferSelect

/** Times of a shift that differ from its type. */
export interface OwnTimes {
  startTime?: string | undefined
  endTime?: string | undefined
  breakMinutes?: number | undefined
}

/** Stored times of a shift: minutes, instants and weighted duration. 422 if the break is as long as the shift. */
export function timesOf(
  { startTime, endTime, breakMinutes }: Required<{ [K in keyof OwnTimes]: NonNullable<OwnTimes[K]> }>,
  date: string,
  timeZone: string,
  settings: Settings,
) {
  const { start, end, night, weighted420 } = durationBetween(
    minutesOf(startTime),
    minutesOf(endTime),
    breakMinutes,
    settings,
  )
  if (breakMinutes >= end - start) throw refused(BREAK, { breakMinutes: BREAK })
  const span = spanOf(date, start, end, timeZone)
  if (span.endsAt <= span.startsAt) throw refused(skipped(date), { startTime: skipped(date) })
  return {
    ...{ startMinute: start, endMinute: end, breakMinutes, timeZone, nightSteps: night, weighted420 },
    ...span,
  }
}
/** Error text for a shift within the hour that a clock change skips. */
const skipped = (date: string) => `The clocks are put forward on ${daysInWords(date)}: these times do not exist`

/** Whether the times of a type exist on a day, because a clock change can skip them. */
export function exists({ startTime, endTime }: Pick<Type, 'startTime' | 'endTime'>, date: string, timeZone: string) {
  const { start, end } = durationBetween(minutesOf(startTime), minutesOf(endTime), 0)
  const span = spanOf(date, start, end, timeZone)
  return span.endsAt > span.startsAt
}

export const BREAK = 'The break is as long as the shift'

/** Builds a shift of a type on a day. Without a person it is open, in the time zone of its department. */
export function buildShift(
  type: Type,
  date: string,
  who: Pick<Person, 'timeZone' | 'departmentId'> & { id: number | null },
  settings: Settings,
  own: OwnTimes = {},
) {
  const wanted = {
    startTime: own.startTime ?? type.startTime,
    endTime: own.endTime ?? type.endTime,
    breakMinutes: own.breakMinutes ?? type.breakMinutes,
  }
  const isOwn =
    wanted.startTime !== type.startTime || wanted.endTime !== type.endTime || wanted.breakMinutes !== type.breakMinutes
  return {
    userId: who.id,
    departmentId: who.departmentId,
    date,
    shiftTypeId: type.id,
    ...{ name: type.name, code: type.code, colour: type.colour },
    ...timesOf(wanted, date, who.timeZone, settings),
    ownTimes: isOwn,
  }
}
export type Built = ReturnType<typeof buildShift>

/** Like `buildShift`, but from a stored row. */
export function builtOf(row: Stored): Built {
  const { userId, departmentId, date, shiftTypeId, name, code, colour, startMinute, endMinute, breakMinutes } = row
  return {
    ...{ userId, departmentId, date, shiftTypeId, name, code, colour },
    ...{ startMinute, endMinute, breakMinutes, timeZone: row.timeZone },
    ...{ nightSteps: row.nightSteps, weighted420: row.weighted420, ownTimes: row.ownTimes },
    startsAt: isoOf(row.startsAt),
    endsAt: isoOf(row.endsAt),
  }
}

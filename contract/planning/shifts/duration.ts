import { minutesOf } from './values.ts'

/** The night hours, and the weight of one of them: 8/7 (people §9). */
export interface NightRule {
  /** Hours of the day, from 23 up to and excluding 7. */
  nightFrom: number
  nightTo: number
  nightNumerator: number
  nightDenominator: number
}
export const spokenNight: NightRule = { nightFrom: 23, nightTo: 7, nightNumerator: 8, nightDenominator: 7 }

export interface Duration {
  /** Minutes after midnight. An end at or before the start is on the next day. */
  start: number
  end: number
  /** Number of hour steps by day and by night. */
  day: number
  night: number
  /** Worked minutes by wall clock, without the break. */
  workedMinutes: number
  /** Weighted hours in 1/420 hour, exact for 8/7 and for minutes. */
  weighted420: number
}

/**
 * Length of a shift by people §9. Steps of one hour start at the beginning of the shift, until a step would begin at or
 * after the end. A step that begins in a night hour weighs 8/7. If the last step is longer than the rest of the shift,
 * the surplus is subtracted without a weight (half an hour is 0.5), and so is the break.
 */
export function durationOf(startTime: string, endTime: string, breakMinutes: number, rule = spokenNight): Duration {
  return durationBetween(minutesOf(startTime), minutesOf(endTime), breakMinutes, rule)
}

/** The same as `durationOf`, from minutes after midnight. */
export function durationBetween(from: number, to: number, breakMinutes: number, rule = spokenNight): Duration {
  const start = from % 1440
  const end = to - (from - start) > start ? to - (from - start) : to - (from - start) + 1440
  let day = 0
  let night = 0
  for (let step = start; step < end; step += 60) {
    if (isNight(Math.floor(step / 60) % 24, rule)) night += 1
    else day += 1
  }
  const length = end - start
  const cut = (60 - (length % 60)) % 60
  const nightly = Math.round((420 * night * rule.nightNumerator) / rule.nightDenominator)
  return {
    ...{ start, end, day, night },
    workedMinutes: length - breakMinutes,
    weighted420: 420 * day + nightly - 7 * cut - 7 * breakMinutes,
  }
}

const isNight = (hour: number, { nightFrom, nightTo }: NightRule): boolean =>
  nightFrom < nightTo ? hour >= nightFrom && hour < nightTo : hour >= nightFrom || hour < nightTo

/** Minutes between start and end by wall clock, the upper limit of a break. */
export const lengthOf = (startTime: string, endTime: string): number => {
  const { start, end } = durationOf(startTime, endTime, 0)
  return end - start
}

/** Converts 1/420 hour to hours. Only screens round. */
export const toHours = (weighted420: number): number => weighted420 / 420

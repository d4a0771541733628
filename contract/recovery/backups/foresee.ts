import { judge, type KeepPolicy, type Verdict } from './keep.ts'
import type { When } from './when.ts'

const DAY = 86_400_000
/** Further back, an hourly schedule counts as one backup per day. */
const HOURLY_DAYS = 45

/** Backups that a keep policy would leave today if the schedule had run for years, newest first. */
export const foresee = (when: When, keep: KeepPolicy, now: Date): Verdict[] =>
  judge(
    timesBefore(when, now, spanOf(keep)).map((at, n) => ({ id: -n, at: at.toISOString() })),
    keep,
  )

/** Days that a policy reaches back, plus one year; at most 30 years. */
const spanOf = ({ last, daily, weekly, monthly, yearly }: KeepPolicy): number =>
  Math.min(30 * 366, 366 + Math.max(last * 31, daily, weekly * 7, monthly * 31, yearly * 366))

/** Starts of a schedule in the last `span` days before `now`, newest first. */
function timesBefore({ every, at, weekday, day }: When, now: Date, span: number): Date[] {
  const [hour = 0, minute = 0] = at.split(':').map(Number)
  const times: Date[] = []
  for (let n = 0; n <= span; n++) {
    const date = new Date(now.getTime() - n * DAY)
    if (every === 'week' && ((date.getUTCDay() + 6) % 7) + 1 !== weekday) continue
    if (every === 'month' && date.getUTCDate() !== day) continue
    const hours = every !== 'hour' ? [hour] : n > HOURLY_DAYS ? [23] : Array.from({ length: 24 }, (_, h) => 23 - h)
    for (const one of hours) {
      const time = new Date(date)
      time.setUTCHours(one, minute, 0, 0)
      if (time < now) times.push(time)
    }
  }
  return times
}

export interface Day {
  /** As 2026-11-24. */
  day: string
  stay: number
  go: number
}

/** For each of the last `days` days, how many backups stay and how many are removed; from the oldest, a Monday. */
export function byDay(verdicts: readonly Pick<Verdict, 'at' | 'reasons'>[], now: Date, days: number): Day[] {
  const counted = new Map<string, Day>()
  for (const { at, reasons } of verdicts) {
    const day = at.slice(0, 10)
    const one = counted.get(day) ?? { day, stay: 0, go: 0 }
    if (reasons.length) one.stay += 1
    else one.go += 1
    counted.set(day, one)
  }
  const weekday = (now.getUTCDay() + 6) % 7
  const whole = Math.ceil((days - weekday - 1) / 7) * 7 + weekday + 1
  return Array.from({ length: whole }, (_, n) => {
    const day = new Date(now.getTime() - (whole - 1 - n) * DAY).toISOString().slice(0, 10)
    return counted.get(day) ?? { day, stay: 0, go: 0 }
  })
}

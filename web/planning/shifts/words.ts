import type { Outcome, Shift } from '@innkeeper/contract/planning/shifts/calls'
import { localIn } from '../../kit/form/wallClock.ts'
import { ownZone } from '../../kit/form/zones.ts'
import { counted, oneTenth } from '../../kit/look/format.ts'
import { shownZone, zoneName } from '../../kit/look/zone.ts'
import { shiftTexts } from './texts.ts'

/** Hours rounded to tenths: 179.7. All other code keeps exact hours. */
export const hoursText = (hours: number): string => oneTenth(hours)

/** "Night 22:00–06:00" */
export const timesText = ({ name, startTime, endTime }: Pick<Shift, 'name' | 'startTime' | 'endTime'>): string =>
  `${name} ${startTime}–${endTime}`

/** "12 shifts are planned, 3 are removed" */
export function outcomeText({
  made,
  removed,
  published = 0,
}: Pick<Outcome, 'made' | 'removed'> & { published?: number }): string {
  const parts = [
    ...(made ? [`${counted(made, ['shift is', 'shifts are'])} planned`] : []),
    ...(removed ? [`${counted(removed, ['shift is', 'shifts are'])} removed`] : []),
    ...(published ? [`${counted(published, ['shift is', 'shifts are'])} published`] : []),
  ]
  return parts.join(', ') || 'Nothing changes'
}

/** Effect of a clock change on a shift: "1 h shorter: clocks are put forward". */
export function clockChangeText(minutes: number): string | undefined {
  if (!minutes) return undefined
  const hours = Math.abs(minutes) / 60
  return minutes < 0 ? shiftTexts().shorter(hours) : shiftTexts().longer(hours)
}

/** "Oslo time", if the shift takes place by another clock than the person's. */
export function zoneText({ timeZone, startsAt, startTime }: Pick<Shift, 'timeZone' | 'startsAt' | 'startTime'>) {
  const mine = shownZone() ?? ownZone()
  return timeZone !== mine && localIn(startsAt, mine).slice(11) !== startTime
    ? shiftTexts().timeOf(zoneName(timeZone))
    : undefined
}

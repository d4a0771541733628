import type { CalendarEvent } from '@innkeeper/contract/planning/calendarEvents/event'
import { eventTypes } from '@innkeeper/contract/planning/calendarEvents/event'
import type { NationalEvent } from '@innkeeper/contract/planning/calendarEvents/national'
import { dayText, rangeText } from '../../kit/calendar/days.ts'
import { localIn } from '../../kit/form/wallClock.ts'
import { ownZone } from '../../kit/form/zones.ts'
import { shownZone, zoneName } from '../../kit/look/zone.ts'

type Timed = Pick<CalendarEvent, 'startLocal' | 'endLocal' | 'startsAt' | 'endsAt' | 'allDay' | 'timeZone'>

/** "; for you 15:00–16:30, Sofia", if the person's clock differs from the event's. */
function mineText({ startLocal, startsAt, endsAt }: Timed, mine: string): string {
  const [from, to] = [localIn(startsAt, mine), localIn(endsAt, mine)]
  if (from === startLocal) return ''
  const dayOf = (text: string, other: string) =>
    text.slice(0, 10) === other.slice(0, 10) ? '' : `${dayText(text.slice(0, 10), 'weekday')} `
  return `; for you ${dayOf(from, startLocal)}${from.slice(11)}–${dayOf(to, from)}${to.slice(11)}, ${zoneName(mine)}`
}

/** "Friday 27 November 2026, 14:00–15:30 (Europe/Oslo)", in the local time of the event and in that of the person. */
export function whenText(event: Timed, mine = shownZone() ?? ownZone()): string {
  const { startLocal, endLocal, allDay, timeZone } = event
  const [first, last] = [startLocal.slice(0, 10), endLocal.slice(0, 10)]
  const day = (text: string) => `${dayText(text, 'long')} ${text.slice(0, 4)}`
  if (allDay) return first === last ? day(first) : rangeText(first, last)
  const end = first === last ? endLocal.slice(11) : `${day(last)} ${endLocal.slice(11)}`
  return `${day(first)}, ${startLocal.slice(11)}–${end} (${timeZone.replaceAll('_', ' ')})${mineText(event, mine)}`
}

/** "Fri 27 Nov 2026, 22:00–Sat 28 Nov 02:00 (Europe/Oslo)", for the columns of a list. */
export function listWhenText({ startLocal, endLocal, allDay, timeZone }: Timed): string {
  const [first, last] = [startLocal.slice(0, 10), endLocal.slice(0, 10)]
  if (allDay) return rangeText(first, last)
  const day = (text: string) => `${dayText(text, 'weekday')} ${dayText(text, 'short')}`
  const end = first === last ? endLocal.slice(11) : `${day(last)} ${endLocal.slice(11)}`
  return `${day(first)} ${first.slice(0, 4)}, ${startLocal.slice(11)}–${end} (${timeZone.replaceAll('_', ' ')})`
}

/** "Fri 27 Nov 14:00", for narrow places. */
export const shortWhenText = ({ startLocal, allDay }: Timed): string => {
  const day = startLocal.slice(0, 10)
  return `${dayText(day, 'weekday')} ${dayText(day, 'short')}${allDay ? '' : ` ${startLocal.slice(11)}`}`
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']
// 2024-01-01 is a Monday, so day `n` of January is weekday `n`
const weekday = (n: number) => dayText(`2024-01-0${n}`, 'long').split(' ')[0] ?? ''
const month = (n: number) => dayText(`2024-${String(n).padStart(2, '0')}-01`, 'month').split(' ')[0] ?? ''

export const weekdayChoices = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ value: String(n), label: weekday(n) }))
export const monthChoices = Array.from({ length: 12 }, (_, n) => ({ value: String(n + 1), label: month(n + 1) }))
export const weekChoices = ordinals.map((label, n) => ({ value: String(n + 1), label }))

type Rule = Pick<NationalEvent, 'kind' | 'month' | 'day' | 'movableMethod' | 'weekday' | 'week' | 'offsetDays'>

/** "1 May", "2 days before orthodox Easter", "the fourth Thursday of November". */
export function ruleText({ kind, month: m, day, movableMethod, weekday: w, week, offsetDays }: Rule): string {
  const base =
    kind === 'fixed'
      ? `${day ?? '?'} ${month(m ?? 1)}`
      : movableMethod === 'western-easter'
        ? 'western Easter'
        : movableMethod === 'orthodox-easter'
          ? 'orthodox Easter'
          : `the ${movableMethod === 'last-weekday' ? 'last' : ordinals[(week ?? 1) - 1]} ${weekday(w ?? 1)} of ${month(m ?? 1)}`
  if (!offsetDays) return base
  const n = Math.abs(offsetDays)
  return `${n} ${n === 1 ? 'day' : 'days'} ${offsetDays > 0 ? 'after' : 'before'} ${base}`
}

export const typeOptions = Object.entries(eventTypes).map(([value, label]) => ({ value, label }))

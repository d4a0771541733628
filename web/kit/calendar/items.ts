import type { Colour } from '../../palette.ts'
import { addDays, clockText, type Day, daysFrom } from './days.ts'
import { calendarTexts } from './texts.ts'

/** An item of a calendar. The kit renders it and reports actions; the screen knows its meaning. */
export interface CalendarItem {
  /** Unique among the visible items. */
  id: string
  /** First and last day, both included. */
  from: Day
  to: Day
  /** Minutes from midnight of `from`, for items with a time of day: 22:00–06:00 is [1320, 1800]. */
  minutes?: readonly [start: number, end: number]
  label: string
  /** Two or three letters for narrow cells. */
  short?: string
  /** Second line: a place or a reason. */
  note?: string
  colour: Colour | 'neutral'
  /** `dashed`: not final yet. `hatched`: away. */
  look?: 'solid' | 'dashed' | 'hatched'
  /** Word for a dashed item for screen readers; "draft" by default. */
  notFinal?: string
  /** Prevents moving, resizing and removing. */
  fixed?: boolean
}

/** What stands against a place of an item: a warning, or a reason why it is refused there. */
export interface Obstacle {
  text: string
  refuses: boolean
}

/** Position of a bar: columns from 0, `end` excluded, and its line. */
export interface Placed<I extends CalendarItem> {
  item: I
  start: number
  end: number
  line: number
  /** Whether the item starts before the row, or ends after it. */
  before: boolean
  after: boolean
}

export type Scale = 'day' | 'time'

/** Columns of an item on a row of days; undefined outside the row. In `time` scale, columns are fractions of days. */
export function spanOf(
  item: CalendarItem,
  first: Day,
  count: number,
  scale: Scale,
): Omit<Placed<CalendarItem>, 'item' | 'line'> | undefined {
  const day = daysFrom(first, item.from)
  const minutes = scale === 'time' ? item.minutes : undefined
  const start = minutes ? day + minutes[0] / 1440 : day
  const end = minutes ? day + minutes[1] / 1440 : daysFrom(first, item.to) + 1
  if (end <= 0 || start >= count || end <= start) return undefined
  return { start: Math.max(0, start), end: Math.min(count, end), before: start < 0, after: end > count }
}

/** Distributes bars to as few lines as possible without overlap, longer ones first among equal starts. */
export function place<I extends CalendarItem>(
  items: readonly I[],
  first: Day,
  count: number,
  scale: Scale = 'day',
): Placed<I>[] {
  const spans = items.flatMap((item) => {
    const span = spanOf(item, first, count, scale)
    return span ? [{ item, ...span }] : []
  })
  spans.sort((a, b) => a.start - b.start || b.end - a.end || (a.item.minutes?.[0] ?? 0) - (b.item.minutes?.[0] ?? 0))
  const ends: number[] = []
  return spans.map((span) => {
    const free = ends.findIndex((end) => end <= span.start)
    const line = free < 0 ? ends.length : free
    ends[line] = span.end
    return { ...span, line }
  })
}

/** Number of lines; at least one. */
export const linesOf = (placed: readonly { line: number }[]): number =>
  placed.reduce((most, { line }) => Math.max(most, line + 1), 1)

export const isOn = (item: CalendarItem, day: Day): boolean => item.from <= day && day <= item.to

/** "Night 22:00–06:00, draft" as it is read out. */
export function spoken({ label, minutes, note, look, notFinal = calendarTexts().draft }: CalendarItem): string {
  const time = minutes ? ` ${clockText(minutes[0])}–${clockText(minutes[1])}` : ''
  return `${label}${time}${look === 'dashed' ? `, ${notFinal}` : ''}${note ? `, ${note}` : ''}`
}

/** Days and minutes of an item. */
export type Place = Pick<CalendarItem, 'from' | 'to' | 'minutes'>

/** Moves an item by minutes; a move by whole days keeps the times of day. */
export function moved({ from, to, minutes }: CalendarItem, by: number): Place {
  if (!minutes || by % 1440 === 0)
    return { from: addDays(from, by / 1440), to: addDays(to, by / 1440), ...(minutes && { minutes }) }
  const days = Math.floor((minutes[0] + by) / 1440)
  const start = minutes[0] + by - days * 1440
  const length = minutes[1] - minutes[0]
  return { from: addDays(from, days), to: addDays(from, days), minutes: [start, start + length] }
}

/** Moves one end of an item. Keeps at least `step` minutes, and at most a day for items with times. */
export function stretched(item: CalendarItem, edge: 'start' | 'end', by: number, step: number): Place {
  const { from, to, minutes } = item
  if (!minutes || step === 1440) {
    const days = Math.round(by / 1440)
    if (edge === 'start') return { from: addDays(from, Math.min(days, daysFrom(from, to))), to }
    return { from, to: addDays(to, Math.max(days, -daysFrom(from, to))) }
  }
  const [start, end] = minutes
  if (edge === 'end') return { from, to, minutes: [start, Math.min(start + 1440, Math.max(start + step, end + by))] }
  const begin = Math.max(end - 1440, Math.min(end - step, start + by))
  const days = Math.floor(begin / 1440)
  return { from: addDays(from, days), to: addDays(to, days), minutes: [begin - days * 1440, end - days * 1440] }
}

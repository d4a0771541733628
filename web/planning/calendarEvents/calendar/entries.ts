import type { CalendarEntry, EntryKind } from '@innkeeper/contract/planning/calendarEvents/entry'
import { clockText } from '../../../kit/calendar/days.ts'
import type { CalendarItem } from '../../../kit/calendar/items.ts'
import { calendarEventTexts, eventTypeTexts, rsvpTexts } from '../texts.ts'

/** One colour per kind. Free entries are hatched, pending ones dashed. */
export const colours: Record<EntryKind, CalendarItem['colour']> = {
  event: 'primary',
  repeatable: 'info',
  national: 'success',
  birthday: 'accent',
  shift: 'neutral',
  leave: 'neutral',
}

export type EntryItem = CalendarItem & { entry: CalendarEntry }

/** Converts an entry to a calendar item. `may` decides whether people can drag the entry to another day. */
export function itemOf(entry: CalendarEntry, zone: string, may: (entry: CalendarEntry) => boolean): EntryItem {
  const { key, kind, title, from, to, startsAt, endsAt, free, myRsvp } = entry
  return {
    id: key,
    from,
    to,
    ...(startsAt && endsAt && from === to && { minutes: [minuteOf(startsAt, zone), minuteOf(endsAt, zone, true)] }),
    label: kind === 'birthday' ? calendarEventTexts().birthdayOf(title) : title,
    short: title.slice(0, 2),
    note: [overDays(entry, zone), noteOf(entry)].filter(Boolean).join(', ') || undefined,
    colour: colours[kind],
    ...(free || kind === 'leave' ? { look: 'hatched' } : myRsvp === 'needs-action' ? { look: 'dashed' } : {}),
    ...(!may(entry) && { fixed: true }),
    entry,
  }
}

/** "From 20:00, until 08:00" of a timed event over several days, which has no single time of day. */
function overDays({ from, to, startsAt, endsAt }: CalendarEntry, zone: string): string | undefined {
  if (!startsAt || !endsAt || from === to) return undefined
  return calendarEventTexts().fromUntil(clockText(minuteOf(startsAt, zone)), clockText(minuteOf(endsAt, zone, true)))
}

function noteOf({ type, location, myRsvp }: CalendarEntry): string | undefined {
  const said = myRsvp ? rsvpTexts()[myRsvp] : undefined
  return [type && eventTypeTexts()[type], location, said].filter(Boolean).join(', ') || undefined
}

const clocks = new Map<string, Intl.DateTimeFormat>()
/** Minutes after midnight in the local time of a zone; an end at midnight is 24:00. */
function minuteOf(instant: string, zone: string, isEnd = false): number {
  const clock =
    clocks.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  clocks.set(zone, clock)
  const [hours = 0, minutes = 0] = clock.format(new Date(instant)).split(':').map(Number)
  return isEnd && hours === 0 && minutes === 0 ? 1440 : hours * 60 + minutes
}

import { attempt } from '../../../kit/api/attempt.ts'
import { addDays, type Day, daysFrom } from '../../../kit/calendar/days.ts'
import type { Place } from '../../../kit/calendar/items.ts'
import { toast } from '../../../kit/dialogs/toast.ts'
import { eventsApi } from '../api.ts'
import type { EntryItem } from './entries.ts'

/** The same local time `days` days later. */
const shifted = (local: string, days: number): string => `${addDays(local.slice(0, 10), days)}${local.slice(10)}`

/** Saves an entry that was dragged to another day; of a repeating event, only this occurrence. */
export const moveEntry = (item: EntryItem, place: Place): Promise<void> =>
  move(item, daysFrom(item.entry.from, place.from))

async function move(item: EntryItem, days: number): Promise<void> {
  const { entry, label } = item
  const { id, kind, occurrence } = entry
  if (!days || id === null) return
  const done = await attempt<unknown>(
    () => (kind === 'event' ? moveEvent(id, days) : moveDay(id, occurrence ?? entry.from, days)),
    ['calendarEvents'],
  )
  if (!done) return
  // what is moved is read anew, so that the way back begins where the entry stands then
  toast.success(`${label} is moved`, kind === 'event' ? 'The attendants are notified.' : 'This day alone.', {
    undo: () => move(item, -days),
  })
}

async function moveEvent(id: number, days: number) {
  const { startLocal, endLocal, version } = await eventsApi.one({ id })
  return eventsApi.update({ id, version, startsAt: shifted(startLocal, days), endsAt: shifted(endLocal, days) })
}

async function moveDay(id: number, occurrence: Day, days: number) {
  const { startLocal, changes, version } = await eventsApi.repeatable({ id })
  const changed = changes.find((change) => change.occurrence === occurrence)
  const { title, durationMin, location } = changed ?? {}
  const kept = { title: title ?? undefined, durationMin: durationMin ?? undefined, location: location ?? undefined }
  const local = changed?.startLocal ?? `${occurrence}${startLocal.slice(10)}`
  return eventsApi.updateRepeatable({
    id,
    version,
    reach: 'one',
    occurrence,
    ...kept,
    startLocal: shifted(local, days),
  })
}

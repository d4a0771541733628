import { keyOf, prefixes, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { plain } from '../settings/find.ts'
import type { Known } from './store.ts'

/**
 * The key by which an item of another tracker is recognised. A bare number says nothing without its column: 19 under
 * `number` is another item than 19 under `#`.
 */
export function originOf(key: string, heading: string): string | undefined {
  if (!key) return undefined
  return /^#?\d+$/.test(key) ? `${plain(heading)}:${key.replace('#', '')}` : key.toUpperCase()
}

/** The number of an item of our own, from `BUG-518`. */
function ownNumber(tracker: Tracker, origin: string): number | undefined {
  const [, prefix, number = ''] = /^([A-Z]+)-(\d{1,9})$/.exec(origin) ?? []
  return prefix === prefixes[tracker] ? Number(number) : undefined
}

/** Items that were imported from these keys before, or are our own items with these keys; by origin. */
export async function findKnown(
  db: Db,
  tracker: Tracker,
  lines: readonly { origin: string | undefined }[],
): Promise<Map<string, Known>> {
  const origins = [...new Set(lines.flatMap(({ origin }) => origin ?? []))]
  if (!origins.length) return new Map()
  const numbers = new Map(
    origins.flatMap((origin) => {
      const number = ownNumber(tracker, origin)
      return number === undefined ? [] : [[number, origin] as const]
    }),
  )
  const found = await rows<{ id: number; number: number; origin: string | null; isDeleted: boolean }>(
    db,
    sql`select tracker_item_id as id, number, origin, deleted_at is not null as "isDeleted" from tracker_items
      where face = ${tracker} and origin = any(${sql.param(origins)}::text[])
      union
      select tracker_item_id, number, origin, deleted_at is not null from tracker_items
      where face = ${tracker} and number = any(${sql.param([...numbers.keys()])}::int[])
      order by 4, 1 desc`,
  )
  const known = new Map<string, Known>()
  const asked = new Set(origins)
  for (const { id, number, origin, isDeleted } of found) {
    const at = origin !== null && asked.has(origin) ? origin : numbers.get(number)
    // of several items, the latest that is not deleted; our own key says more than another tracker's
    if (at !== undefined && (!known.has(at) || numbers.get(number) === at))
      known.set(at, { id, key: keyOf(tracker, number), isDeleted })
  }
  return known
}

import type { Group, SettingKind, Tracker } from '@innkeeper/contract/desk/trackers/values'
import type { Colour } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { homeOf } from '../info.ts'

export interface Found {
  id: number
  tracker: Tracker
  kind: SettingKind
  name: string
  colour: Colour
  group: Group | null
  position: number
  isDefault: boolean
}

/** The settings that items of a tracker can have, in their order. */
export async function settingsOf(db: Db, tracker: Tracker): Promise<Found[]> {
  const found = await rows<Found>(
    db,
    sql`select tracker_setting_id as id, face as tracker, kind, name, colour, "group", position, is_default as "isDefault"
      from tracker_settings where deleted_at is null and face = any(${sql.param([tracker, 'bug'])}::text[])
      order by position, tracker_setting_id`,
  )
  return found.filter((one) => one.tracker === homeOf(tracker, one.kind))
}

/** The status of items that are marked as duplicates. Undefined if no cancelled status is named so. */
export const duplicateStatus = (all: readonly Found[]): Found | undefined =>
  all.find(({ kind, group, name }) => kind === 'status' && group === 'cancelled' && /duplicate/i.test(name))

/** Throws a 422 if the status says that an item is a duplicate, and nothing says of what. */
export function checkDuplicate(all: readonly Found[], statusId: number | undefined, item?: { key: string }): void {
  const status = duplicateStatus(all)
  if (statusId === undefined || statusId !== status?.id) return
  const message = `${status.name} of what? Mark ${item?.key ?? 'the item'} as a duplicate of another one: its status follows`
  throw refused(message, { statusId: message })
}

/** The setting of new items: the default of the kind, or for statuses the first in the group `open`. */
export function defaultOf(all: readonly Found[], kind: SettingKind): Found | undefined {
  const ofKind = all.filter((one) => one.kind === kind)
  const marked = ofKind.find(({ isDefault }) => isDefault)
  if (marked || kind !== 'status') return marked
  return ofKind.find(({ group }) => group === 'open') ?? ofKind.find(({ group }) => group === 'backlog') ?? ofKind[0]
}

/** Throws a 422 beside the field for an id that is not a setting of this kind. */
export function choose(all: readonly Found[], kind: SettingKind, id: number, field: string = `${kind}Id`): Found {
  const found = all.find((one) => one.kind === kind && one.id === id)
  if (!found) throw refused(`There is no ${kind} ${id}`, { [field]: `There is no ${kind} ${id}` })
  return found
}

/** Normalises a name: `In progress`, `in-progress` and `IN_PROGRESS` are equal. */
export const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '-')

/** Ids of settings given by id, name or, for statuses, group. 422 for a word without a match. */
export function idsOf(all: readonly Found[], kind: SettingKind, wanted: readonly string[]): number[] {
  const ofKind = all.filter((one) => one.kind === kind)
  return wanted.flatMap((word) => {
    const byId = ofKind.filter(({ id }) => String(id) === word)
    const byName = ofKind.filter(({ name }) => plain(name) === plain(word))
    const byGroup = ofKind.filter(({ group }) => group !== null && group === plain(word))
    const [found = []] = [byId, byName, byGroup].filter(({ length }) => length)
    if (!found.length) throw refused(`There is no ${kind} ${word}`, { [kind]: `There is no ${kind} ${word}` })
    return found.map(({ id }) => id)
  })
}

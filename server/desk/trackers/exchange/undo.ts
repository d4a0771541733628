import { keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { eq, inArray, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict } from '../../../kit/http/errors.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { trackerHistory, trackerItems } from '../items/tables.ts'
import { indexWords } from '../items/words.ts'
import { defaultOf, type Found, settingsOf } from '../settings/find.ts'
import { findImport, readImported } from './imports.ts'
import { type Former, trackerImports } from './tables.ts'
import { setColumns } from './update.ts'

/**
 * Undoes an import as one act: added items are deleted, changed ones get their former values. Items that somebody changed
 * since stay and are named; a deleted status is replaced by the usual one, other deleted values are left empty.
 */
export async function undoImport(context: Context, tracker: Tracker, id: number) {
  const { db, staff, audit } = context
  await rows(db, sql`select from tracker_imports where tracker_import_id = ${id} for update`)
  const before = await findImport(db, tracker, id)
  if (before.undoneAt)
    throw conflict(`${before.undoneBy ?? 'Somebody'} has undone this import already`, { current: before })
  await rows(
    db,
    sql`select from tracker_items where tracker_item_id in (select item_id from tracker_imported
      where tracker_import_id = ${id}) order by tracker_item_id for update`,
  )
  const items = await readImported(db, tracker, id)
  const free = items.filter(({ isChanged }) => !isChanged)
  const kept = items.flatMap(({ id: itemId, key, isChanged, isDeleted }) =>
    isChanged ? [{ id: itemId, key, reason: isDeleted ? 'It is deleted already' : 'Somebody changed it since' }] : [],
  )
  const added = free.filter(({ act }) => act === 'added').map((item) => item.id)
  if (added.length)
    await db
      .update(trackerItems)
      // without their origin, the same file adds them again
      .set({ deletedAt: sql`now()`, origin: null, ...nextVersion })
      .where(inArray(trackerItems.id, added))
  const replaced = await restore(
    db,
    tracker,
    id,
    free.filter(({ act }) => act === 'updated').map((item) => item.id),
  )
  if (free.length)
    await db
      .insert(trackerHistory)
      .values(
        free.map(({ id: itemId }) => ({ itemId, by: staff.id, field: 'import undone', before: null, after: null })),
      )
  await db
    .update(trackerImports)
    .set({ undoneAt: sql`now()`, undoneBy: staff.id, ...nextVersion })
    .where(eq(trackerImports.id, id))
  audit.of(info[tracker].noun, id)
  audit.before(before)
  audit.after({ undone: free.length, kept: kept.length, replaced: replaced.length })
  await changed(db, info[tracker].hint)
  return { undone: free.length, kept, replaced }
}

const settingColumns = ['status', 'priority', 'component', 'folder', 'department'] as const

/** Gives items their former values. Returns the values that no longer exist, with what stands in their place. */
async function restore(db: Db, tracker: Tracker, importId: number, ids: readonly number[]) {
  if (!ids.length) return []
  const found = await rows<{ id: number; number: number; before: Former }>(
    db,
    sql`select i.tracker_item_id as id, i.number, m.before from tracker_imported m
      join tracker_items i on i.tracker_item_id = m.item_id
      where m.tracker_import_id = ${importId} and m.item_id = any(${sql.param([...ids])}::int[]) order by 1`,
  )
  const all = await settingsOf(db, tracker)
  const replaced: { id: number; key: string; field: string; as: string }[] = []
  const values = found.map(({ id, number, before }) => {
    const { values: back, gone } = existing(all, before)
    replaced.push(...gone.map((one) => ({ id, key: keyOf(tracker, number), ...one })))
    return { id, values: back }
  })
  await setColumns(db, values)
  await indexWords(db, ids)
  return replaced
}

/** Former values without settings that were deleted meanwhile. */
function existing(all: readonly Found[], before: Former) {
  const values = { ...before }
  const gone: { field: string; as: string }[] = []
  for (const kind of settingColumns) {
    const id = before[`${kind}_id`]
    if (id === null || all.some((one) => one.kind === kind && one.id === id)) continue
    const instead =
      kind === 'status'
        ? (all.find((one) => one.kind === 'status' && one.group === before.status_group) ?? defaultOf(all, 'status'))
        : undefined
    if (kind === 'status' && instead)
      Object.assign(values, { status_id: instead.id, status_group: instead.group ?? 'open' })
    else values[`${kind}_id`] = null
    gone.push({ field: kind, as: instead?.name ?? 'none' })
  }
  return { values, gone }
}

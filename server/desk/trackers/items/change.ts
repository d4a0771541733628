import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { given } from '../../../kit/db/given.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { checkReaders, notifyOfItem, watch } from '../people/notify.ts'
import { checkDuplicate, settingsOf } from '../settings/find.ts'
import { type Changed, changesOf, record } from './history.ts'
import { columnsOf, type Fields } from './insert.ts'
import { trackerItems } from './tables.ts'
import { readPage, readWhole, type Whole } from './view.ts'
import { indexWords } from './words.ts'

/** Locks an item. 404 for a deleted item unless `deleted`; 409 with the stored item for an outdated version. */
export async function hold(
  { audit, ...reader }: Pick<Context, 'db' | 'staff' | 'app' | 'audit'>,
  tracker: Tracker,
  id: number,
  { version, deleted = false }: { version?: number | undefined; deleted?: boolean } = {},
): Promise<Whole> {
  const { db } = reader
  await rows(db, sql`select from tracker_items where tracker_item_id = ${id} for update`)
  const before = await readWhole(db, tracker, id)
  if (!deleted && before.deletedAt) throw refused(`${before.key} is deleted: restore it first`)
  audit.before(before)
  if (version !== undefined && version !== before.version)
    checkVersion(await readPage(reader, tracker, id), version, before.key)
  return before
}

/** Fields that the search in texts includes. */
const texts: readonly string[] = ['title', 'description', 'steps', 'expected']

/** Writes columns, history and log row of a locked item, and announces the change. */
export async function write(
  { db, staff, audit }: Pick<Context, 'db' | 'staff' | 'audit'>,
  before: Whole,
  columns: Record<string, unknown>,
): Promise<{ after: Whole; changes: Changed[] }> {
  await db
    .update(trackerItems)
    .set({ ...columns, ...nextVersion })
    .where(eq(trackerItems.id, before.id))
  const after = await readWhole(db, before.tracker, before.id)
  const changes = changesOf(before, after)
  if (changes.some(({ field }) => texts.includes(field))) await indexWords(db, [before.id])
  await record(db, before.id, staff.id, changes)
  audit.after(after)
  await changed(db, info[before.tracker].hint, before.id)
  return { after, changes }
}

/** Changes fields of a locked item and notifies its watchers. */
export async function change(
  context: Pick<Context, 'db' | 'staff' | 'audit'>,
  before: Whole,
  fields: Fields,
): Promise<Whole> {
  const { db, staff } = context
  const { tracker, id } = before
  const { assigneeId } = fields
  const isNew = assigneeId && assigneeId !== before.assignee?.id
  if (isNew) await checkReaders(db, tracker, [assigneeId], 'assigneeId')
  const all = await settingsOf(db, tracker)
  if (!before.duplicateOf && fields.statusId !== before.status.id) checkDuplicate(all, fields.statusId, before)
  const columns = columnsOf(all, fields)
  const sent = given(fields)
  const { after, changes } = await write(context, before, {
    ...sent,
    ...columns,
    ...ending(before, columns.statusGroup),
    ...(columns.statusGroup &&
      !closed.includes(columns.statusGroup) &&
      !assigneeId &&
      (await withoutLeaver(db, before))),
  })
  if (isNew) {
    await watch(db, id, [assigneeId])
    await notifyOfItem(db, staff, after, `${staff.name} assigned you.`, [assigneeId])
  }
  if (changes.length) await announce(db, staff, before, after, changes)
  return after
}

/** Sets the time of completion. A reopened item leaves the archive and is no duplicate any more. */
function ending(before: Whole, group: Whole['status']['group'] | undefined) {
  if (!group) return {}
  const [was, is] = [closed.includes(before.status.group), closed.includes(group)]
  if (is) return was ? {} : { completedAt: sql`now()` }
  return { completedAt: null, archivedAt: null, duplicateOfId: null }
}

/**
 * Removes a deleted assignee when a closed or deleted item is reopened, because the item would be in nobody's own list.
 */
export async function withoutLeaver(db: Db, { assignee }: Whole): Promise<{ assigneeId?: null }> {
  if (!assignee) return {}
  const [gone] = await rows(db, sql`select from users where user_id = ${assignee.id} and deleted_at is not null`)
  return gone ? { assigneeId: null } : {}
}

async function announce(
  db: Db,
  staff: Context['staff'],
  before: Whole,
  after: Whole,
  changes: readonly Changed[],
): Promise<void> {
  const isReleased =
    after.tracker === 'feature' && after.status.group === 'completed' && before.status.group !== 'completed'
  if (isReleased) {
    const voters = await rows<{ id: number }>(
      db,
      sql`select user_id as id from tracker_votes where item_id = ${after.id}
        union select user_id from tracker_watchers where item_id = ${after.id}`,
    )
    await notifyOfItem(
      db,
      staff,
      after,
      `Released: ${after.status.name}.`,
      voters.map(({ id }) => id),
    )
    return
  }
  const short = changes.filter(({ field }) => !['description', 'steps', 'expected', 'release note'].includes(field))
  const words = short.map(({ field, after: now }) => `${field}: ${now ?? 'none'}`).join(', ')
  await notifyOfItem(
    db,
    staff,
    after,
    `${staff.name} changed ${words || changes.map(({ field }) => field).join(', ')}.`,
  )
}

import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { info } from '../info.ts'
import { change, hold, write } from '../items/change.ts'
import { record } from '../items/history.ts'
import { readWhole } from '../items/view.ts'
import { defaultOf, duplicateStatus, settingsOf } from '../settings/find.ts'
import { itemNamed } from './write.ts'

/**
 * Merges an item into another one of its tracker. The item is cancelled; its own duplicates, watchers and voters pass to
 * the other item. A duplicate of a duplicate refers to the original. With null, the merge is undone.
 */
export async function merge(
  context: Context,
  tracker: Tracker,
  { id, of, version }: { id: number; of: number | string | null; version?: number | undefined },
): Promise<void> {
  const { db } = context
  await rows(db, sql`select pg_advisory_xact_lock(hashtext('tracker.merge'))`)
  const before = await hold(context, tracker, id, { version })
  const all = await settingsOf(db, tracker)
  if (of === null) {
    if (!before.duplicateOf) return
    const open = defaultOf(all, 'status')
    await write(context, before, { duplicateOfId: null })
    if (open) await change(context, await readWhole(db, tracker, id), { statusId: open.id })
    return
  }
  const named = await itemNamed(context, tracker, of, 'of')
  if (named.tracker !== tracker)
    throw refused(`${named.key} is not a ${info[tracker].noun}`, { of: `Not a ${info[tracker].noun}` })
  const first = named.duplicateOf ? await readWhole(db, tracker, named.duplicateOf.id) : named
  if (first.deletedAt)
    throw refused(`${first.key}, which ${named.key} duplicates, is deleted`, {
      of: `A duplicate of ${first.key}, which is deleted`,
    })
  if (first.id === id) throw refused(`${before.key} cannot be a duplicate of itself`, { of: 'The item itself' })
  await passOn(db, id, first.id)
  const status = duplicateStatus(all) ?? all.find(({ kind, group }) => kind === 'status' && group === 'cancelled')
  await write(context, before, { duplicateOfId: first.id })
  const statusId = closed.includes(before.status.group) ? undefined : status?.id
  if (statusId) await change(context, await readWhole(db, tracker, id), { statusId })
  await record(db, first.id, context.staff.id, [{ field: 'duplicate', before: null, after: before.key }])
}

async function passOn(db: Db, from: number, to: number): Promise<void> {
  await db.execute(sql`update tracker_items set duplicate_of_id = ${to} where duplicate_of_id = ${from}`)
  await db.execute(sql`insert into tracker_watchers (item_id, user_id)
    select ${to}, user_id from tracker_watchers where item_id = ${from} on conflict do nothing`)
  await db.execute(sql`insert into tracker_votes (item_id, user_id, at)
    select ${to}, user_id, at from tracker_votes where item_id = ${from} on conflict do nothing`)
  await db.execute(sql`update tracker_items set votes = (select count(*) from tracker_votes v where v.item_id = ${to})
    where tracker_item_id = ${to}`)
}

import type { Talk } from '@innkeeper/contract/desk/trackers/shapes'
import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound, refused } from '../../../kit/http/errors.ts'
import { checkVersion, nextVersion } from '../../../kit/http/version.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { record } from '../items/history.ts'
import { readWhole } from '../items/view.ts'
import { indexWords } from '../items/words.ts'
import { checkReaders, notifyOfItem, watch } from '../people/notify.ts'
import { trackerTalk } from './tables.ts'
import { readTalk } from './view.ts'

interface Text {
  body: string
  mentions?: number[] | undefined
}

/** Adds a comment or a note. The author then watches the item; watchers and mentioned people are notified. */
export async function say(
  { db, staff, audit }: Context,
  tracker: Tracker,
  type: Talk['type'],
  { id, body, mentions = [] }: Text & { id: number },
): Promise<Talk> {
  const item = await readWhole(db, tracker, id)
  if (item.deletedAt) throw refused(`${item.key} is deleted: restore it first`)
  const named = [...new Set(mentions)]
  await checkReaders(db, tracker, named, 'mentions')
  const [made] = await db
    .insert(trackerTalk)
    .values({ itemId: id, type, body, mentions: named, createdBy: staff.id })
    .returning({ id: trackerTalk.id })
  await count(db, id, 1)
  await indexWords(db, [id])
  await watch(db, id, [staff.id, ...named])
  const told = await notifyOfItem(db, staff, item, `${staff.name} mentioned you in a ${type}.`, named)
  await notifyOthers(db, staff, item, `${staff.name} wrote a ${type}.`, [...told, staff.id])
  const talk = await readOne(db, made!.id) // one inserted row returns one row
  audit.of(tracker, id)
  audit.after(talk)
  await changed(db, info[tracker].hint, id)
  return talk
}

async function notifyOthers(
  db: Db,
  by: Context['staff'],
  item: Parameters<typeof notifyOfItem>[2],
  news: string,
  without: readonly number[],
): Promise<void> {
  const watchers = await rows<{ id: number }>(
    db,
    sql`select user_id as id from tracker_watchers where item_id = ${item.id} and user_id <> all(${sql.param([...without])}::int[])`,
  )
  await notifyOfItem(
    db,
    by,
    item,
    news,
    watchers.map(({ id }) => id),
  )
}

/** Replaces a comment or note of the caller. The history of the item keeps the former text. */
export async function rewrite(
  context: Context,
  tracker: Tracker,
  { id, body, mentions, version }: Text & { id: number; version?: number | undefined },
): Promise<Talk> {
  const { db, staff, audit } = context
  const before = await holdTalk(context, tracker, id)
  checkVersion(before, version, `The ${before.type}`)
  const named = [...new Set(mentions ?? before.mentions.map((one) => one.id))]
  const added = named.filter((one) => !before.mentions.some((known) => known.id === one))
  await checkReaders(db, tracker, added, 'mentions')
  await db
    .update(trackerTalk)
    .set({ body, mentions: named, editedAt: sql`now()`, ...nextVersion })
    .where(eq(trackerTalk.id, id))
  await indexWords(db, [before.itemId])
  await record(db, before.itemId, staff.id, [{ field: before.type, before: before.body, after: body }])
  await watch(db, before.itemId, added)
  const item = await readWhole(db, tracker, before.itemId)
  await notifyOfItem(db, staff, item, `${staff.name} mentioned you in a ${before.type}.`, added)
  const after = await readOne(db, id)
  audit.after(after)
  await changed(db, info[tracker].hint, before.itemId)
  return after
}

export async function erase(context: Context, tracker: Tracker, id: number): Promise<void> {
  const { db, staff } = context
  const before = await holdTalk(context, tracker, id)
  await db
    .update(trackerTalk)
    .set({ deletedAt: sql`now()`, ...nextVersion })
    .where(eq(trackerTalk.id, id))
  await count(db, before.itemId, -1)
  await indexWords(db, [before.itemId])
  await record(db, before.itemId, staff.id, [{ field: before.type, before: before.body, after: null }])
  await changed(db, info[tracker].hint, before.itemId)
}

/**
 * Updates the number of comments in lists. The version does not rise, so that comments do not make open forms outdated.
 */
const count = (db: Db, itemId: number, by: 1 | -1) =>
  db.execute(
    sql`update tracker_items set comments = comments + ${by}, updated_at = now() where tracker_item_id = ${itemId}`,
  )

/** Locks a comment or note of the caller; administrators may change any. */
async function holdTalk({ db, staff, audit }: Context, tracker: Tracker, id: number): Promise<Talk> {
  await rows(db, sql`select from tracker_talk where tracker_talk_id = ${id} for update`)
  const talk = await readOne(db, id)
  await readWhole(db, tracker, talk.itemId) // 404 for a text of another tracker
  if (talk.author?.id !== staff.id && !staff.isAdmin)
    throw refused(`${talk.author?.name ?? 'Somebody else'} wrote the ${talk.type}. Only they change it.`)
  audit.of(tracker, talk.itemId)
  audit.before(talk)
  return talk
}

async function readOne(db: Db, id: number): Promise<Talk> {
  const [talk] = await readTalk(db, [id])
  if (!talk) throw notFound('comment', id)
  return talk
}

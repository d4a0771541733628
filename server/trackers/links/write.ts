import { holds } from '@innkeeper/contract/access'
import { closed, type Face, type LinkKind, prefixes } from '@innkeeper/contract/trackers/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import type { Context } from '../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../kit/http/errors.ts'
import { info } from '../face.ts'
import { change, hold, write } from '../items/change.ts'
import { record } from '../items/history.ts'
import { readWhole, type Whole } from '../items/view.ts'
import { defaultOf, settingsOf } from '../settings/find.ts'
import { trackerLinks } from './tables.ts'
import { sightOf } from './view.ts'

type Outer = Exclude<LinkKind, 'blocks' | 'relates'>
const tables: Record<Outer, SQL> = {
  website: sql`select from websites where deleted_at is null and website_id = `,
  server: sql`select from servers where deleted_at is null and server_id = `,
  workflow: sql`select from workflows where workflow_id = `,
  review: sql`select from qc_reviews where deleted_at is null and qc_review_id = `,
}

/**
 * The item with an id or a key such as `BUG-142`. 422 beside the field if it does not exist, or the caller may not see
 * it.
 */
async function itemNamed({ db, staff }: Context, face: Face, name: number | string, field: string): Promise<Whole> {
  const [, prefix, digits] = /^(?:([a-z]+)-|#)?(\d{1,9})$/i.exec(String(name)) ?? []
  const meant = (Object.keys(prefixes) as Face[]).find((one) => prefixes[one] === prefix?.toUpperCase()) // our own keys
  const where =
    typeof name === 'number'
      ? sql`tracker_item_id = ${name}`
      : sql`face = ${prefix ? (meant ?? '') : face} and number = ${Number(digits ?? 0)}`
  const [found] = await rows<{ id: number; face: Face }>(
    db,
    sql`select tracker_item_id as id, face from tracker_items where deleted_at is null and ${where}`,
  )
  if (!found || !holds(staff, info[found.face].read))
    throw refused(`There is no ${name}`, { [field]: `There is no ${name}` })
  return readWhole(db, found.face, found.id)
}

/** Links an item to another item or to a row of another domain. */
export async function link(
  context: Context,
  face: Face,
  {
    id,
    kind,
    targetId,
    targetKey,
  }: { id: number; kind: LinkKind; targetId?: number | undefined; targetKey?: string | undefined },
): Promise<void> {
  const { db, staff } = context
  const before = await hold(context, face, id)
  const field = targetKey === undefined ? 'targetId' : 'targetKey'
  const name = targetKey ?? targetId
  if (name === undefined) throw refused('Choose the target of the link', { targetId: 'Required' })
  const isItem = kind === 'blocks' || kind === 'relates'
  const target = isItem ? (await itemNamed(context, face, name, field)).id : Number(name)
  if (isItem) await checkItems(db, before, kind, target, field)
  else await checkOther(context, kind, target, field)
  const [made] = await db
    .insert(trackerLinks)
    .values({ itemId: id, kind, targetId: target, createdBy: staff.id })
    .onConflictDoNothing()
    .returning({ id: trackerLinks.id })
  if (!made) throw conflict('This link already exists', { fields: { [field]: 'Linked already' } })
  await note(context, before, { before: null, after: `${kind} ${name}` })
}

async function checkOther({ db, staff }: Context, kind: Outer, target: number, field: string): Promise<void> {
  const isThere =
    Number.isInteger(target) && target < 2 ** 31 && (await rows(db, sql`${tables[kind]} ${target}`)).length > 0
  if (!isThere || !holds(staff, sightOf(kind)))
    throw refused(`There is no ${kind} ${target}`, { [field]: `There is no ${kind} ${target}` })
}

/**
 * Refuses a link from an item to itself, and a cycle of blocks. Blocks are written one at a time, because two together
 * could close a cycle.
 */
async function checkItems(
  db: Db,
  item: Whole,
  kind: 'blocks' | 'relates',
  target: number,
  field: string,
): Promise<void> {
  if (target === item.id) throw refused(`${item.key} cannot be linked to itself`, { [field]: 'The item itself' })
  if (kind === 'relates') return
  await rows(db, sql`select pg_advisory_xact_lock(hashtext('tracker.blocks'))`)
  const [circle] = await rows(
    db,
    sql`with recursive blocked(id) as (
        select target_id from tracker_links where kind = 'blocks' and item_id = ${target}
        union select l.target_id from tracker_links l join blocked b on l.item_id = b.id where l.kind = 'blocks')
      select from blocked where id = ${item.id}`,
  )
  if (circle)
    throw refused(`This would be a cycle: the other item already blocks ${item.key}, directly or through others`, {
      [field]: `Already blocks ${item.key}, directly or through others`,
    })
}

export async function unlink(context: Context, face: Face, id: number, linkId: number): Promise<void> {
  const { db } = context
  const before = await hold(context, face, id)
  const [gone] = await rows<{ kind: LinkKind; target: number }>(
    db,
    sql`delete from tracker_links where tracker_link_id = ${linkId}
      and (item_id = ${id} or (target_id = ${id} and kind in ('blocks', 'relates'))) returning kind, target_id as target`,
  )
  if (!gone) throw notFound('link', linkId)
  await note(context, before, { before: `${gone.kind} ${gone.target}`, after: null })
}

async function note(
  context: Context,
  item: Whole,
  change: { before: string | null; after: string | null },
): Promise<void> {
  await record(context.db, item.id, context.staff.id, [{ field: 'link', ...change }])
  await write(context, item, {})
  context.audit.before({ title: item.title, link: change.before })
  context.audit.after({ title: item.title, link: change.after })
}

/**
 * Merges an item into another one of its face. The item is cancelled; its own duplicates, watchers and voters pass to
 * the other item. A duplicate of a duplicate refers to the original. With null, the merge is undone.
 */
export async function merge(
  context: Context,
  face: Face,
  { id, of, version }: { id: number; of: number | string | null; version?: number | undefined },
): Promise<void> {
  const { db } = context
  await rows(db, sql`select pg_advisory_xact_lock(hashtext('tracker.merge'))`)
  const before = await hold(context, face, id, { version })
  const all = await settingsOf(db, face)
  if (of === null) {
    if (!before.duplicateOf) return
    const open = defaultOf(all, 'status')
    await write(context, before, { duplicateOfId: null })
    if (open) await change(context, await readWhole(db, face, id), { statusId: open.id })
    return
  }
  const named = await itemNamed(context, face, of, 'of')
  if (named.face !== face) throw refused(`${named.key} is not a ${info[face].noun}`, { of: `Not a ${info[face].noun}` })
  const first = named.duplicateOf ? await readWhole(db, face, named.duplicateOf.id) : named
  if (first.deletedAt)
    throw refused(`${first.key}, which ${named.key} duplicates, is deleted`, {
      of: `A duplicate of ${first.key}, which is deleted`,
    })
  if (first.id === id) throw refused(`${before.key} cannot be a duplicate of itself`, { of: 'The item itself' })
  await passOn(db, id, first.id)
  const cancelled = all.filter(({ kind, group }) => kind === 'status' && group === 'cancelled')
  const status = cancelled.find(({ name }) => /duplicate/i.test(name)) ?? cancelled[0]
  await write(context, before, { duplicateOfId: first.id })
  const statusId = closed.includes(before.status.group) ? undefined : status?.id
  if (statusId) await change(context, await readWhole(db, face, id), { statusId })
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

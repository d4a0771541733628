import { type LinkKind, prefixes, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { holds } from '@innkeeper/contract/kit/access'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { conflict, notFound, refused } from '../../../kit/http/errors.ts'
import { visibleWorkflows } from '../../../kit/work/visible.ts'
import { info } from '../info.ts'
import { hold, write } from '../items/change.ts'
import { record } from '../items/history.ts'
import { readWhole, type Whole } from '../items/view.ts'
import { trackerLinks } from './tables.ts'
import { sight } from './view.ts'

type Outer = Exclude<LinkKind, 'blocks' | 'relates'>
const tables: Record<Exclude<Outer, 'workflow'>, SQL> = {
  website: sql`select from websites where deleted_at is null and website_id = `,
  server: sql`select from servers where deleted_at is null and server_id = `,
  review: sql`select from qc_reviews where deleted_at is null and qc_review_id = `,
}

/**
 * The item with an id or a key such as `BUG-142`. 422 beside the field if it does not exist, or the caller may not see
 * it.
 */
export async function itemNamed(
  { db, staff }: Context,
  tracker: Tracker,
  name: number | string,
  field: string,
): Promise<Whole> {
  const [, prefix, digits] = /^(?:([a-z]+)-|#)?(\d{1,9})$/i.exec(String(name)) ?? []
  const meant = (Object.keys(prefixes) as Tracker[]).find((one) => prefixes[one] === prefix?.toUpperCase()) // our own keys
  const where =
    typeof name === 'number'
      ? sql`tracker_item_id = ${name}`
      : sql`face = ${prefix ? (meant ?? '') : tracker} and number = ${Number(digits ?? 0)}`
  const [found] = await rows<{ id: number; tracker: Tracker }>(
    db,
    sql`select tracker_item_id as id, face as tracker from tracker_items where deleted_at is null and ${where}`,
  )
  if (!found || !holds(staff, info[found.tracker].read))
    throw refused(`There is no ${name}`, { [field]: `There is no ${name}` })
  return readWhole(db, found.tracker, found.id)
}

/** Links an item to another item or to a row of another domain. */
export async function link(
  context: Context,
  tracker: Tracker,
  {
    id,
    kind,
    targetId,
    targetKey,
  }: { id: number; kind: LinkKind; targetId?: number | undefined; targetKey?: string | undefined },
): Promise<void> {
  const { db, staff } = context
  const before = await hold(context, tracker, id)
  const field = targetKey === undefined ? 'targetId' : 'targetKey'
  const name = targetKey ?? targetId
  if (name === undefined) throw refused('Choose the target of the link', { targetId: 'Required' })
  const isItem = kind === 'blocks' || kind === 'relates'
  const target = isItem ? (await itemNamed(context, tracker, name, field)).id : Number(name)
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

async function checkOther({ db, staff, app }: Context, kind: Outer, target: number, field: string): Promise<void> {
  const seen =
    kind === 'workflow'
      ? sql`select from workflows where ${visibleWorkflows(app.subjects, staff) ?? sql`false`} and workflow_id = `
      : holds(staff, sight[kind]) && tables[kind]
  const isThere =
    seen && Number.isInteger(target) && target < 2 ** 31 && (await rows(db, sql`${seen} ${target}`)).length > 0
  if (!isThere) throw refused(`There is no ${kind} ${target}`, { [field]: `There is no ${kind} ${target}` })
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
  if (kind === 'relates') {
    const there = await rows(
      db,
      sql`select from tracker_links where kind = 'relates' and item_id = ${target} and target_id = ${item.id}`,
    )
    if (there.length) throw conflict('The items are related already', { fields: { [field]: 'Related already' } })
    return
  }
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

export async function unlink(context: Context, tracker: Tracker, id: number, linkId: number): Promise<void> {
  const { db } = context
  const before = await hold(context, tracker, id)
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

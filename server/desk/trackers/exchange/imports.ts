import type { ImportedItem, TrackerImport } from '@innkeeper/contract/desk/trackers/shapes'
import { keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personNameText } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { homeOf } from '../info.ts'
import type { Paged } from '../talk/view.ts'
import { trackerImported, trackerImports } from './tables.ts'

type Asked = Pick<Paged, 'page' | 'itemsPerPage' | 'after'>
const nameOf = (id: string) => sql.raw(`(select ${personNameText('u')} from users u where u.user_id = ${id})`)
const select = rowsByIds<TrackerImport & { tracker: Tracker }>(
  (
    isWanted,
  ) => sql`select m.tracker_import_id as id, m.version, m.created_at as "createdAt", m.updated_at as "updatedAt",
      m.face as tracker, m.name, ${nameOf('m.created_by')} as by, m.added, m.updated, m.skipped, m.undone_at as "undoneAt",
      ${nameOf('m.undone_by')} as "undoneBy"
    from tracker_imports m where ${isWanted(sql`m.tracker_import_id`)}`,
)

const shown = ({ tracker: _, ...row }: Awaited<ReturnType<typeof select>>[number]): TrackerImport =>
  withInstants(row, ['createdAt', 'updatedAt', 'undoneAt'])

/** Imports of a tracker, newest first. */
export async function listImports(db: Db, tracker: Tracker, asked: Asked) {
  const { ids, ...page } = await pageKeys(db, asked, {
    from: sql`${trackerImports}`,
    where: [sql`${trackerImports.tracker} = ${tracker}`],
    key: trackerImports.id,
    order: { column: trackerImports.id, type: 'int', direction: 'DESC' },
  })
  return { items: inOrder(ids, await select(db, ids)).map(shown), ...page }
}

/** An import; 404 for one of another tracker. */
export async function findImport(db: Db, tracker: Tracker, id: number): Promise<TrackerImport> {
  const [found] = await select(db, [id])
  if (found?.tracker !== tracker) throw notFound('import', id)
  return shown(found)
}

/** SQL: whether the row `h` of the history is a later import that was undone, or its undo: the item is as before them. */
const isTakenBack = sql`(h.field = 'import undone' or (h.field = 'imported again' and exists (select from tracker_imported d
  join tracker_imports o on o.tracker_import_id = d.tracker_import_id and o.undone_at is not null
  join tracker_history u on u.item_id = d.item_id and u.tracker_history_id > d.history_id and u.field = 'import undone'
  where d.item_id = h.item_id and d.history_id = h.tracker_history_id)))`

/**
 * SQL: whether somebody changed the item `i` since the import `m`. A setting that was replaced because it was deleted is
 * no change of the item.
 */
const isChanged = (tracker: Tracker): SQL => sql`(i.comments <> m.comments or i.deleted_at is not null
  or exists (select from tracker_history h where h.item_id = i.tracker_item_id and h.tracker_history_id > m.history_id
    and not ${isTakenBack} and (h.field not in ('status', 'priority', 'component', 'folder', 'department') or exists (select from tracker_settings s
      where s.deleted_at is null and s.kind = h.field and s.name = h.before
        and s.face = case when h.field in ('status', 'priority') then ${tracker} else ${homeOf(tracker, 'component')} end)))
  or exists (select from tracker_files f where f.item_id = i.tracker_item_id and f.added_at > m.created_at)
  or exists (select from tracker_links l where l.item_id = i.tracker_item_id and l.created_at > m.created_at)
  or exists (select from tracker_links l where l.kind in ('blocks', 'relates') and l.target_id = i.tracker_item_id
    and l.created_at > m.created_at)
  or exists (select from tracker_votes v where v.item_id = i.tracker_item_id and m.act = 'added'))`

type Item = Omit<ImportedItem, 'key'> & { number: number }

/** Items of an import with what became of them since; all, or the chosen ones. */
export async function readImported(
  db: Db,
  tracker: Tracker,
  importId: number,
  ids?: readonly number[],
): Promise<ImportedItem[]> {
  const found = await rows<Item>(
    db,
    sql`select i.tracker_item_id as id, i.number, i.title, m.act, i.deleted_at is not null as "isDeleted",
        ${isChanged(tracker)} as "isChanged"
      from (select d.*, t.created_at from tracker_imported d
        join tracker_imports t on t.tracker_import_id = d.tracker_import_id) as m
      join tracker_items i on i.tracker_item_id = m.item_id
      where m.tracker_import_id = ${importId} ${ids ? sql`and i.tracker_item_id = any(${sql.param([...ids])}::int[])` : sql``}
      order by i.tracker_item_id`,
  )
  return found.map(({ number, ...item }) => ({ ...item, key: keyOf(tracker, number) }))
}

/** An import with a page of its items. */
export async function readImport(db: Db, tracker: Tracker, { id, ...asked }: Asked & { id: number }) {
  const found = await findImport(db, tracker, id)
  const { ids, ...page } = await pageKeys(db, asked, {
    from: sql`${trackerImported}`,
    where: [sql`${trackerImported.importId} = ${id}`],
    key: trackerImported.itemId,
    order: { column: trackerImported.itemId, type: 'int', direction: 'ASC' },
  })
  return { import: found, items: inOrder(ids, await readImported(db, tracker, id, ids)), ...page }
}

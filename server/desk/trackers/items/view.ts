import type { Item, ItemPage } from '@innkeeper/contract/desk/trackers/shapes'
import { keyOf, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder } from '../../../kit/db/page.ts'
import { personName, personOf } from '../../../kit/db/people.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { filesOf } from '../files/view.ts'
import { info } from '../info.ts'
import { linksOf, type Reader } from '../links/view.ts'

const choiceOf = (id: string) =>
  sql.raw(
    `(select json_build_object('id', c.tracker_setting_id, 'name', c.name, 'colour', c.colour) from tracker_settings c where c.tracker_setting_id = ${id})`,
  )

const fields = sql`i.tracker_item_id as id, i.version, i.created_at as "createdAt", i.updated_at as "updatedAt", i.face as tracker, i.face, i.number, i.title,
    json_build_object('id', s.tracker_setting_id, 'name', s.name, 'colour', s.colour, 'group', i.status_group) as status,
    ${choiceOf('i.priority_id')} as priority, ${choiceOf('i.component_id')} as component, ${choiceOf('i.folder_id')} as folder,
    ${choiceOf('i.department_id')} as department, ${personOf('i.assignee_id')} as assignee, ${personOf('i.reporter_id')} as reporter,
    i.due_on::text as "dueOn", i.estimate_minutes as "estimateMinutes", i.comments, i.votes,
    (select json_build_object('id', o.tracker_item_id, 'number', o.number) from tracker_items o where o.tracker_item_id = i.duplicate_of_id) as "duplicateOf",
    i.completed_at as "completedAt", i.archived_at as "archivedAt", i.deleted_at as "deletedAt"`
const from = sql`from tracker_items i join tracker_settings s on s.tracker_setting_id = i.status_id`

type Raw<T> = Omit<T, 'key' | 'duplicateOf'> & { duplicateOf: { id: number; number: number } | null }
const instants = ['createdAt', 'updatedAt', 'completedAt', 'archivedAt', 'deletedAt'] as const

function finished(row: Raw<Item>): Item {
  const { tracker, number, duplicateOf } = row
  return {
    ...withInstants(row, instants),
    key: keyOf(tracker, number),
    duplicateOf: duplicateOf && { id: duplicateOf.id, key: keyOf(tracker, duplicateOf.number) },
  }
}

const select = rowsByIds<Raw<Item>>(
  (isWanted) => sql`select ${fields} ${from} where ${isWanted(sql`i.tracker_item_id`)}`,
)
export const readItems = async (db: Db, ids: number[]): Promise<Item[]> =>
  inOrder(ids, await select(db, ids)).map(finished)

/** The fields of an item without its files, links and people, which history and log compare. */
export type Whole = Item & { description: string; steps: string; expected: string; releaseNote: string }
const selectWhole = rowsByIds<Raw<Whole>>(
  (isWanted) => sql`select ${fields}, i.description, i.steps, i.expected, i.release_note as "releaseNote"
    ${from} where ${isWanted(sql`i.tracker_item_id`)}`,
)

/** An item with its texts; 404 for an item of another tracker. */
export async function readWhole(db: Db, tracker: Tracker, id: number): Promise<Whole> {
  const [found] = await selectWhole(db, [id])
  if (found?.tracker !== tracker) throw notFound(info[tracker].noun, id)
  return { ...found, ...finished(found) }
}

const peopleIn = (table: 'tracker_watchers' | 'tracker_votes', id: number) =>
  sql`(select coalesce(json_agg(json_build_object('id', u.user_id, 'name', ${personName('u')})
      order by u.first_name, u.last_name, u.user_id), '[]'::json)
    from ${sql.identifier(table)} p join users u on u.user_id = p.user_id where p.item_id = ${id})`

/** The page of an item. */
export async function readPage(reader: Reader, tracker: Tracker, id: number): Promise<ItemPage> {
  const { db } = reader
  const whole = await readWhole(db, tracker, id)
  const [people] = await rows<Pick<ItemPage, 'watchers' | 'voters'>>(
    db,
    sql`select ${peopleIn('tracker_watchers', id)} as watchers, ${peopleIn('tracker_votes', id)} as voters`,
  )
  const { watchers = [], voters = [] } = people ?? {}
  return { ...whole, watchers, voters, links: await linksOf(reader, id), files: await filesOf(db, id) }
}

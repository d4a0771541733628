import type { Change } from '@innkeeper/contract/desk/trackers/shapes'
import { sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { withInstants } from '../../../kit/db/columns.ts'
import type { Db } from '../../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import { personOf } from '../../../kit/db/people.ts'
import type { Paged } from '../talk/view.ts'
import { trackerHistory } from './tables.ts'
import type { Whole } from './view.ts'

/** Maximum number of characters of a text in the history. */
const KEPT = 10_000

/** Fields of an item as text. */
const wordsOf = (item: Whole): Record<string, string | null> => ({
  title: item.title,
  description: item.description,
  steps: item.steps,
  expected: item.expected,
  'release note': item.releaseNote,
  status: item.status.name,
  priority: item.priority?.name ?? null,
  component: item.component?.name ?? null,
  folder: item.folder?.name ?? null,
  department: item.department?.name ?? null,
  assignee: item.assignee?.name ?? null,
  due: item.dueOn,
  estimate: item.estimateMinutes === null ? null : `${item.estimateMinutes} minutes`,
  'duplicate of': item.duplicateOf?.key ?? null,
  archived: item.archivedAt ? 'yes' : null,
  deleted: item.deletedAt ? 'yes' : null,
})

export interface Changed {
  field: string
  before: string | null
  after: string | null
}

export function changesOf(before: Whole, after: Whole): Changed[] {
  const [was, is] = [wordsOf(before), wordsOf(after)]
  return Object.keys(is).flatMap((field) =>
    was[field] === is[field]
      ? []
      : [{ field, before: was[field]?.slice(0, KEPT) ?? null, after: is[field]?.slice(0, KEPT) ?? null }],
  )
}

export async function record(db: Db, itemId: number, by: number | null, changes: readonly Changed[]): Promise<void> {
  if (changes.length) await db.insert(trackerHistory).values(changes.map((change) => ({ ...change, itemId, by })))
}

const select = rowsByIds<Change>(
  (isWanted) => sql`select h.tracker_history_id as id, h.at, ${personOf('h.by')} as by, h.field, h.before, h.after
    from tracker_history h where ${isWanted(sql`h.tracker_history_id`)}`,
)

/** The changes of an item, the latest first. */
export async function listChanges(db: Db, itemId: number, asked: Paged) {
  const { ids, ...page } = await pageKeys(
    db,
    { ...asked, itemsPerPage: asked.take ?? asked.itemsPerPage },
    {
      from: sql`${trackerHistory}`,
      where: [sql`${trackerHistory.itemId} = ${itemId}`],
      key: trackerHistory.id,
      order: { column: trackerHistory.id, type: 'int', direction: asked.desc === false ? 'ASC' : 'DESC' },
    },
  )
  const items = inOrder(ids, await select(db, ids)).map((row) => withInstants(row, ['at']))
  return { items, ...page }
}

import type { Tracker } from '@innkeeper/contract/desk/trackers/values'
import { byteOrderMark, csvLine } from '@innkeeper/contract/kit/csv'
import type { Written } from '@innkeeper/contract/kit/transfer'
import { type SQL, sql } from 'drizzle-orm'
import { rowsByIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { all, inOrder } from '../../../kit/db/page.ts'
import { info } from '../info.ts'
import { type Asked, conditions } from '../items/list.ts'
import { trackerItems as i } from '../items/tables.ts'
import { readItems } from '../items/view.ts'

/** Number of rows in memory at a time. */
const BATCH = 500
/** Also tells a file of our own apart when somebody imports it. */
export const heading = [
  ...['Key', 'Title', 'Status', 'Priority', 'Component', 'Folder', 'Department', 'Assignee', 'Reporter', 'Due'],
  ...[
    'Estimate',
    'Created',
    'Updated',
    'Completed',
    'Votes',
    'Comments',
    'Duplicate of',
    'Description',
    'Steps',
    'Expected',
  ],
]

const texts = rowsByIds<{ id: number; description: string; steps: string; expected: string }>(
  (isWanted) => sql`select i.tracker_item_id as id, i.description, i.steps, i.expected from tracker_items i
    where ${isWanted(sql`i.tracker_item_id`)}`,
)

/** All items of a list, the latest numbers first, streamed: the file may have any number of rows. */
export async function csvFile(db: Db, tracker: Tracker, asked: Asked, staffId: number): Promise<Written> {
  const where = await conditions(db, tracker, asked, staffId)
  return {
    name: `${info[tracker].plural.replaceAll(' ', '-')}-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    parts: lines(db, where),
  }
}

async function* lines(db: Db, where: SQL[]): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(heading)
  let beyond: SQL[] = []
  for (;;) {
    const keys = await rows<{ id: number; number: number }>(
      db,
      sql`select ${i.id} as id, ${i.number} as number from ${i} where ${all([...where, ...beyond])}
        order by ${i.number} desc limit ${BATCH}`,
    )
    const ids = keys.map(({ id }) => id)
    const byId = new Map(inOrder(ids, await texts(db, ids)).map((row) => [row.id, row]))
    const items = await readItems(db, ids)
    yield items
      .map((item) => {
        const { description = '', steps = '', expected = '' } = byId.get(item.id) ?? {}
        return csvLine([
          ...[item.key, item.title, item.status.name, item.priority?.name, item.component?.name, item.folder?.name],
          ...[item.department?.name, item.assignee?.name, item.reporter?.name, item.dueOn, item.estimateMinutes],
          ...[item.createdAt, item.updatedAt, item.completedAt, item.votes, item.comments, item.duplicateOf?.key],
          ...[description, steps, expected],
        ])
      })
      .join('')
    const last = keys.at(-1)
    if (!last || keys.length < BATCH) return
    beyond = [sql`${i.number} < ${last.number}`]
  }
}

import type { Board } from '@innkeeper/contract/desk/trackers/shapes'
import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { all } from '../../../kit/db/page.ts'
import { idsOf, settingsOf } from '../settings/find.ts'
import { type Asked, conditions } from './list.ts'
import { trackerItems as i } from './tables.ts'
import { readItems } from './view.ts'

/** Number of cards of a column, and limit of its count, which is lower if the words of each item must be compared. */
const CARDS = 50
const boundOf = ({ text, search }: Asked) => (text || search ? 200 : 1000)

interface Column {
  statusId: number
  ids: number[]
  n: number
}

/** Filters with few results across all statuses. These items are found once, not per status. */
const narrow = [
  'reporter',
  'watcher',
  'search',
  'text',
  'due',
  'duplicates',
  'dateFrom',
  'dateTo',
  'deletedOnly',
] as const
const FEW = 5000
/** Limit for overdue and for deleted items: an index contains them alone. */
const FEW_INDEXED = 50_000

/** Columns if there are at most `most` items; undefined if there are more. */
async function ofFew(db: Db, where: SQL, most: number): Promise<Column[] | undefined> {
  const found = await rows<Column>(
    db,
    sql`with few as materialized (select ${i.id} as id, ${i.statusId} as status, ${i.urgency} as urgency, ${i.updatedAt} as at
        from ${i} where ${where} limit ${most + 1}),
      ranked as (select *, row_number() over (partition by status order by at desc, id desc) as rank from few)
      select status as "statusId", count(*)::int as n,
        array_agg(id order by urgency, id desc) filter (where rank <= ${CARDS}) as ids from ranked group by 1`,
  )
  return found.reduce((sum, { n }) => sum + n, 0) > most ? undefined : found
}

/** Columns whose items are found per status, because each part of the query has a plan for its status. */
function ofMany(db: Db, where: SQL, statuses: readonly number[], bound: number): Promise<Column[]> {
  const parts = statuses.map(
    (id) => sql`select ${id}::int as "statusId",
        array(select f.tracker_item_id from (select ${i.id}, ${i.urgency} from ${i}
            where ${where} and ${i.statusId} = ${id} order by ${i.updatedAt} desc, ${i.id} desc limit ${CARDS}) f
          order by f.urgency, f.tracker_item_id desc) as ids,
        (select count(*)::int from (select from ${i} where ${where} and ${i.statusId} = ${id} limit ${bound + 1}) as bounded) as n`,
  )
  return parts.length ? rows<Column>(db, sql.join(parts, sql` union all `)) : Promise.resolve([])
}

/** Items by status with the filters of the list: of the latest items of each status, the most urgent. */
export async function readBoard(db: Db, tracker: Tracker, asked: Asked, staffId: number): Promise<Board> {
  const { status, ...others } = asked
  const settings = await settingsOf(db, tracker)
  const wanted = status && new Set(idsOf(settings, 'status', status))
  const statuses = settings.filter(({ kind, id }) => kind === 'status' && (!wanted || wanted.has(id)))
  const isNarrow = narrow.some((key) => others[key])
  const most = asked.due === 'overdue' || asked.deletedOnly ? FEW_INDEXED : FEW
  const few = isNarrow ? await ofFew(db, all(await conditions(db, tracker, others, staffId)), most) : undefined
  const bound = boundOf(asked)
  const ids = statuses.map(({ id }) => id)
  // Skips columns that must be empty, which PostgreSQL would read to their ends: a closed item is never overdue, and each
  // item of a column has the group of its status.
  const able = statuses.filter(
    ({ group }) =>
      (asked.due !== 'overdue' || !closed.includes(group ?? 'open')) &&
      (asked.group?.includes(group ?? 'open') ?? true),
  )
  const found =
    few ??
    (await ofMany(
      db,
      all(await conditions(db, tracker, others, staffId, { hasStatus: true })),
      able.map(({ id }) => id),
      bound,
    ))
  const byStatus = new Map(found.map((column) => [column.statusId, column]))
  const shown = ids.flatMap((id) => byStatus.get(id)?.ids ?? [])
  const items = new Map((await readItems(db, shown)).map((item) => [item.id, item]))
  return {
    columns: statuses.map(({ id, name, colour, group }) => {
      const { ids, n } = byStatus.get(id) ?? { ids: [], n: 0 }
      return {
        status: { id, name, colour, group: group ?? 'open' },
        total: Math.min(n, bound),
        more: n > bound,
        items: ids.flatMap((one) => items.get(one) ?? []),
      }
    }),
  }
}

import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inTurns } from '../../../kit/db/inTurns.ts'
import type { Context } from '../../../kit/http/api.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { nextNumber } from '../items/insert.ts'
import { trackerHistory, trackerItems } from '../items/tables.ts'
import { indexWords } from '../items/words.ts'
import { trackerTalk } from '../talk/tables.ts'
import type { Line } from './readLine.ts'
import { type Former, trackerImported, trackerImports } from './tables.ts'
import { setColumns } from './update.ts'

/** An item that a file knows by its key. */
export interface Known {
  id: number
  key: string
  isDeleted: boolean
}
interface Fresh {
  read: Line
  origin: string | undefined
}
interface Import {
  name: string | undefined
  fresh: readonly Fresh[]
  changes: readonly Change[]
  skipped: number
}
/** A known item with the values that the file gives it. */
export interface Change {
  id: number
  comments: number
  before: Former
  after: Former
}

/** Stores an import as one act: its new and its changed items. Returns its id. */
export async function storeImport(
  context: Context,
  tracker: Tracker,
  { name, fresh, changes, skipped }: Import,
): Promise<number> {
  const { db, staff, audit } = context
  const [made] = await db
    .insert(trackerImports)
    .values({ tracker, name, added: fresh.length, updated: changes.length, skipped, createdBy: staff.id })
    .returning({ id: trackerImports.id })
  const importId = made!.id // one inserted row returns one row
  await add(context, tracker, fresh, importId)
  await overwrite(context, changes, importId)
  audit.of(info[tracker].noun, importId)
  await changed(db, info[tracker].hint)
  return importId
}

async function add({ db, staff }: Context, tracker: Tracker, lines: readonly Fresh[], importId: number): Promise<void> {
  if (!lines.length) return
  let number = await nextNumber(db, tracker, lines.length)
  for await (const some of inTurns(lines)) {
    const made = await db
      .insert(trackerItems)
      .values(
        some.map(({ read: { columns, comments }, origin }) => ({
          ...columns,
          ...{ tracker, origin, number: number++ },
          reporterId: columns.reporterId ?? staff.id,
          createdBy: staff.id,
          comments: comments.length,
        })),
      )
      .returning({ itemId: trackerItems.id, after: trackerItems.title, comments: trackerItems.comments })
    const said = made.flatMap(({ itemId }, n) =>
      (some[n]?.read.comments ?? []).map((body) => ({ itemId, type: 'comment' as const, body, createdBy: staff.id })),
    )
    for await (const part of inTurns(said)) await db.insert(trackerTalk).values(part)
    const ids = made.map(({ itemId }) => itemId)
    await watchTheir(db, ids)
    await indexWords(db, ids)
    await remember(
      db,
      importId,
      made.map(({ itemId, after, comments }) => ({
        ...{ itemId, comments, act: 'added' as const },
        history: { by: staff.id, field: 'imported', before: null, after },
      })),
    )
  }
}

/** What the lines change of known items, which are locked until the transaction ends. Lines that change nothing are left out. */
export async function changesOf<T extends Fresh & { item: Known }>(
  db: Db,
  lines: readonly T[],
): Promise<(T & Change)[]> {
  const found: (T & Change)[] = []
  for await (const some of inTurns(lines)) {
    const former = new Map(
      (
        await readFormer(
          db,
          some.map(({ item }) => item.id),
        )
      ).map((row) => [row.id, row]),
    )
    for (const line of some) {
      const row = former.get(line.item.id)
      const after = row && merged(row.values, line.read)
      if (row && after && JSON.stringify(after) !== JSON.stringify(row.values))
        found.push({ ...line, id: row.id, comments: row.comments, before: row.values, after })
    }
  }
  return found
}

async function overwrite({ db, staff }: Context, all: readonly Change[], importId: number): Promise<void> {
  for await (const changes of inTurns(all)) {
    const ids = changes.map(({ id }) => id)
    await setColumns(
      db,
      changes.map(({ id, after }) => ({ id, values: after })),
    )
    await watchTheir(db, ids)
    await indexWords(db, ids)
    await remember(
      db,
      importId,
      changes.map(({ id, comments, before, after }) => ({
        ...{ itemId: id, comments, act: 'updated' as const, before },
        history: {
          ...{ by: staff.id, field: 'imported again' },
          before: String(before.title ?? ''),
          after: String(after.title ?? ''),
        },
      })),
    )
  }
}

/** Fields of the file and the columns that each sets. */
const columnsOf: Record<string, readonly string[]> = {
  title: ['title'],
  description: ['description'],
  steps: ['steps'],
  expected: ['expected'],
  priority: ['priority_id', 'urgency'],
  component: ['component_id'],
  folder: ['folder_id'],
  department: ['department_id'],
  assignee: ['assignee_id'],
  due: ['due_on'],
  estimate: ['estimate_minutes'],
  'estimate-in-hours': ['estimate_minutes'],
  'estimate-in-seconds': ['estimate_minutes'],
}

/** Splits an imported description from its last line, which names the key in the other tracker; undefined: no such line. */
function withoutOrigin(text: string): string | undefined {
  const at = text.lastIndexOf('\n') + 1
  return text.startsWith('Imported from ', at) ? text.slice(0, at).trimEnd() : undefined
}

/** The values of an item after an update. Unknown settings and people in the file leave what the item has. */
function merged(before: Former, { columns, filled, saysDuplicate }: Line): Former {
  const read: Former = {
    ...{ title: columns.title, description: columns.description, steps: columns.steps, expected: columns.expected },
    ...{ priority_id: columns.priorityId, urgency: columns.urgency, component_id: columns.componentId },
    ...{ folder_id: columns.folderId, department_id: columns.departmentId, assignee_id: columns.assigneeId },
    ...{ due_on: columns.dueOn, estimate_minutes: columns.estimateMinutes },
  }
  // an item of our own, or of an import without a key, does not come from elsewhere
  if (withoutOrigin(String(before.description)) === undefined)
    read.description = withoutOrigin(columns.description) ?? columns.description
  const after = { ...before }
  for (const field of filled)
    for (const column of columnsOf[field] ?? []) if (read[column] !== null) after[column] = read[column] ?? null
  if (!filled.has('status') || (saysDuplicate && before.duplicate_of_id !== null)) return after
  const isClosed = closed.includes(columns.statusGroup)
  return {
    ...after,
    ...{ status_id: columns.statusId, status_group: columns.statusGroup },
    ...(isClosed
      ? { completed_at: before.completed_at ?? new Date().toISOString() }
      : { completed_at: null, archived_at: null, duplicate_of_id: null }),
  }
}

/** The columns of these items that an import may change, locked until the transaction ends. */
const readFormer = (db: Db, ids: readonly number[]) =>
  rows<{ id: number; comments: number; values: Former }>(
    db,
    sql`select tracker_item_id as id, comments, json_build_object('title', title, 'description', description, 'steps', steps,
        'expected', expected, 'status_id', status_id, 'status_group', status_group, 'priority_id', priority_id,
        'urgency', urgency, 'component_id', component_id, 'folder_id', folder_id, 'department_id', department_id,
        'assignee_id', assignee_id, 'due_on', due_on, 'estimate_minutes', estimate_minutes,
        'completed_at', completed_at, 'archived_at', archived_at, 'duplicate_of_id', duplicate_of_id) as values
      from tracker_items where tracker_item_id = any(${sql.param([...ids])}::int[]) order by tracker_item_id for update`,
  )

interface Done {
  itemId: number
  act: 'added' | 'updated'
  comments: number
  before?: Former
  history: { by: number; field: string; before: string | null; after: string }
}

/** Writes what the import did into the history of each item and of the import. */
async function remember(db: Db, importId: number, done: readonly Done[]): Promise<void> {
  if (!done.length) return
  const noted = await db
    .insert(trackerHistory)
    .values(done.map(({ itemId, history }) => ({ ...history, itemId })))
    .returning({ itemId: trackerHistory.itemId, id: trackerHistory.id })
  const historyOf = new Map(noted.map(({ itemId, id }) => [itemId, id]))
  await db.insert(trackerImported).values(
    done.map(({ itemId, act, comments, before }) => ({
      ...{ importId, itemId, act, comments, before: before ?? null },
      historyId: historyOf.get(itemId) ?? 0,
    })),
  )
}

/** Reporters and assignees watch their imported items. */
const watchTheir = (db: Db, ids: readonly number[]) =>
  db.execute(sql`insert into tracker_watchers (item_id, user_id)
    select tracker_item_id, person from tracker_items, unnest(array[reporter_id, assignee_id]) as person
    where tracker_item_id = any(${sql.param([...ids])}::int[]) and person is not null on conflict do nothing`)

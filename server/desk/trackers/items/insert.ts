import { closed, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { info } from '../info.ts'
import { checkReaders, notifyOfItem, watch } from '../people/notify.ts'
import { choose, defaultOf, type Found, settingsOf } from '../settings/find.ts'
import { record } from './history.ts'
import { trackerItems } from './tables.ts'
import { indexWords } from './words.ts'

/** Fields of a new or changed item. Absent: unchanged, or the default. */
export interface Fields {
  title?: string | undefined
  description?: string | undefined
  steps?: string | undefined
  expected?: string | undefined
  releaseNote?: string | undefined
  statusId?: number | undefined
  priorityId?: number | null | undefined
  componentId?: number | null | undefined
  folderId?: number | null | undefined
  departmentId?: number | null | undefined
  assigneeId?: number | null | undefined
  dueOn?: string | null | undefined
  estimateMinutes?: number | null | undefined
}

/** The next number of a tracker, or the first of several numbers. The row is locked until the transaction ends. */
export async function nextNumber(db: Db, tracker: Tracker, several = 1): Promise<number> {
  const [counter] = await rows<{ last: number }>(
    db,
    sql`insert into tracker_counters (face, last) values (${tracker}, ${several})
      on conflict (face) do update set last = tracker_counters.last + ${several} returning last`,
  )
  return counter!.last - several + 1 // an upsert returns its row
}

/** Columns that derive from chosen settings. 422 beside a field whose setting does not exist. */
export function columnsOf(all: readonly Found[], fields: Fields) {
  for (const kind of ['component', 'folder', 'department'] as const) {
    const id = fields[`${kind}Id`]
    if (id) choose(all, kind, id)
  }
  const { statusId, priorityId } = fields
  const status = statusId === undefined ? undefined : choose(all, 'status', statusId)
  const priority = priorityId ? choose(all, 'priority', priorityId) : undefined
  return {
    ...(status && { statusId: status.id, statusGroup: status.group ?? ('open' as const) }),
    ...(priorityId !== undefined && { priorityId, urgency: priority?.position ?? 32_000 }),
  }
}

/** Adds an item: number, defaults, first history row, watchers and notifications. Returns its id. */
export async function insertItem(
  db: Db,
  by: { id: number; name: string },
  tracker: Tracker,
  { title = '', ...fields }: Fields,
): Promise<number> {
  const all = await settingsOf(db, tracker)
  const statusId = fields.statusId ?? defaultOf(all, 'status')?.id
  if (statusId === undefined) throw refused(`There is no status of ${info[tracker].plural} yet: add one first`)
  const priorityId = fields.priorityId === undefined ? defaultOf(all, 'priority')?.id : fields.priorityId
  const { statusGroup = 'open', ...columns } = columnsOf(all, { ...fields, statusId, priorityId })
  if (fields.assigneeId) await checkReaders(db, tracker, [fields.assigneeId], 'assigneeId')
  const number = await nextNumber(db, tracker)
  const [made] = await db
    .insert(trackerItems)
    .values({
      ...fields,
      ...columns,
      tracker,
      number,
      title,
      statusId,
      statusGroup,
      reporterId: by.id,
      createdBy: by.id,
      ...(closed.includes(statusGroup) && { completedAt: sql`now()` }),
    })
    .returning({ id: trackerItems.id })
  const { id } = made! // one inserted row returns one row
  await indexWords(db, [id])
  await record(db, id, by.id, [{ field: 'created', before: null, after: title }])
  const { assigneeId } = fields
  await watch(db, id, assigneeId ? [by.id, assigneeId] : [by.id])
  if (assigneeId) await notifyOfItem(db, by, { id, tracker, number, title }, `${by.name} assigned you.`, [assigneeId])
  await changed(db, info[tracker].hint, id)
  return id
}

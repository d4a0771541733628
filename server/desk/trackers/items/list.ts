import type { Item } from '@innkeeper/contract/desk/trackers/shapes'
import { filterKeys, type itemQuery, prefixes, type Tracker } from '@innkeeper/contract/desk/trackers/values'
import { type SQL, sql } from 'drizzle-orm'
import type * as z from 'zod'
import type { Db } from '../../../kit/db/db.ts'
import { contains, pageKeys } from '../../../kit/db/page.ts'
import { haveWords } from '../../../kit/db/words.ts'
import { refused } from '../../../kit/http/errors.ts'
import { beginOf, dayOf, endOf } from '../../../planning/calendar/dayBounds.ts'
import { timeZoneOf } from '../../../planning/calendar/places.ts'
import { idsOf, settingsOf } from '../settings/find.ts'
import { trackerItems as i } from './tables.ts'
import { readItems } from './view.ts'

/** Input of every list of items. */
export type Asked = z.output<z.ZodObject<typeof itemQuery>>

const due = sql`coalesce(${i.dueOn}, date '9999-12-31')`
const sorts = {
  updatedAt: { column: i.updatedAt, type: 'instant', direction: 'DESC' },
  createdAt: { column: i.createdAt, type: 'instant', direction: 'DESC' },
  number: { column: i.number, type: 'int', direction: 'DESC' },
  priority: { column: i.urgency, type: 'int', direction: 'ASC' },
  /** Items without a due day come last. */
  dueOn: { column: due, type: 'day', direction: 'ASC' },
  votes: { column: i.votes, type: 'int', direction: 'DESC' },
} as const

const columns = {
  status: i.statusId,
  priority: i.priorityId,
  component: i.componentId,
  folder: i.folderId,
  department: i.departmentId,
} as const
const kinds = Object.keys(columns) as (keyof typeof columns)[] // keys of our own constant

/** A single value uses the order of an index that begins with the column. */
const anyOf = (column: SQL, values: readonly (string | number)[], type: 'int' | 'text') =>
  values.length === 1
    ? sql`${column} = ${values[0]}`
    : sql`${column} = any(${sql.param([...values])}::${sql.raw(type)}[])`

/** Items of people: `me` is the caller, `none` nobody. */
function ofPeople(column: SQL, wanted: readonly (number | 'me' | 'none')[], staffId: number): SQL {
  const ids = wanted.flatMap((one) => (one === 'none' ? [] : [one === 'me' ? staffId : one]))
  const parts = [
    ...(ids.length ? [anyOf(column, ids, 'int')] : []),
    ...(wanted.includes('none') ? [sql`${column} is null`] : []),
  ]
  return sql`(${sql.join(parts, sql` or `)})`
}

/** Conditions on the expression that an index contains. */
const dueWithin = {
  // uses the column itself, so that the index of open items with a due day suffices
  overdue: (today: SQL) =>
    sql`${i.dueOn} is not null and ${i.dueOn} < ${today} and ${i.statusGroup} not in ('completed', 'cancelled')`,
  today: (today: SQL) => sql`${due} = ${today}`,
  week: (today: SQL) => sql`${due} between ${today} and ${today} + 7`,
  none: () => sql`${due} = date '9999-12-31'`,
}

/** Limit up to which items with many matching texts are counted. */
const MOST_WITH_WORDS = 1000

/** Words in titles and texts, and in comments and notes. */
const withWords = (tracker: Tracker, text: string) =>
  sql`${i.id} in (select w.item_id from tracker_words w
    where w.face = ${sql.raw(`'${tracker}'`)} and ${haveWords(sql`w.words`, text)})`

/** A part of the title, or a key: `142`, `BUG-142`. */
function named(tracker: Tracker, search: string): SQL {
  const like = contains(i.title, search)
  const [, prefix, digits] = /^(?:([a-z]+)-|#)?(\d{1,9})$/i.exec(search) ?? []
  if (!digits || (prefix && prefix.toUpperCase() !== prefixes[tracker])) return like
  return sql`(${like} or (${i.tracker} = ${tracker} and ${i.number} = ${Number(digits)}))`
}

/** Throws a 422 that names each filter that does not exist. */
function checkFilters(sent: readonly string[] = []): void {
  const unknown = sent.filter((key) => !filterKeys.includes(key))
  if (!unknown.length) return
  const message = `There is no filter ${unknown.join(', ')}. Filters: ${filterKeys.join(', ')}`
  throw refused(message, Object.fromEntries(unknown.map((key) => [`filters[${key}]`, 'No such filter'])))
}

/** Conditions of a list. `hasStatus`: the caller adds a status. */
export async function conditions(
  db: Db,
  tracker: Tracker,
  asked: Partial<Asked>,
  staffId: number,
  { hasStatus = Boolean(asked.status) } = {},
): Promise<SQL[]> {
  checkFilters(asked.filters)
  const where: SQL[] = []
  const add = (condition: SQL) => where.push(condition)
  // statuses and priorities belong to one tracker, and without a condition on the tracker their indexes suffice for a count
  if (!hasStatus && !asked.priority) add(sql`${i.tracker} = ${tracker}`)
  if (asked.deletedOnly) add(sql`${i.deletedAt} is not null`)
  else if (!asked.withDeleted) add(sql`${i.deletedAt} is null`)
  const archived = asked.archived ?? (asked.deletedOnly ? 'all' : 'false')
  if (archived !== 'all') add(archived === 'true' ? sql`${i.archivedAt} is not null` : sql`${i.archivedAt} is null`)
  const chosen = kinds.filter((kind) => asked[kind])
  const all = chosen.length ? await settingsOf(db, tracker) : []
  for (const kind of chosen) add(anyOf(sql`${columns[kind]}`, idsOf(all, kind, asked[kind] ?? []), 'int'))
  if (asked.group) add(anyOf(sql`${i.statusGroup}`, asked.group, 'text'))
  if (asked.search) add(named(tracker, asked.search))
  if (asked.text) add(withWords(tracker, asked.text))
  if (asked.assignee) add(ofPeople(sql`${i.assigneeId}`, asked.assignee, staffId))
  if (asked.reporter) add(ofPeople(sql`${i.reporterId}`, asked.reporter, staffId))
  if (asked.watcher) add(sql`${i.id} in (select w.item_id from tracker_watchers w where w.user_id = ${staffId})`)
  if (asked.due) add(dueWithin[asked.due](dayOf(sql`now()`, await timeZoneOf(db))))
  if (asked.duplicates !== undefined)
    add(asked.duplicates ? sql`${i.duplicateOfId} is not null` : sql`${i.duplicateOfId} is null`)
  if (asked.dateFrom) {
    const isDay = asked.dateFrom.length === 10
    add(
      sql`${i.createdAt} >= ${isDay ? beginOf(asked.dateFrom, await timeZoneOf(db)) : sql`${asked.dateFrom}::timestamptz`}`,
    )
  }
  if (asked.dateTo)
    add(
      asked.dateTo.length === 10 // a day without a time includes the whole day
        ? sql`${i.createdAt} < ${endOf(asked.dateTo, await timeZoneOf(db))}`
        : sql`${i.createdAt} <= ${asked.dateTo}::timestamptz`,
    )
  return where
}

/** A page of items. */
export async function listItems(
  db: Db,
  tracker: Tracker,
  asked: Asked,
  staffId: number,
): Promise<{ items: Item[]; total: number; more?: true; next?: string }> {
  const where = await conditions(db, tracker, asked, staffId)
  const listing = { ...asked, itemsPerPage: asked.take ?? asked.itemsPerPage }
  const order = sorts[asked.sort ?? 'updatedAt']
  const source = {
    from: sql`${i}`,
    where,
    key: i.id,
    order,
    ...((asked.text || asked.search) && { bound: MOST_WITH_WORDS }),
  }
  const { ids, ...page } = await pageKeys(db, listing, source)
  return { items: await readItems(db, ids), ...page }
}

import * as z from 'zod'
import { csv, filter, id, line, listQuery, paging, whole, words } from '../../kit/endpoint.ts'
import { flag, prose } from '../../quality/qc/values.ts'

/** The trackers: bugs, feature requests and internal tickets. */
export const trackers = ['bug', 'feature', 'ticket'] as const
export type Tracker = (typeof trackers)[number]

/** The start of keys: `BUG-142`. */
export const prefixes: Record<Tracker, string> = { bug: 'BUG', feature: 'FEATURE', ticket: 'TICKET' }
export const keyOf = (tracker: Tracker, number: number): string => `${prefixes[tracker]}-${number}`

export const groups = ['backlog', 'open', 'in-progress', 'completed', 'cancelled'] as const
export const group = z.enum(groups)
export type Group = z.output<typeof group>
/** Groups of finished items. Only such items can be archived. */
export const closed: readonly Group[] = ['completed', 'cancelled']

export const settingKinds = ['status', 'priority', 'component', 'folder', 'department'] as const
export type SettingKind = (typeof settingKinds)[number]

/** Targets of links. `blocks` and `relates` link to items of the tracker; a merge makes `duplicates`. */
export const linkKinds = ['blocks', 'relates', 'website', 'server', 'workflow', 'review'] as const
export const linkKind = z.enum(linkKinds)
export type LinkKind = z.output<typeof linkKind>

export const MOST_FILES = 20
export const MOST_BULK = 200
export const MOST_IMPORTED = 2000
/** Maximum number of characters of an imported file: twice as long in bytes, it still fits into one request. */
export const MOST_IMPORT_TEXT = 4_000_000
export const MOST_COLUMNS = 200
/** Fields that a column of an imported file can fill. */
export const importFields = [
  ...([
    'title',
    'description',
    'steps',
    'expected',
    'status',
    'resolution',
    'priority',
    'component',
    'folder',
  ] as const),
  ...(['department', 'assignee', 'reporter', 'due', 'estimate', 'estimate-in-hours', 'estimate-in-seconds'] as const),
  ...(['created', 'completed', 'key', 'comment'] as const),
] as const
export type ImportField = (typeof importFields)[number]
/** What becomes of items that an imported file knows by their key: they stay, are changed, or are added again. */
export const knownItems = ['skip', 'update', 'add'] as const
export type KnownItems = (typeof knownItems)[number]
/** Whether 03/04/2026 is 3 April or 4 March. */
export const dayOrders = ['day-first', 'month-first'] as const
export type DayOrder = (typeof dayOrders)[number]
/** Types of files that can be allowed; web pages and programs are never among them. */
export const fileTypes = [
  ...([
    'image/png',
    'image/jpeg',
    'image/webp',
    'image/gif',
    'application/pdf',
    'text/plain',
    'application/zip',
  ] as const),
  ...(['application/gzip', 'video/mp4', 'video/webm'] as const),
] as const

export const titleText = line(200)
export const longText = prose(50_000)
export const talkText = prose(20_000).min(1, 'Required')

/** Id or name of a setting: `3`, `Completed`. */
const chosen = filter(csv(words(80).min(1)))
/** Staff ids, `me`, or `none`. */
const somebody = filter(csv(z.union([z.literal(['me', 'none']), id])))
/** A day, or a time in ISO 8601. */
const moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })])

/** Filters that `filters[key]` accepts. */
export const filterShape = {
  search: filter(words(200)),
  /** Words in descriptions, comments and notes. */
  text: filter(words(200)),
  status: chosen,
  group: filter(csv(group)),
  priority: chosen,
  component: chosen,
  folder: chosen,
  department: chosen,
  assignee: somebody,
  reporter: somebody,
  watcher: filter(z.literal('me')),
  due: filter(z.enum(['overdue', 'today', 'week', 'none'])),
  duplicates: filter(flag),
  archived: filter(z.enum(['true', 'false', 'all'])),
}
export const filterKeys = Object.keys(filterShape)

export const sorts = ['updatedAt', 'createdAt', 'number', 'priority', 'dueOn', 'votes'] as const
/** Rows per page, as the specification names them. */
const take = filter(whole(1, 200))

/** Query of lists: `page` and `take` of the specification, and the parameters of all other lists. */
export const itemQuery = {
  ...listQuery(sorts),
  take,
  /** The keys that were sent as `filters[key]`; filled by the query parser. */
  filters: filter(csv(z.string().max(64))),
  ...filterShape,
  dateFrom: filter(moment),
  dateTo: filter(moment),
  withDeleted: filter(flag),
  deletedOnly: filter(flag),
}
/** Query of comments, notes and settings. */
export const takeQuery = { ...paging(), take, desc: filter(flag) }

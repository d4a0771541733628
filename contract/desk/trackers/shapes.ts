import * as z from 'zod'
import { instant, pageOf, stored } from '../../kit/endpoint.ts'
import { Person } from '../../quality/qc/shapes.ts'
import { colour } from '../../quality/qc/values.ts'
import { fileTypes, group, linkKinds, settingKinds, trackers } from './values.ts'

const someone = Person.nullable()
const tracker = z.enum(trackers)

/** A status, priority, component, folder or department as an item shows it. */
export const Choice = z.object({ id: z.int(), name: z.string(), colour })
export type Choice = z.output<typeof Choice>
const StatusChoice = Choice.extend({ group })

/** An item in lists and on boards. */
export const Item = z.object({
  ...stored,
  tracker,
  /** Leaves the API: `tracker` replaces it. */
  face: tracker.meta({ deprecated: true }),
  number: z.int(),
  /** `BUG-142`. */
  key: z.string(),
  title: z.string(),
  status: StatusChoice,
  priority: Choice.nullable(),
  component: Choice.nullable(),
  folder: Choice.nullable(),
  department: Choice.nullable(),
  assignee: someone,
  reporter: someone,
  /** A date, such as 2026-11-24. */
  dueOn: z.string().nullable(),
  estimateMinutes: z.int().nullable(),
  comments: z.int(),
  votes: z.int(),
  duplicateOf: z.object({ id: z.int(), key: z.string() }).nullable(),
  completedAt: instant.nullable(),
  archivedAt: instant.nullable(),
  deletedAt: instant.nullable(),
})
export type Item = z.output<typeof Item>
export const ItemList = pageOf(Item)

export const Link = z.object({
  id: z.int(),
  kind: z.enum([...linkKinds, 'duplicate']),
  /** `in`: the link belongs to the other item, which blocks this item or is a duplicate of it. */
  direction: z.enum(['out', 'in']),
  targetId: z.int(),
  /** Tracker of a linked item. */
  tracker: tracker.nullable(),
  /** Leaves the API: `tracker` replaces it. */
  face: tracker.nullable().meta({ deprecated: true }),
  /** Null if the caller may not see the target. */
  label: z.string().nullable(),
  isClosed: z.boolean(),
  /** True: the target was deleted. */
  isGone: z.boolean(),
})
export type Link = z.output<typeof Link>

export const Attachment = z.object({
  /** Id of the file. */
  id: z.int(),
  name: z.string(),
  size: z.int(),
  type: z.string(),
  addedBy: someone,
  addedAt: instant,
})
export type Attachment = z.output<typeof Attachment>

export const ItemPage = Item.extend({
  description: z.string(),
  steps: z.string(),
  expected: z.string(),
  /** Text for the release note; only for feature requests. */
  releaseNote: z.string(),
  watchers: z.array(Person),
  voters: z.array(Person),
  links: z.array(Link),
  files: z.array(Attachment),
})
export type ItemPage = z.output<typeof ItemPage>

/** A comment or an internal note. */
export const Talk = z.object({
  ...stored,
  type: z.enum(['comment', 'note']),
  itemId: z.int(),
  body: z.string(),
  author: someone,
  mentions: z.array(Person),
  editedAt: instant.nullable(),
})
export type Talk = z.output<typeof Talk>

/** A change of one field, as text. */
export const Change = z.object({
  id: z.int(),
  at: instant,
  by: someone,
  field: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type Change = z.output<typeof Change>

export const FileConfig = z.object({
  version: z.int(),
  maxSizeMb: z.int(),
  /** Maximum number of files of one item. */
  maxFiles: z.int(),
  mimeTypes: z.array(z.enum(fileTypes)),
})
export type FileConfig = z.output<typeof FileConfig>

export const Setting = z.object({
  ...stored,
  kind: z.enum(settingKinds),
  name: z.string(),
  description: z.string(),
  colour,
  position: z.int(),
  /** Group of a status; null for other settings. */
  group: group.nullable(),
  /** True: new items get this value. */
  isDefault: z.boolean(),
  /** Number of items with the value; counted up to 1,000. */
  uses: z.int(),
  /** The first items with the value, if `relations` asks for them. */
  items: z.array(Item).optional(),
})
export type Setting = z.output<typeof Setting>

/** Choices in forms, filters and boards of a tracker. */
export const Choices = z.object({
  statuses: z.array(StatusChoice.extend({ isDefault: z.boolean() })),
  priorities: z.array(Choice),
  components: z.array(Choice),
  folders: z.array(Choice),
  departments: z.array(Choice),
  /** People who may see the items. */
  people: z.array(Person),
})
export type Choices = z.output<typeof Choices>

export const Board = z.object({
  columns: z.array(z.object({ status: StatusChoice, total: z.int(), more: z.boolean(), items: z.array(Item) })),
})
export type Board = z.output<typeof Board>

/** An import of a file, one act that can be undone. */
export const TrackerImport = z.object({
  ...stored,
  /** Name of the file, if it is known. */
  name: z.string().nullable(),
  by: z.string().nullable(),
  added: z.int(),
  updated: z.int(),
  /** Lines whose items were known and stayed as they were. */
  skipped: z.int(),
  undoneAt: instant.nullable(),
  undoneBy: z.string().nullable(),
})
export type TrackerImport = z.output<typeof TrackerImport>

/** An item of an import. */
export const ImportedItem = z.object({
  id: z.int(),
  key: z.string(),
  title: z.string(),
  act: z.enum(['added', 'updated']),
  /** Whether somebody changed the item since the import. */
  isChanged: z.boolean(),
  isDeleted: z.boolean(),
})
export type ImportedItem = z.output<typeof ImportedItem>

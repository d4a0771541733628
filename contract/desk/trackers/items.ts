import * as z from 'zod'
import { csv, del, filter, get, id, line, pageOf, paging, patch, post, version, whole } from '../../kit/endpoint.ts'
import { binary, files as fileField, MiB } from '../../kit/transfer.ts'
import type { Permission } from '../../permissions/services.ts'
import {
  Attachment,
  Board,
  Change,
  Choices,
  FileConfig,
  ImportedItem,
  ItemList,
  ItemPage,
  Talk,
  TrackerImport,
} from './shapes.ts'
import {
  dayOrders,
  fileTypes,
  importFields,
  itemQuery,
  knownItems,
  linkKind,
  longText,
  MOST_BULK,
  MOST_COLUMNS,
  MOST_FILES,
  MOST_IMPORT_TEXT,
  takeQuery,
  talkText,
  titleText,
} from './values.ts'

/** Permissions that the calls of a tracker require. */
interface Rights {
  read: Permission
  create: Permission
  update: Permission
  /** Marking as a duplicate changes an item and cancels it. */
  merge: Permission | readonly [Permission, ...Permission[]]
  remove: Permission
  archive: Permission
  files: Permission
  comment: Permission
  note: Permission
  settings: Permission
}
interface Names {
  comment: 'comment' | 'comments'
  note: 'note' | 'notes'
}

const uploads = fileField({ max: MOST_FILES, bytes: 100 * MiB, types: fileTypes }).optional()
const mentions = z.array(id).max(50).optional()

/** Fields of a new item. Forms send empty text for no value. */
const chosen = filter(id)
export const common = {
  description: longText.optional(),
  priorityId: chosen,
  componentId: chosen,
  dueOn: filter(z.iso.date()),
  estimateMinutes: filter(whole(0, 100_000)),
}
/** Fields of bugs and feature requests. */
export const places = { folderId: chosen, departmentId: chosen }
export const steps = { steps: longText.optional(), expected: longText.optional() }
export const state = { statusId: chosen, assigneeId: chosen }

/** Fields of a change. Null removes the value. */
const changed = filter(id.nullable())
export const changedCommon = {
  ...common,
  priorityId: changed,
  componentId: changed,
  dueOn: filter(z.iso.date().nullable()),
  estimateMinutes: filter(whole(0, 100_000).nullable()),
}
export const changedPlaces = { folderId: changed, departmentId: changed }
export const changedState = { ...state, assigneeId: changed }
export const titled = { title: titleText }
export const retitled = { title: titleText.optional(), version }
export const withFiles = { files: uploads }

const skipped = z.array(z.object({ id: z.int(), key: z.string(), reason: z.string() }))

/** The calls that all three trackers have: bugs, feature requests and internal tickets. */
export const itemCalls = <const B extends string, const N extends Names>(base: B, names: N, rights: Rights) => {
  const comments: `${B}/:id/${N['comment']}` = `${base}/:id/${names.comment}`
  const notes: `${B}/:id/${N['note']}` = `${base}/:id/${names.note}`
  return {
    one: get(`${base}/:id`, rights.read, {
      summary: 'One item with its description, links, files and watchers',
      returns: ItemPage,
    }),
    list: get(base, rights.read, { summary: 'Items', query: itemQuery, returns: ItemList }),
    board: get(`${base}/board`, rights.read, {
      summary: 'The first items of each status, with the filters of the list',
      query: itemQuery,
      returns: Board,
    }),
    choices: get(`${base}/choices`, rights.read, {
      summary: 'Choices of forms and filters: statuses, priorities, components, folders, departments, people',
      returns: Choices,
    }),
    file: get(`${base}/csv`, rights.read, {
      summary: 'The items of a list as a CSV file',
      query: itemQuery,
      returns: binary,
      ticket: {},
    }),
    import: post(`${base}/import`, rights.create, {
      summary: 'Import items from the CSV file of another tracker. With isDryRun nothing is written',
      body: {
        text: z
          .string()
          .min(1)
          .max(MOST_IMPORT_TEXT, `At most ${MOST_IMPORT_TEXT} characters: import the file in parts`),
        /** How the file writes days such as 03/04/2026. Absent: read from the days of the file. */
        dayOrder: z.enum(dayOrders).optional(),
        /** The field of each column, in the order of the file; null: left out. Absent: read from the headings. */
        columns: z.array(z.enum(importFields).nullable()).max(MOST_COLUMNS).optional(),
        /** What becomes of items that are known by their key of origin. */
        known: z.enum(knownItems).optional(),
        /** Name of the file, for the list of imports. */
        name: line(200).optional(),
        isDryRun: z.boolean().optional(),
      },
      status: 200,
      returns: z.object({
        isDryRun: z.boolean(),
        /** Null: nothing was imported. */
        importId: z.int().nullable(),
        /** Items that were known by their key and were changed. */
        updated: z.int(),
        /** Lines whose items were known and stayed as they are. */
        known: z.int(),
        /** The first 200 of these items. */
        knownKeys: z.array(z.string()),
        /** False, in a dry run only: no column contains titles yet. */
        hasTitle: z.boolean(),
        /** Some days may be read in two ways: the import needs `dayOrder`. */
        asksOrder: z.boolean(),
        /** Number of items that were added; in a dry run, that would be added. */
        added: z.int(),
        /** Headings of the file with the field that each fills; null: ignored. */
        columns: z.array(z.object({ heading: z.string(), field: z.enum(importFields).nullable(), sample: z.string() })),
        /** Number of lines that were not imported. */
        leftOut: z.int(),
        /** Lines that were not imported, with the reason; the first 200. */
        refused: z.array(z.object({ line: z.int(), reason: z.string() })),
        /** Statuses and priorities of the other tracker, with the ones here that replace them. */
        mapped: z.array(z.object({ field: z.string(), value: z.string(), as: z.string(), lines: z.int() })),
        /** Fields whose text was longer than fits, and the number of such lines: the rest is in the description or a comment. */
        continued: z.array(z.object({ field: z.string(), lines: z.int() })),
        /** Values without a matching setting or person, and the number of lines with each. */
        unknown: z.array(z.object({ field: z.string(), value: z.string(), lines: z.int() })),
      }),
    }),
    imports: get(`${base}/imports`, rights.create, {
      summary: 'Imports, newest first',
      query: paging(),
      returns: pageOf(TrackerImport),
    }),
    oneImport: get(`${base}/imports/:id`, rights.create, {
      summary: 'An import with its items',
      query: paging(),
      returns: pageOf(ImportedItem).extend({ import: TrackerImport }),
    }),
    undoImport: post(`${base}/imports/:id/undo`, rights.remove, {
      summary:
        'Undo an import: added items are deleted, changed ones get their former values. Items that changed since stay',
      params: { id },
      status: 200,
      returns: z.object({
        undone: z.int(),
        /** Items that stay as they are, with the reason. */
        kept: skipped,
        /** Values that items cannot get back, because they were deleted meanwhile. */
        replaced: z.array(z.object({ id: z.int(), key: z.string(), field: z.string(), as: z.string() })),
      }),
    }),
    bulk: post(`${base}/bulk`, rights.update, {
      summary: 'Change several items at once, or archive, delete or restore them',
      body: {
        ids: z.array(id).min(1).max(MOST_BULK),
        act: z.enum(['change', 'archive', 'unarchive', 'delete', 'restore']).optional(),
        statusId: id.optional(),
        priorityId: id.nullable().optional(),
        componentId: id.nullable().optional(),
        folderId: id.nullable().optional(),
        departmentId: id.nullable().optional(),
        assigneeId: id.nullable().optional(),
        dueOn: z.iso.date().nullable().optional(),
      },
      status: 200,
      returns: z.object({ changed: z.int(), skipped }),
    }),
    remove: del(`${base}/:id`, rights.remove, {
      summary: 'Delete an item; it can be restored',
      body: { version },
      status: 204,
    }),
    restore: post(`${base}/:id/restore`, rights.remove, {
      summary: 'Restore a deleted item',
      status: 200,
      returns: ItemPage,
    }),
    archiveItem: post(`${base}/:id/archive`, rights.archive, {
      summary: 'Archive an item that is completed or cancelled',
      body: { version },
      status: 200,
      returns: ItemPage,
    }),
    bringBack: del(`${base}/:id/archive`, rights.archive, {
      summary: 'Restore an item from the archive',
      returns: ItemPage,
    }),
    history: get(`${base}/:id/history`, rights.read, {
      summary: 'Changes of each field, newest first',
      query: takeQuery,
      returns: pageOf(Change),
    }),
    comment: post(comments, rights.comment, {
      summary: 'Comment on an item',
      body: { body: talkText, mentions },
      returns: Talk,
    }),
    comments: get(comments, rights.read, { summary: 'Comments', query: takeQuery, returns: pageOf(Talk) }),
    note: post(notes, rights.note, {
      summary: 'Write an internal note',
      body: { body: talkText, mentions },
      returns: Talk,
    }),
    notes: get(notes, rights.read, { summary: 'Internal notes', query: takeQuery, returns: pageOf(Talk) }),
    updateTalk: patch(`${base}/talk/:id`, rights.comment, {
      summary: 'Change one’s own comment or note. The history keeps the former text',
      body: { body: talkText, mentions, version },
      returns: Talk,
    }),
    removeTalk: del(`${base}/talk/:id`, rights.comment, {
      summary: 'Delete one’s own comment or note',
      status: 204,
    }),
    attach: post(`${base}/:id/files`, rights.update, {
      summary: 'Attach files: of the form, or finished uploads of the file manager by their ids',
      form: { fileIds: filter(csv(id)), ...withFiles },
      returns: z.array(Attachment),
    }),
    download: get(`${base}/:id/files/:fileId`, rights.read, {
      summary: 'Download a file of an item',
      query: { inline: filter(z.enum(['true', 'false'])) },
      returns: binary,
      ticket: {},
    }),
    removeFiles: del(`${base}/:id/files`, rights.files, {
      summary: 'Delete files of an item',
      query: { ids: csv(id).refine((list) => list.length > 0, 'Required') },
    }),
    fileConfig: get(`${base}/file-config`, rights.read, {
      summary: 'Which files may be attached',
      returns: FileConfig,
    }),
    updateFileConfig: patch(`${base}/file-config`, rights.settings, {
      summary: 'Change which files may be attached',
      body: {
        maxSizeMb: z.int().min(1).max(100).optional(),
        maxFiles: z.int().min(1).max(200).optional(),
        mimeTypes: z.array(z.enum(fileTypes)).min(1).max(fileTypes.length).optional(),
        version,
      },
      returns: FileConfig,
    }),
    link: post(`${base}/:id/links`, rights.update, {
      summary: 'Link an item to another item, a website, a server, a workflow or a review',
      /** `targetKey` names another item: `BUG-142`. */
      body: { kind: linkKind, targetId: id.optional(), targetKey: z.string().trim().max(40).optional() },
      returns: ItemPage,
    }),
    unlink: del(`${base}/:id/links/:linkId`, rights.update, { summary: 'Remove a link', returns: ItemPage }),
    merge: post(`${base}/:id/duplicate`, rights.merge, {
      summary:
        'Merge an item into another one as its duplicate: watchers and votes are transferred. With of: null, undo the merge',
      body: { of: z.union([id, z.string().trim().max(40), z.null()]), version },
      status: 200,
      returns: ItemPage,
    }),
    watch: post(`${base}/:id/watch`, rights.read, {
      summary: 'Watch an item: its changes reach the caller as notifications',
      status: 204,
    }),
    unwatch: del(`${base}/:id/watch`, rights.read, { summary: 'Stop watching an item', status: 204 }),
  }
}

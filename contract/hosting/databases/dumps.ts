import * as z from 'zod'
import { del, get, id, instant, post, stored, version } from '../../kit/endpoint.ts'
import { binary } from '../../kit/transfer.ts'
import { databaseName, pathTyped } from '../../kit/values.ts'

/** Maximum number of bytes of a dump after decompression. */
export const MOST_DUMP_BYTES = 200 * 1024 ** 3

/** The name of a database of another server, as a dump writes it. */
export const formerDatabase = z.string().regex(/^[A-Za-z0-9_$-]{1,64}$/, 'The name of a database')

/** Effect of an import on a piece of a dump. `refused`: the piece prevents the import. */
export const dumpEffect = z.enum(['rewritten', 'left out', 'noted', 'refused'])
export const dumpTopic = z.enum([
  ...(['definer', 'collation', 'sql mode', 'database', 'accounts', 'server settings', 'other database'] as const),
  ...(['files of the server', 'server commands', 'client commands', 'incomplete', 'format', 'statement'] as const),
])
export const DumpFinding = z.object({
  effect: dumpEffect,
  topic: dumpTopic,
  /** For example `root@localhost`, or the beginning of the statement. */
  what: z.string(),
  count: z.int(),
  /** Line of the first occurrence. */
  line: z.int(),
})
export type DumpFinding = z.output<typeof DumpFinding>

/** Analysis of a dump before its import. */
export const DumpLook = z.object({
  sha256: z.string(),
  compression: z.enum(['none', 'gzip', 'zstd']),
  /** Bytes after decompression. */
  bytes: z.number(),
  statements: z.int(),
  tables: z.int(),
  findings: z.array(DumpFinding),
  /** Whether every statement was run in a scratch database. */
  tried: z.boolean().optional(),
  /** Databases that the dump names, and that are read as the database of the import. */
  readAs: z.array(formerDatabase).optional(),
})
export type DumpLook = z.output<typeof DumpLook>

export const importStatus = z.enum(['looking', 'ready', 'importing', 'done', 'failed', 'discarded'])
export const DatabaseImport = z.object({
  ...stored,
  databaseId: z.int(),
  databaseName: z.string(),
  websiteId: z.int(),
  /**
   * `upload`: a file of the file manager. `folder`: a file in the account's home. `before`: contents before an earlier
   * import.
   */
  source: z.enum(['upload', 'folder', 'before']),
  fileName: z.string(),
  size: z.number().nullable(),
  status: importStatus,
  look: DumpLook.nullable(),
  reason: z.string().nullable(),
  by: z.string(),
  workflowId: z.int().nullable(),
  /** Until when the former contents can be restored; null if there are none. */
  beforeUntil: instant.nullable(),
})
export type DatabaseImport = z.output<typeof DatabaseImport>

export const DatabaseExport = z.object({
  ...stored,
  databaseId: z.int(),
  databaseName: z.string(),
  status: z.enum(['running', 'ready', 'failed', 'gone']),
  fileName: z.string(),
  size: z.number().nullable(),
  sha256: z.string().nullable(),
  reason: z.string().nullable(),
  by: z.string(),
  workflowId: z.int().nullable(),
  /** When Innkeeper deletes the file. */
  until: instant.nullable(),
})
export type DatabaseExport = z.output<typeof DatabaseExport>

const begunImport = z.object({ data: DatabaseImport, workflowId: z.int() })

export const dumpCalls = {
  dumps: get('/database/databases/:id/dumps', 'database:database:read', {
    summary: 'Imports and exports of a database, newest first',
    returns: z.object({ imports: z.array(DatabaseImport), exports: z.array(DatabaseExport) }),
  }),
  lookAtDump: post('/database/databases/:id/imports', 'database:database:import', {
    summary: 'Bring a dump to the server of a database and list what an import would rewrite, leave out or refuse',
    body: {
      /** A file of the file manager that the caller may open. */
      fileId: id.optional(),
      /** Or a file of the website's account: the path counts from the folder of the website, or is whole. */
      path: pathTyped.optional(),
    },
    returns: begunImport,
  }),
  readDumpAs: post('/database/imports/:id/read-as', 'database:database:import', {
    summary: 'Read an analysed dump again, with the name of another database as that of the database of the import',
    body: { version, former: formerDatabase },
    status: 202,
    returns: begunImport,
  }),
  importDump: post('/database/imports/:id/start', 'database:database:import', {
    summary: 'Import an analysed dump, which replaces the contents of the database completely or not at all',
    /** Confirmation: the name of the database as the person typed it. */
    body: { version, name: databaseName },
    status: 202,
    returns: begunImport,
  }),
  revertImport: post('/database/imports/:id/revert', 'database:database:import', {
    summary: 'Restore the contents that a database had before an import',
    body: { version, name: databaseName },
    status: 202,
    returns: begunImport,
  }),
  discardImport: del('/database/imports/:id', 'database:database:import', {
    summary: 'Discard an analysed dump that was not imported',
    status: 204,
  }),
  exportDump: post('/database/databases/:id/exports', 'database:database:export', {
    summary: 'Write a dump of a database for download',
    returns: z.object({ data: DatabaseExport, workflowId: z.int() }),
  }),
  exportTicket: post('/database/exports/:id/ticket', 'database:database:export', {
    summary:
      'Create a ticket, valid once within a minute, with which a browser downloads a dump; the action log records it',
    status: 200,
    returns: z.object({ ticket: z.string(), expiresAt: instant }),
  }),
  downloadDump: get('/database/exports/:id/file', 'database:database:export', {
    summary: 'Download a dump of a database',
    ticket: { isRecorded: true },
    returns: binary,
  }),
  discardExport: del('/database/exports/:id', 'database:database:export', {
    summary: 'Delete a dump that was written for download',
    status: 204,
  }),
}

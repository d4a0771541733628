import * as z from 'zod'
import { filter, get, id, instant, line, listQuery, pageOf, patch, post, stored, version, whole } from '../kit.ts'
import { Person } from './shapes.ts'
import { importWays, sourceType } from './values.ts'

const MiB = 2 ** 20
/** Maximum bytes of one import. Larger files are sent in parts, because repeated items do no harm. */
export const IMPORT_BYTES = 512 * MiB
/** Maximum bytes of one line, which is one conversation. */
export const LINE_BYTES = 32 * MiB

const clean = (max: number) =>
  z
    .string()
    .transform((text) => text.toWellFormed().replace(/[^\P{Cc}\n\r\t]/gu, ''))
    .pipe(z.string().max(max))
const key = clean(200).pipe(z.string().min(1, 'Required'))

/** One line of an import: a chat or a ticket with its messages. docs/quality-import.md describes the fields. */
export const ImportItem = z.object({
  kind: z.enum(['chat', 'ticket']),
  id: key,
  subject: clean(500).default(''),
  customer: z.object({ name: clean(200).default(''), email: clean(320).default('') }).default({ name: '', email: '' }),
  startedAt: instant.optional(),
  csat: z.int().min(0).max(10).nullable().default(null),
  /** Id of the item that this item was merged into. */
  mergedInto: key.optional(),
  deleted: z.boolean().default(false),
  messages: z
    .array(
      z.object({
        id: key,
        at: instant,
        author: z.object({
          id: clean(320).default(''),
          name: clean(200).default(''),
          role: z.enum(['agent', 'customer', 'bot', 'system']),
        }),
        kind: z.enum(['message', 'note', 'event']).default('message'),
        text: clean(200_000),
        editedAt: instant.nullable().default(null),
        removed: z.boolean().default(false),
        files: z
          .array(z.object({ name: clean(300), size: z.int().min(0).default(0), url: clean(2000).default('') }))
          .max(100)
          .default([]),
      }),
    )
    .max(20_000),
})
export type ImportItem = z.output<typeof ImportItem>

export const ImportRun = z.object({
  id: z.int(),
  sourceId: z.int(),
  via: z.enum(importWays),
  startedAt: instant,
  endedAt: instant,
  lines: z.int(),
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** The first refused lines. */
  problems: z.array(z.object({ line: z.int(), reason: z.string() })),
  /** Why the run ended early; null: it read all items. */
  error: z.string().nullable(),
})
export type ImportRun = z.output<typeof ImportRun>

export const Source = z.object({
  ...stored,
  name: z.string(),
  type: sourceType,
  /** Settings of a help desk that Innkeeper polls: its address, the user name there, and which items are imported. */
  config: z.record(z.string(), z.string()),
  everyMinutes: z.int(),
  /** Position up to which the last run has read. */
  cursor: z.string().nullable(),
  isActive: z.boolean(),
  lastImportAt: instant.nullable(),
  lastPullAt: instant.nullable(),
  conversations: z.int(),
  /** Number of agents who are not mapped to staff. */
  unknownAgents: z.int(),
  runs: z.array(ImportRun),
})
export type Source = z.output<typeof Source>

export const Identity = z.object({
  ...stored,
  sourceId: z.int(),
  sourceName: z.string(),
  identity: z.string(),
  name: z.string(),
  user: Person.nullable(),
  seenAt: instant,
})
export type Identity = z.output<typeof Identity>

/** The URL of a help desk. Names of this machine are allowed, because a help desk may run on the same machine. */
const address = z
  .string()
  .trim()
  .max(300)
  .regex(/^(https?|xmpps?):\/\/[\w.-]+(:\d{1,5})?(\/[\w./~-]*)?$/, 'An address such as https://help.example.org/rt')
const word = z
  .string()
  .trim()
  .max(200)
  .regex(/^[\w.@+ -]*$/, 'Letters, digits, spaces and . @ + - _ only')
/** Settings of an adapter. `user` and `queue` have the meaning of the help desk. */
export const sourceConfig = z
  .object({
    url: address.optional(),
    user: word.optional(),
    /** Request Tracker: only this queue. XMPP: only messages to or from this address. */
    queue: word.optional(),
  })
  .strict()
const pulled = {
  config: sourceConfig.optional(),
  /** Password or token. Stored encrypted; no call answers it. */
  secret: z.string().max(500).optional(),
  everyMinutes: z.int().min(1).max(1440).optional(),
}

const v2 = '/qa-controller-v2'
const manager = 'qa:manager:access'
const content = { bytes: IMPORT_BYTES }
/** Maximum size of a signed body, which stays in memory until its signature is checked. */
const signed = { bytes: 32 * MiB }

/** Sources of conversations. The specification has no path for these calls. */
export const qcSources = {
  sources: get(`${v2}/sources`, manager, {
    summary: 'Sources of conversations, each with its last imports',
    query: listQuery(['name']),
    returns: pageOf(Source),
  }),
  createSource: post(`${v2}/sources`, manager, {
    summary: 'Create a source. The key that signs its imports is answered once',
    body: { name: line(80), type: sourceType.optional(), ...pulled },
    returns: z.object({ id: z.int(), name: z.string(), key: z.string() }),
  }),
  updateSource: patch(`${v2}/sources/:id`, manager, {
    summary: 'Rename a source, turn it off or on',
    body: { name: line(80).optional(), isActive: z.boolean().optional(), ...pulled, version },
    returns: Source,
  }),
  pullSource: post(`${v2}/sources/:id/pull`, manager, {
    summary: 'Fetch new items from a help desk now',
    effect: 'stream',
    status: 200,
    returns: ImportRun,
  }),
  runs: get(`${v2}/sources/:id/runs`, manager, {
    summary: 'Imports of a source, the newest first',
    query: listQuery(['startedAt']),
    returns: pageOf(ImportRun),
  }),
  renewKey: post(`${v2}/sources/:id/key`, manager, {
    summary: 'Replace the key of a source. The old key is refused at once',
    status: 200,
    returns: z.object({ key: z.string() }),
  }),
  importFile: post(`${v2}/sources/:id/file`, manager, {
    summary: 'Import a file of JSON lines',
    content,
    effect: 'stream',
    status: 200,
    returns: ImportRun,
  }),
  importSigned: post(`${v2}/import/:id`, 'public', {
    summary: 'Import JSON lines, signed with the key of the source',
    query: {
      /** Seconds since 1970, at most five minutes from the time of the server. */
      time: whole(0, 10_000_000_000),
      /** Hex HMAC-SHA256 over `<time>.<hex SHA-256 of the body>`. */
      signature: z.string().max(200),
    },
    content: signed,
    effect: 'stream',
    status: 200,
    returns: ImportRun,
  }),
  identities: get(`${v2}/identities`, manager, {
    summary: 'Agents by their names in sources, with the staff that they are mapped to',
    query: {
      ...listQuery(['name']),
      search: filter(z.string().trim().max(200)),
      unknown: filter(z.enum(['true', 'false'])),
    },
    returns: pageOf(Identity),
  }),
  mapIdentity: patch(`${v2}/identities/:id`, manager, {
    summary: 'Map an agent of a source to a person, also in conversations that were imported before',
    body: { userId: id.nullable(), version },
    returns: Identity,
  }),
}

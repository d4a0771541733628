import * as z from 'zod'
import { instant, stored } from '../../kit/endpoint.ts'
import { Person } from './shapes.ts'
import { importWays, sourceType } from './values.ts'

export const MiB = 2 ** 20
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
        text: clean(200000),
        /** `html`: the text is HTML, of which the words are kept. */
        format: z.enum(['text', 'html']).optional(),
        editedAt: instant.nullable().default(null),
        removed: z.boolean().default(false),
        files: z
          .array(z.object({ name: clean(300), size: z.int().min(0).default(0), url: clean(2000).default('') }))
          .max(100)
          .default([]),
      }),
    )
    .max(20000),
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
  /** Ids of items that could not be read. Each import reads them first. */
  unread: z.array(z.string()),
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

import * as z from 'zod'
import { get, id, instant, post, stored, version } from '../../kit/endpoint.ts'
import { replacedText, replaceHow, tableName } from '../../kit/values.ts'

/** Why a value that contains the text stays as it is. */
export const leftWhy = z.enum([
  ...(['key', 'reference', 'generated', 'unreadable', 'binary', 'too long', 'too large', 'no key'] as const),
])
export const ReplacedColumn = z.object({
  table: z.string(),
  column: z.string(),
  /** Values with the text, and how many times they contain it. */
  values: z.int(),
  count: z.int(),
})
const left = z.array(z.object({ table: z.string(), column: z.string(), why: leftWhy, values: z.int() }))
export type LeftValues = z.output<typeof left>[number]

/** Preview of a replacement in a database. */
export const ReplacementSearch = z.object({
  databaseId: z.int(),
  name: z.string(),
  tables: z.int(),
  values: z.int(),
  count: z.int(),
  columns: z.array(ReplacedColumn.extend({ samples: z.array(z.object({ before: z.string(), after: z.string() })) })),
  left,
  /** Tables that were not searched within the time limit. */
  unsearched: z.array(z.string()),
})
export type ReplacementSearch = z.output<typeof ReplacementSearch>

/** Result of a replacement in a database. */
export const ReplacementResult = z.object({
  values: z.int(),
  count: z.int(),
  /** Fewer than `values` if somebody changed some meanwhile. */
  changed: z.int(),
  columns: z.array(ReplacedColumn),
  left,
})
export type ReplacementResult = z.output<typeof ReplacementResult>

export const replacementStatus = z.enum(['replacing', 'replaced', 'failed', 'undone', 'reverting', 'reverted'])
/** A text that was replaced in databases of a website. */
export const Replacement = z.object({
  ...stored,
  websiteId: z.int(),
  from: z.string(),
  to: z.string(),
  how: replaceHow,
  status: replacementStatus,
  databases: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      tables: z.array(z.string()).nullable(),
      result: ReplacementResult.nullable(),
    }),
  ),
  by: z.string(),
  /** Until when the former values can be restored. */
  keptUntil: instant,
  /** Why they cannot be restored now. */
  notRevertible: z.string().nullable(),
  workflowId: z.int().nullable(),
})
export type Replacement = z.output<typeof Replacement>

/** What is replaced, and where. Absent: all databases, all tables. */
const wanted = {
  from: replacedText,
  to: replacedText,
  how: replaceHow.default('text'),
  databases: z
    .array(z.object({ id, tables: z.array(tableName).min(1).max(1000).optional() }))
    .min(1)
    .max(100)
    .refine((all) => new Set(all.map((one) => one.id)).size === all.length, 'Each database once')
    .optional(),
}
const begun = z.object({ data: Replacement, workflowId: z.int() })

export const replacementCalls = {
  search: post('/database/websites/:id/search', 'database:database:replace', {
    summary: 'Count what a replacement would change in the databases of a website, with samples; nothing changes',
    body: wanted,
    live: true,
    effect: 'stream',
    status: 200,
    returns: z.object({ items: z.array(ReplacementSearch), total: z.int() }),
  }),
  replacements: get('/database/websites/:id/replacements', 'database:database:read', {
    summary: 'Replacements in the databases of a website, newest first',
    returns: z.object({ items: z.array(Replacement), total: z.int() }),
  }),
  replace: post('/database/websites/:id/replacements', 'database:database:replace', {
    summary:
      'Replace a text in the databases of a website, also in serialized data and JSON; the former values are kept',
    body: wanted,
    status: 202,
    returns: begun,
  }),
  putBack: post('/database/replacements/:id/put-back', 'database:database:replace', {
    summary: 'Restore the values that a replacement changed, except those that somebody has changed since',
    body: { version },
    status: 202,
    returns: begun,
  }),
}

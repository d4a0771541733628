import type { CopyReport, Merge } from '@innkeeper/contract/hosting/stagings/shapes'
import { boolean, index, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from '../websites/tables.ts'

/** Tables of a live database at the time of the copy. */
export interface TablesThen {
  databaseId: number
  tables: { name: string; rows: number; sum: string | null }[]
}

/** Data of a staging copy in addition to its website row. */
export const stagings = pgTable(
  'stagings',
  {
    id: integer('website_id')
      .primaryKey()
      .references(() => websites.id),
    liveId: integer()
      .notNull()
      .references(() => websites.id),
    copiedAt: instant(),
    report: jsonb().$type<CopyReport>(),
    tables: jsonb().$type<TablesThen[]>(),
  },
  (t) => [index('stagings_live').on(t.liveId)],
)

/** A merge of a copy into the live website. The snapshot on the server is named by the merge id. */
export const merges = pgTable(
  'merges',
  {
    id: identity('merge_id'),
    stagingId: integer()
      .notNull()
      .references(() => websites.id),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    status: text({ enum: ['merging', 'merged', 'failed', 'undone', 'reverting', 'reverted'] }).notNull(),
    files: boolean().notNull(),
    /** Chosen paths; null for all files. */
    paths: text().array(),
    tables: jsonb().$type<Merge['tables']>().notNull(),
    by: text().notNull(),
    keptUntil: instant().notNull(),
    workflowId: integer().references(() => workflows.id),
    /** The workflow of the merge. `workflowId` is the latest one, possibly of the revert. */
    mergedById: integer().references(() => workflows.id),
    /** Account of the website at the time. It owns the data for a revert, on its server. */
    systemUserId: integer().references(() => systemUsers.id),
    ...stored(),
  },
  (t) => [index('merges_website').on(t.websiteId, t.id), index('merges_workflow').on(t.workflowId)],
)

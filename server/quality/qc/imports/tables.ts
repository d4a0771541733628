import { importWays, sourceTypes } from '@innkeeper/contract/quality/qc/values'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { users } from '../../../access/users/tables.ts'
import { deletable, identity, instant, stored } from '../../../kit/db/columns.ts'

/** Sources of conversations. The key that signs imports is in the secret store, not in this table. */
export const qcSources = pgTable(
  'qc_sources',
  {
    id: identity('qc_source_id'),
    name: text().notNull(),
    type: text({ enum: sourceTypes }).notNull().default('json'),
    /** Address and user name for the adapter. The password is in the secret store. */
    config: jsonb().$type<Record<string, string>>().notNull().default({}),
    /** Cursor: where the last run of the adapter stopped reading. */
    cursor: text(),
    /** Ids of items that could not be read, the oldest attempt first. Each run of the adapter reads some of them again. */
    unread: jsonb().$type<string[]>().notNull().default([]),
    everyMinutes: integer().notNull().default(10),
    isActive: boolean().notNull().default(true),
    lastImportAt: instant(),
    /** When the adapter ran last, even if the run failed. */
    lastPullAt: instant(),
    ...stored(),
    ...deletable(),
  },
  (t) => [uniqueIndex('qc_sources_unique_name').on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`)],
)

/** Agents as a source names them. `userId` is null while the agent is not mapped to a staff member. */
export const qcIdentities = pgTable(
  'qc_identities',
  {
    id: identity('qc_identity_id'),
    sourceId: integer()
      .notNull()
      .references(() => qcSources.id),
    /** Name or address of the agent in the source. */
    identity: text().notNull(),
    name: text().notNull(),
    userId: integer().references(() => users.id),
    seenAt: instant().notNull().default(sql`now()`),
    ...stored(),
  },
  (t) => [
    uniqueIndex('qc_identities_unique').on(t.sourceId, t.identity),
    index('qc_identities_name').on(sql`lower(${t.name})`, t.id),
    index('qc_identities_user').on(t.userId),
    index('qc_identities_search').using('gin', sql`lower(${t.name} || ' ' || ${t.identity}) gin_trgm_ops`),
    index('qc_identities_unknown').on(t.id).where(sql`${t.userId} is null`),
  ],
)

export interface Problem {
  line: number
  reason: string
}

export const qcImportRuns = pgTable(
  'qc_import_runs',
  {
    id: identity('qc_import_run_id'),
    sourceId: integer()
      .notNull()
      .references(() => qcSources.id),
    via: text({ enum: importWays }).notNull(),
    startedAt: instant().notNull(),
    endedAt: instant().notNull(),
    startedBy: integer(),
    lines: integer().notNull(),
    added: integer().notNull(),
    changed: integer().notNull(),
    unchanged: integer().notNull(),
    refused: integer().notNull(),
    /** The first refused lines with their reasons. */
    problems: jsonb().$type<Problem[]>().notNull(),
    /** Why the run ended early. */
    error: text(),
  },
  (t) => [index('qc_import_runs_of_source').on(t.sourceId, t.startedAt, t.id)],
)

import {
  adoptionStatuses,
  type FoundMachine,
  placeStatuses,
  type Remaining,
} from '@innkeeper/contract/recovery/adoptions/shapes'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { websites } from '../../hosting/websites/tables.ts'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'
import { archiveImports } from '../archiveImports/tables.ts'

/** Servers in use elsewhere: what runs there, and which names still lead to them. */
export const adoptions = pgTable(
  'adoptions',
  {
    id: identity('adoption_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    status: text({ enum: adoptionStatuses }).notNull().default('looking'),
    found: jsonb().$type<FoundMachine>(),
    elsewhere: jsonb().$type<Remaining[]>(),
    /** Null: the names are looked up soon. */
    checkedAt: instant(),
    reason: text(),
    staffName: text().notNull(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
  },
  (t) => [
    uniqueIndex('adoptions_server').on(t.serverId),
    index('adoptions_created').on(t.createdAt, t.id),
    index('adoptions_status').on(t.status, t.createdAt, t.id),
    index('adoptions_due').on(t.checkedAt).where(sql`${t.status} = 'ready'`),
    index('adoptions_workflow').on(t.workflowId),
  ],
)

/** Websites of an adopted server that were taken over where they lie. */
export const adoptionPlaces = pgTable(
  'adoption_places',
  {
    id: identity('adoption_place_id'),
    adoptionId: integer()
      .notNull()
      .references(() => adoptions.id, { onDelete: 'cascade' }),
    account: text().notNull(),
    domain: text().notNull(),
    websiteId: integer()
      .notNull()
      .references(() => websites.id),
    /** Aliases that came with the website. */
    aliases: jsonb().$type<number[]>().notNull(),
    status: text({ enum: placeStatuses }).notNull().default('taking'),
    reason: text(),
    staffName: text().notNull(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
  },
  (t) => [
    index('adoption_places_adoption').on(t.adoptionId, t.id),
    index('adoption_places_website').on(t.websiteId),
    index('adoption_places_workflow').on(t.workflowId),
  ],
)

/** Imports of websites of an adopted server. */
export const adoptionImports = pgTable(
  'adoption_imports',
  {
    adoptionId: integer()
      .notNull()
      .references(() => adoptions.id, { onDelete: 'cascade' }),
    importId: integer()
      .notNull()
      .references(() => archiveImports.id, { onDelete: 'cascade' }),
    account: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.adoptionId, t.importId] }), index('adoption_imports_import').on(t.importId)],
)

import type { Inventory } from '@innkeeper/contract/recovery/archiveImports/inventory'
import { newPasswordKinds, UNLINKED_DAYS } from '@innkeeper/contract/recovery/archiveImports/passwords'
import {
  importSources,
  importStatuses,
  type NameLine,
  type PlanLine,
  type ReportLine,
} from '@innkeeper/contract/recovery/archiveImports/shapes'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { owners } from '../../hosting/owners/tables.ts'
import { identity, instant, stored } from '../../kit/db/columns.ts'
import { workflows } from '../../kit/work/tables.ts'
import { servers } from '../../machines/servers/tables.ts'

/** Rows that an import has made, by what they were in the archive. */
export interface Made {
  /** Each website, with its aliases. */
  websites: { id: number; domain: string; from: string; aliases: number[]; state: 'active' | 'suspended' }[]
  databases: { id: number; name: string; importId: number; userId: number; username: string; hashed: boolean }[]
  mailboxes: { id: number; domain: string; from: string; users: { userId: number; address: string }[] }[]
  certificates: { websiteId: number; from: string }[]
  ftp: { websiteId: number; users: { id: number; from: string; fresh?: number | undefined }[] }[]
  zones: { domain: string; zoneFile: string; leaveOut: number; active: boolean; records: number }[]
  cron: number
  /** When the files came, by the clock of the server. A file that changes later was changed here. */
  at?: number
  /** What an earlier import made, and this one brought up to date. */
  again?: { websites: AgainOne[]; mail: AgainOne[] }
}
interface AgainOne {
  id: number
  domain: string
  from: string
}

/** Archives of other panels: what they contain, the plan that people started, and the comparison with the result. */
export const archiveImports = pgTable(
  'archive_imports',
  {
    id: identity('archive_import_id'),
    serverId: integer()
      .notNull()
      .references(() => servers.id),
    source: text({ enum: importSources }).notNull(),
    /** The path on the server, or the name of the uploaded file. */
    fileName: text().notNull(),
    status: text({ enum: importStatuses }).notNull().default('looking'),
    inventory: jsonb().$type<Inventory>(),
    ownerId: integer().references(() => owners.id),
    plan: jsonb().$type<PlanLine[]>(),
    made: jsonb().$type<Made>(),
    report: jsonb().$type<ReportLine[]>(),
    reason: text(),
    /** Names of what was imported, and where they led when they were looked up last. */
    names: jsonb().$type<NameLine[]>(),
    watching: boolean().notNull().default(false),
    lookedAt: instant(),
    staffName: text().notNull(),
    workflowId: integer().references(() => workflows.id, { onDelete: 'set null' }),
    ...stored(),
  },
  (t) => [
    index('archive_imports_created').on(t.createdAt, t.id),
    index('archive_imports_name').on(t.fileName, t.id),
    index('archive_imports_server').on(t.serverId, t.createdAt, t.id),
    index('archive_imports_status').on(t.status, t.createdAt, t.id),
    index('archive_imports_watched').on(t.lookedAt).where(sql`${t.watching}`),
    index('archive_imports_workflow').on(t.workflowId),
    index('archive_imports_search').using('gin', sql`lower(${t.fileName}) gin_trgm_ops`),
  ],
)

/**
 * Accounts of an import with new passwords, because the target refused the former ones or the archive had none. The password
 * of a mailbox or an FTP user is a secret until its link is opened or the time is over; that of a database is its account's.
 */
export const newPasswords = pgTable(
  'new_passwords',
  {
    id: identity('new_password_id'),
    importId: integer()
      .notNull()
      .references(() => archiveImports.id, { onDelete: 'cascade' }),
    kind: text({ enum: newPasswordKinds }).notNull(),
    /** Id of the mailbox, the FTP user or the database account. */
    accountId: integer().notNull(),
    login: text().notNull(),
    /** When the account got the password of the link. Another time there: it has another one. Null for databases. */
    setAt: instant(),
    /** The end of the link, or of the password if there is no link yet. */
    until: instant()
      .notNull()
      .default(sql.raw(`now() + interval '${UNLINKED_DAYS} days'`)),
    linkHash: text(),
    madeAt: instant(),
    madeBy: text(),
    openedAt: instant(),
    openedFrom: text(),
    openedBy: text(),
    revokedAt: instant(),
  },
  (t) => [
    index('new_passwords_import').on(t.importId, t.id),
    uniqueIndex('new_passwords_link').on(t.linkHash),
    index('new_passwords_until').on(t.until),
  ],
)

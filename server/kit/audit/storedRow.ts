import { eq, getTableColumns, isTable, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from '../db/db.ts'
import { statement } from '../db/driver/prepared.ts'

type Kept = ReturnType<typeof byKey>

const byKey = (table: PgTable, key: PgColumn) =>
  statement((db) =>
    db
      .select()
      .from(table)
      .where(eq(key, sql.placeholder('id')))
      .prepare(`stored_${key.name}`),
  )

/** Reads the row that a call changes; undefined if no table matches the name in the permission. */
export type StoredRow = (
  db: Db,
  about: { resource: string | null; resourceId: string | null },
) => Promise<Record<string, unknown> | undefined>

/**
 * Finds rows by the names that tables and permissions share: for permissions on `website`, the table with the key
 * `website_id`; for `dns-zone`, the table with `dns_zone_id`. So the action log has the rows before and after a call
 * without code in the domains.
 */
export function storedRows(tables: readonly unknown[]): StoredRow {
  const kept = new Map(
    tables.flatMap((table): [string, Kept][] => {
      if (!isTable(table)) return []
      const key = Object.values(getTableColumns(table)).find((column) => column.primary && column.dataType === 'number')
      return key?.name.endsWith('_id')
        ? [[key.name.slice(0, -3).replaceAll('_', '-'), byKey(table as PgTable, key as PgColumn)]]
        : []
    }),
  )
  return async (db, { resource, resourceId }) => {
    const read = resource ? kept.get(resource) : undefined
    const id = /^[1-9]\d{0,8}$/.test(resourceId ?? '') ? Number(resourceId) : undefined
    if (!read || id === undefined) return undefined
    const [row] = await read(db).execute({ id })
    return row
  }
}

import { eq, getTableColumns, isTable, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import * as tables from '../../tables.ts'
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

let known: Map<string, Kept> | undefined

/** `website_id` is the key of what permissions call a website, `dns_zone_id` that of a dns-zone. */
function keptAs(resource: string): Kept | undefined {
  known ??= new Map(
    Object.values(tables).flatMap((table): [string, Kept][] => {
      if (!isTable(table)) return []
      const key = Object.values(getTableColumns(table)).find((column) => column.primary && column.dataType === 'number')
      return key?.name.endsWith('_id') ? [[key.name.slice(0, -3).replaceAll('_', '-'), byKey(table, key)]] : []
    }),
  )
  return known.get(resource)
}

/**
 * The row that a call is about, found by the names that tables and permissions share; nothing where they do not. What
 * the action log shows as before and after, without a word from the domain.
 */
export async function storedRow(
  db: Db,
  { resource, resourceId }: { resource: string | null; resourceId: string | null },
): Promise<Record<string, unknown> | undefined> {
  const kept = resource ? keptAs(resource) : undefined
  const id = /^[1-9]\d{0,8}$/.test(resourceId ?? '') ? Number(resourceId) : undefined
  if (!kept || id === undefined) return undefined
  const [row] = await kept(db).execute({ id })
  return row
}

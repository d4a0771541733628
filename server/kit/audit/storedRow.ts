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

/** `website_id` is the key of the resource `website`, `dns_zone_id` that of `dns-zone`. */
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
 * Reads the row that a call changes, by the name that table and permission share; undefined if the names differ. The
 * action log uses the row as before and after without code in the domain.
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

import type { Batch } from '@innkeeper/contract/shifts'
import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { shiftBatches } from '../tables.ts'

const SHOWN = 50

/** Latest batches, newest first; with an id only that one. */
export async function readBatches(db: Db, id?: number): Promise<Batch[]> {
  const found = await db
    .select({ ...getTableColumns(shiftBatches), published: sql<number>`cardinality(${shiftBatches.published})` })
    .from(shiftBatches)
    .where(id === undefined ? undefined : eq(shiftBatches.id, id))
    .orderBy(desc(shiftBatches.createdAt), desc(shiftBatches.id))
    .limit(SHOWN)
  return found.map(({ id, createdAt, by, text, made, removed, published, undoneAt, undoneBy }) => ({
    ...{ id, at: createdAt, by, text, made, removed, published, undoneAt, undoneBy },
  }))
}

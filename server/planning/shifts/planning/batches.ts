import type { Batch } from '@innkeeper/contract/planning/shifts/calls'
import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { shiftBatches, shifts } from '../tables.ts'

const SHOWN = 50

/** First and last day of the shifts that a batch created, removed or published; a union, so that each part uses its index. */
const daysOfBatch = sql`(select min(date)::text as first, max(date)::text as last from (
    select date from ${shifts} where batch_id = ${shiftBatches.id}
    union all select date from ${shifts} where removed_batch_id = ${shiftBatches.id}
    union all select date from ${shifts} where shift_id = any(${shiftBatches.published})
  ) of_batch) days`

/** Latest batches, newest first; with an id only that one. */
export async function readBatches(db: Db, id?: number): Promise<Batch[]> {
  const found = await db
    .select({
      ...getTableColumns(shiftBatches),
      published: sql<number>`cardinality(${shiftBatches.published})`,
      from: sql<string | null>`days.first`,
      to: sql<string | null>`days.last`,
    })
    .from(shiftBatches)
    .leftJoinLateral(daysOfBatch, sql`true`)
    .where(id === undefined ? undefined : eq(shiftBatches.id, id))
    .orderBy(desc(shiftBatches.createdAt), desc(shiftBatches.id))
    .limit(SHOWN)
  return found.map(({ id, createdAt, by, text, from, to, made, removed, published, undoneAt, undoneBy }) => ({
    ...{ id, at: createdAt, by, text, from, to, made, removed, published, undoneAt, undoneBy },
  }))
}

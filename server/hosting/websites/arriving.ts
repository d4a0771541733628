import { and, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../kit/db/db.ts'
import { changedEach } from '../../kit/live/live.ts'
import type { Outcome } from '../../kit/work/workflow.ts'
import { noteUids } from '../systemUsers/lifecycle.ts'
import { systemUsers } from '../systemUsers/tables.ts'
import { websites } from './tables.ts'

/** A website that a workflow of another subject makes, with its aliases. */
interface Arriving {
  id: number
  aliases: number[]
  state: 'active' | 'suspended'
}

const nextVersion = { version: sql`${websites.version} + 1`, updatedAt: sql`now()` }

/** Gives new websites the status of the workflow that makes them. After a rollback they never were. */
export async function arrived(tx: Db, workflowId: number, sites: readonly Arriving[], outcome: Outcome): Promise<void> {
  if (outcome === 'done') await noteUids(tx, workflowId)
  for (const state of ['active', 'suspended'] as const) {
    const ids = sites.filter((one) => one.state === state).flatMap(({ id, aliases }) => [id, ...aliases])
    if (!ids.length) continue
    const gone = outcome === 'rolled-back'
    const status = outcome === 'done' ? state : gone ? 'deleted' : outcome === 'failed' ? 'failed' : 'creating'
    const found = await tx
      .update(websites)
      .set({ status, ...nextVersion, ...(gone && { deletedAt: sql`now()`, purgedAt: sql`now()` }) })
      .where(and(inArray(websites.id, ids), isNull(websites.deletedAt)))
      .returning({ systemUserId: websites.systemUserId })
    const accounts = [...new Set(found.map(({ systemUserId }) => systemUserId))]
    if (gone && accounts.length)
      await tx
        .update(systemUsers)
        .set({ deletedAt: sql`now()` })
        .where(
          and(
            inArray(systemUsers.id, accounts),
            isNull(systemUsers.deletedAt),
            sql`not exists (select from websites w where w.system_user_id = ${systemUsers.id} and w.deleted_at is null)`,
          ),
        )
    await changedEach(tx, 'websites', ids)
  }
}

/** The workflow that makes the websites, which their pages show. */
export const noteMaker = (tx: Db, ids: readonly number[], workflowId: number) =>
  ids.length
    ? tx
        .update(websites)
        .set({ workflowId })
        .where(inArray(websites.id, [...ids]))
    : undefined

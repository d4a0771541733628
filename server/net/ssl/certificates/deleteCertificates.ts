import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { secrets } from '../../../kit/app/tables.ts'
import type { Db } from '../../../kit/db/db.ts'
import { nextVersion } from '../../../kit/http/version.ts'
import { workflows } from '../../../kit/work/tables.ts'
import { certificateOrders, certificates } from '../tables.ts'

export async function isAtWork(db: Db, workflowId: number | null): Promise<boolean> {
  if (workflowId === null) return false
  const open = and(eq(workflows.id, workflowId), isNull(workflows.endedAt))
  return (await db.select({ id: workflows.id }).from(workflows).where(open)).length > 0
}

/** Deletes certificates with all their keys. */
export async function forget(db: Db, ids: number[]): Promise<void> {
  if (!ids.length) return
  const orders = await db
    .select({ secret: certificateOrders.secret })
    .from(certificateOrders)
    .where(inArray(certificateOrders.certificateId, ids))
  const kept = await db.select({ secret: certificates.secret }).from(certificates).where(inArray(certificates.id, ids))
  const names = [...new Set([...orders, ...kept].flatMap(({ secret }) => secret ?? []))]
  if (names.length) await db.delete(secrets).where(inArray(secrets.name, names))
  await db
    .update(certificates)
    .set({ deletedAt: sql`now()`, secret: null, renewAt: null, ...nextVersion })
    .where(and(inArray(certificates.id, ids), isNull(certificates.deletedAt)))
}

import type { Place } from '@innkeeper/contract/recovery/adoptions/shapes'
import { desc, eq, type SQL } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import type { Context } from '../../../kit/http/api.ts'
import { notFound } from '../../../kit/http/errors.ts'
import { adoptionPlaces } from '../tables.ts'

const MOST = 500

export async function readPlaces(db: Db, which: SQL): Promise<Place[]> {
  const found = await db.select().from(adoptionPlaces).where(which).orderBy(desc(adoptionPlaces.id)).limit(MOST)
  return found.map(
    ({ id, version, createdAt, updatedAt, account, domain, status, websiteId, reason, staffName, workflowId }) => ({
      ...{ id, version, createdAt, updatedAt, account, domain, status, websiteId, reason, by: staffName, workflowId },
    }),
  )
}

export async function readPlace(db: Db, id: number): Promise<Place> {
  const [found] = await readPlaces(db, eq(adoptionPlaces.id, id))
  if (!found) throw notFound('adoption place', id)
  return found
}

/** Locks and reads a place, and notes it for the action log. */
export async function heldPlace({ db, audit }: Context, id: number) {
  const [row] = await db.select().from(adoptionPlaces).where(eq(adoptionPlaces.id, id)).for('update')
  if (!row) throw notFound('adoption place', id)
  audit.of('adoption', row.adoptionId)
  audit.before({ domain: row.domain, status: row.status })
  return row
}

import type { Zone } from '@innkeeper/contract/net/dns/calls'
import { and, eq, sql } from 'drizzle-orm'
import { inUnicode } from '../../hosting/websites/view.ts'
import type { Staff } from '../../kit/access/sessions.ts'
import { byIds } from '../../kit/db/byIds.ts'
import type { Db } from '../../kit/db/db.ts'
import { inOrder } from '../../kit/db/page.ts'
import { notFound } from '../../kit/http/errors.ts'
import { zones } from './tables.ts'
import { visibleTo } from './visible.ts'

const columns = {
  id: zones.id,
  version: zones.version,
  createdAt: zones.createdAt,
  updatedAt: zones.updatedAt,
  domain: zones.domain,
  active: zones.active,
  adminOnly: zones.adminOnly,
  departmentIds: zones.departmentIds,
  serial: zones.serial,
  liveSerial: zones.liveSerial,
  dnssec: zones.dnssec,
  records: zones.records,
  changedBy: zones.changedBy,
  workflowId: zones.workflowId,
}
const select = byIds((db, isWanted) => db.select(columns).from(zones).where(isWanted(zones.id)))

const shown = <Z extends { domain: string }>(zone: Z) => ({ ...zone, unicode: inUnicode(zone.domain) })

/** Reads zones in the order of `ids`; the caller has checked that they are visible. */
export async function readZones(db: Db, ids: number[]): Promise<Zone[]> {
  return inOrder(ids, (await select(db, ids)).map(shown))
}

const selectVisible = (viewer: Parameters<typeof visibleTo>[0]) =>
  byIds((db, isWanted) =>
    db
      .select(columns)
      .from(zones)
      .where(and(isWanted(zones.id), visibleTo(viewer))),
  )
const selectAsAdmin = selectVisible({ isAdmin: true, departmentId: null })
const selectAs = selectVisible({ isAdmin: false, departmentId: sql.placeholder('department') })

/** Reads a zone that the caller may see; throws 404 otherwise. */
export async function readZone(db: Db, id: number, staff: Staff): Promise<Zone> {
  const [found] = staff.isAdmin
    ? await selectAsAdmin(db, [id])
    : await selectAs(db, [id], { department: staff.departmentId })
  if (!found) throw notFound('zone', id)
  return shown(found)
}

export type KeptZone = typeof zones.$inferSelect

/** Locks the zone row until the transaction ends, so that changes of one zone run in sequence. */
export async function holdZone(db: Db, id: number, staff: Staff): Promise<KeptZone> {
  const [found] = await db
    .select()
    .from(zones)
    .where(and(eq(zones.id, id), visibleTo(staff)))
    .for('update')
  if (!found) throw notFound('zone', id)
  return found
}

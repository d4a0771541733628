import type { Monitor } from '@innkeeper/contract/hosting/monitoring'
import { desc, eq, sql } from 'drizzle-orm'
import { type Db, rows } from '../../kit/db/db.ts'
import { servers } from '../../machines/servers/tables.ts'
import { monitors } from '../websites/tables.ts'
import { monitorChanges } from './tables.ts'

const CHANGES = 50
const DAYS = 90

/** The monitor of a website with its history. A website without a monitor has the default settings. */
export async function readMonitor(db: Db, websiteId: number): Promise<Monitor> {
  const [found] = await db
    .select({ monitor: monitors, askedBy: servers.name })
    .from(monitors)
    .leftJoin(servers, eq(servers.id, monitors.askedBy))
    .where(eq(monitors.websiteId, websiteId))
  const changes = await db
    .select({
      at: monitorChanges.at,
      state: monitorChanges.state,
      status: monitorChanges.status,
      reason: monitorChanges.reason,
    })
    .from(monitorChanges)
    .where(eq(monitorChanges.websiteId, websiteId))
    .orderBy(desc(monitorChanges.at), desc(monitorChanges.id))
    .limit(CHANGES)
  const days = await rows<Monitor['days'][number]>(
    db,
    sql`select to_char(day, 'YYYY-MM-DD') as day, checks, failures, (ms / nullif(checks - failures, 0))::int as ms
      from monitor_days where website_id = ${websiteId} and day > (now() at time zone 'UTC')::date - ${DAYS}::int order by day`,
  )
  if (!found) return { ...never(websiteId), changes, days }
  const {
    told: _,
    nextAt: __,
    failures: ___,
    createdAt: ____,
    createdBy: _____,
    updatedAt: ______,
    ...monitor
  } = found.monitor
  return { ...monitor, askedBy: found.askedBy, changes, days }
}

const never = (websiteId: number): Omit<Monitor, 'changes' | 'days'> => ({
  ...{ websiteId, enabled: true, path: '/', word: null, version: 0 },
  ...{ state: 'unknown', since: new Date().toISOString(), checkedAt: null, status: null, ms: null, reason: null },
  ...{ certificateUntil: null, askedBy: null },
})

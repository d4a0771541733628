import { monitoring as monitoringContract } from '@innkeeper/contract/hosting/monitoring'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import type { App } from '../../kit/app/app.ts'
import { calls } from '../../kit/http/api.ts'
import { monitoringHandlers } from './handlers.ts'
import { monitoringPart } from './part.ts'
import { watchRound } from './round.ts'
import * as tables from './tables.ts'

/**
 * Effects of other changes: a website that is suspended, in maintenance, moved or deleted is not monitored (park.ts). A
 * renamed or moved website is requested by its new name at its new server from the next round on. A server that is
 * offline causes one notification, from its heartbeats. A merge or a move interrupts a website for seconds, which
 * causes at most one failure and so stays below the threshold.
 */
export const monitoring: Domain = {
  calls: [calls('monitoring', monitoringContract, monitoringHandlers)],
  tables,
  websiteParts: [monitoringPart],
  schedules: [
    // finds the websites that are due; each is due every CHECK_S seconds (contract/hosting/monitoring.ts)
    { name: 'websites', everyMs: 10_000, work: (app) => watchRound(app) },
    { name: 'history of websites', everyMs: 3_600_000, work: thinOut },
  ],
}

async function thinOut({ db }: App): Promise<void> {
  await db.execute(sql`delete from monitor_changes where at < now() - interval '1 year'`)
  await db.execute(sql`delete from monitor_days where day < now() - interval '1 year'`)
}

import { operation as operationContract } from '@innkeeper/contract/desk/operation'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { sinceText } from '../../kit/app/sinceText.ts'
import { calls } from '../../kit/http/api.ts'
import { deliverAlerts } from './alerts/deliver.ts'
import { notifyAway } from './away.ts'
import { compareTroubles } from './compare.ts'
import { operationHandlers } from './handlers.ts'
import { beat } from './heartbeat.ts'
import * as tables from './tables.ts'
import { readChannels, readHeartbeat } from './view.ts'

const link = '/operation'
/** Minutes for which alerts may wait, and the heartbeat may fail, before the other channels say so. */
const LATE_MS = 300_000
const isOld = (since: string | null) => since !== null && Date.now() - Date.parse(since) > LATE_MS

/**
 * The health of Innkeeper itself: what every domain finds wrong (`troubles`) is told once, and once again when it is over,
 * by every channel of the settings; a heartbeat tells a place outside that all is well (decision 188).
 */
export const operation: Domain = {
  calls: [calls('operation', operationContract, operationHandlers)],
  tables,
  readScopes: { operation: ['operation:health:read'] },
  schedules: [
    { name: 'faults of Innkeeper', everyMs: 15_000, work: compareTroubles },
    { name: 'alerts of Innkeeper', everyMs: 5000, work: deliverAlerts },
    { name: 'alert of an absent database', everyMs: 5000, work: (app) => notifyAway(app) },
    { name: 'heartbeat', everyMs: 5000, work: beat },
  ],
  metrics: [
    {
      name: 'innkeeper_own_troubles',
      help: 'Open faults of Innkeeper itself, by level',
      labels: ['level'],
      rows: sql`select l as level, (select count(*) from own_troubles where ended_at is null and level = l)::float8 as value
        from unnest(array['warning', 'error']) l`,
    },
    {
      name: 'innkeeper_own_alerts_waiting',
      help: 'Alerts about Innkeeper itself that have not left',
      labels: [],
      rows: sql`select count(*)::float8 as value from own_alerts where next_at is not null`,
    },
    {
      name: 'innkeeper_heartbeat_age_seconds',
      help: 'Age of the last heartbeat that was taken; absent without one',
      labels: [],
      rows: sql`select extract(epoch from now() - sent_at)::float8 as value from own_heartbeats where sent_at is not null`,
    },
  ],
  troubles: [
    {
      prefix: 'alerts ',
      isWatched: async ({ settings }, key) => Object.hasOwn(settings.alerts, key.replace('alerts ', '')),
      async find({ db, settings }) {
        const all = await readChannels(db, settings)
        return all.flatMap(({ channel, to, waiting, waitingSince, error }) => {
          if (!isOld(waitingSince)) return []
          const detail = `${waiting} wait.${error ? ` ${error}.` : ''}`
          return [{ key: `alerts ${channel}`, title: `Alerts do not reach ${to}`, detail, level: 'error', link }]
        })
      },
    },
    {
      prefix: 'heartbeat',
      isWatched: async ({ settings }) => settings.heartbeat !== undefined,
      async find({ db, settings }) {
        const found = await readHeartbeat(db, settings)
        if (!found?.failingSince || !isOld(found.failingSince)) return []
        const { to, error, failingSince } = found
        const detail = `Since ${sinceText(failingSince)}. ${error ?? ''}`
        return [{ key: 'heartbeat', title: `The heartbeat does not reach ${to}`, detail, level: 'error', link }]
      },
    },
  ],
}

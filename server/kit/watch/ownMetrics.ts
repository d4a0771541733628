import { sql } from 'drizzle-orm'
import type { Metric } from './metric.ts'

/** Figures of the kit's own tables. */
export const ownMetrics: readonly Metric[] = [
  {
    name: 'innkeeper_queue_actions',
    help: 'Actions that have not ended, by state and lane',
    labels: ['state', 'lane'],
    rows: sql`select status as state, lane, count(*)::float8 as value from actions
      where status in ('ready', 'running', 'unknown', 'blocked', 'failed') group by 1, 2`,
  },
  {
    name: 'innkeeper_queue_oldest_seconds',
    help: 'How long the oldest action that is ready has waited, by lane',
    labels: ['lane'],
    rows: sql`select lane, coalesce(extract(epoch from now() - min(ready_at)), 0)::float8 as value from actions
      where status = 'ready' group by 1`,
  },
  {
    name: 'innkeeper_workflows_open',
    help: 'Workflows that have not ended, by state',
    labels: ['state'],
    rows: sql`select status as state, count(*)::float8 as value from workflows where ended_at is null group by 1`,
  },
]

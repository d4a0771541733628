import { sql } from 'drizzle-orm'
import type { Metric } from '../../kit/watch/metric.ts'
import { observed } from './view.ts'

export const agentMetrics: readonly Metric[] = [
  {
    name: 'innkeeper_agents',
    help: 'Servers by the state of their agent and its version',
    labels: ['state', 'version'],
    rows: sql`select ${observed} as state, coalesce(server_states.agent_version, '') as version, count(*)::float8 as value
      from servers left join server_states on server_states.server_id = servers.server_id
      where servers.deleted_at is null group by 1, 2`,
  },
]

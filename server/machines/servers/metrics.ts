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
  {
    name: 'innkeeper_mail_queued',
    help: 'Messages in the queue of each mail server, as its agent last counted them',
    labels: ['server'],
    rows: sql`select s.name as server, (service->>'waiting')::float8 as value
      from servers s join server_states t on t.server_id = s.server_id, jsonb_array_elements(t.services) service
      where s.deleted_at is null and service ? 'waiting' order by 2 desc limit 200`,
  },
]

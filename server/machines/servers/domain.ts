import { servers as serversContract } from '@innkeeper/contract/machines/servers/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { calls } from '../../kit/http/api.ts'
import { retryLate } from '../../kit/work/lateActions.ts'
import { noticeSilence, SILENCE_MS } from './agents/silence.ts'
import { agentWorkflows } from './agents/updates.ts'
import { provisionWorkflows } from './enrolment/provision.ts'
import { serversHandlers } from './handlers.ts'
import { agentMetrics } from './metrics.ts'
import { phpWorkflows } from './php.ts'
import * as tables from './tables.ts'
import { agentTroubles } from './troubles.ts'

export const servers: Domain = {
  calls: [calls('servers', serversContract, serversHandlers)],
  workflows: [phpWorkflows, provisionWorkflows, agentWorkflows],
  tables,
  metrics: agentMetrics,
  troubles: agentTroubles,
  subjects: { server: { see: 'server:server:read', act: 'server:server:update' } },
  readScopes: { servers: ['server:server:read'], practice: [] },
  retention: [{ table: 'heartbeats', old: sql`at < now() - interval '7 days'` }],
  schedules: [
    { name: 'silent servers', everyMs: SILENCE_MS, work: noticeSilence },
    { name: 'actions that slow servers failed', everyMs: 60_000, work: retryLate },
  ],
}

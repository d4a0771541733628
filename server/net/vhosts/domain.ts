import { originVhosts as originVhostsContract } from '@innkeeper/contract/net/originVhosts/calls'
import { vhosts as vhostsContract } from '@innkeeper/contract/net/vhosts/calls'
import { sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { isEdge } from '../../machines/servers/services.ts'
import { vhostsHandlers } from './edges/handlers.ts'
import { edgeWorkflows } from './edges/lifecycle.ts'
import { edgePart } from './edges/part.ts'
import { trustingOnly } from './edges/proxies.ts'
import { edgesRenewed } from './edges/renew.ts'
import { siteEdges } from './edges/siteEdges.ts'
import * as edgeTables from './edges/tables.ts'
import { collectTraffic } from './edges/traffic.ts'
import { ownPoolsOfAccount } from './origins/accountPart.ts'
import { originWorkflows } from './origins/begin.ts'
import { originVhostsHandlers } from './origins/handlers.ts'
import { lookRound } from './origins/lookRound.ts'
import { ownPoolPart } from './origins/part.ts'
import * as tables from './tables.ts'

export const vhosts: Domain = {
  calls: [
    calls('vhosts', vhostsContract, vhostsHandlers),
    calls('originVhosts', originVhostsContract, originVhostsHandlers),
  ],
  workflows: [originWorkflows, edgeWorkflows],
  tables: { ...edgeTables, ...tables },
  websiteParts: [edgePart, ownPoolPart],
  accountParts: [ownPoolsOfAccount],
  siteEdges,
  subjects: { vhost: { see: 'vhost:vhost:read', act: 'vhost:vhost:resync' } },
  agentUpdated: async (db, server, by, resource) =>
    isEdge(server) ? { after: [edgesRenewed(server.id, by, resource)] } : { before: [await trustingOnly(db, server)] },
  readScopes: { vhosts: ['vhost:vhost:read'], originVhosts: ['vhost:origin:read'] },
  schedules: [
    { name: 'traffic', everyMs: 60_000, work: (app) => collectTraffic(app) },
    { name: 'applications', everyMs: 60_000, work: (app) => lookRound(app) },
  ],
  retention: [{ table: 'vhost_traffic', old: sql`at < now() - interval '7 days'` }],
  secrets: [
    {
      prefix: 'vhost:',
      enter: { scope: 'vhost:rule:update', at: '/vhost/cdn' },
      what: 'Passwords of visitors of a website behind an edge',
      again: 'CDN or XDN → Rules: enter a password for each visitor.',
      of: (_, rest) =>
        sql`select domain from vhosts join websites using (website_id) where vhost_id = ${numberIn(rest)}`,
    },
  ],
}

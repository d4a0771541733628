import { dns as dnsContract } from '@innkeeper/contract/net/dns/calls'
import { eq, sql } from 'drizzle-orm'
import type { Domain } from '../../domain.ts'
import { numberIn } from '../../kit/app/secretKinds.ts'
import { calls } from '../../kit/http/api.ts'
import { workflows } from '../../kit/work/tables.ts'
import { baseOf } from '../../machines/servers/services.ts'
import { serverStates } from '../../machines/servers/tables.ts'
import { dnsHandlers } from './handlers.ts'
import { zoneWorkflows } from './lifecycle.ts'
import { nameServersOf } from './nameServers.ts'
import { syncOverdue } from './publications/overdue.ts'
import { noteReached } from './publications/reached.ts'
import { syncWorkflows } from './publications/sync.ts'
import { seedZones } from './seed.ts'
import { dsRound } from './signing/parent.ts'
import { dnsPart } from './sites/part.ts'
import * as tables from './tables.ts'
import { isOfVisibleZone } from './visible.ts'

export const dns: Domain = {
  calls: [calls('dns', dnsContract, dnsHandlers)],
  workflows: [zoneWorkflows, syncWorkflows],
  tables,
  websiteParts: [dnsPart],
  subjects: {
    zone: { see: 'dns:zone:read', act: 'dns:record:update', rows: isOfVisibleZone },
    // the subject of these workflows is all zones, also those that the caller may not see
    dns: { see: 'dns:zone:sync', rows: ({ id, isAdmin }) => (isAdmin ? sql`true` : eq(workflows.startedById, id)) },
  },
  readScopes: { dns: ['dns:zone:read', 'dns:department:read'] },
  departmentsOf: {
    dns: (ids) => sql`select zone_id as id, department_ids as departments from zones where zone_id = any(${ids})`,
  },
  schedules: [
    { name: 'zones', everyMs: 3_600_000, work: (app) => syncOverdue(app) },
    { name: 'DS records', everyMs: 60_000, work: (app) => dsRound(app) },
    { name: 'waiting zones', everyMs: 10_000, work: (app) => noteReached(app) },
  ],
  guardedAddresses: nameServersOf,
  async agentUpdated(db, server) {
    const [state] = await db.select().from(serverStates).where(eq(serverStates.serverId, server.id))
    const runs = state?.services?.some(({ name, state: now }) => name === 'powerdns' && now === 'active')
    return runs ? { after: baseOf(server, ['powerdns']) } : {}
  },
  seed: { at: 40, run: seedZones },
  secrets: [
    {
      prefix: 'dnssec-keys:',
      enter: { scope: 'dns:zone:update', at: '/dns', page: (_, rest) => sql`select '/dns/zone/' || ${numberIn(rest)}` },
      what: 'Signing keys of a zone',
      again: 'Remove the DS record at the registry, then turn DNSSEC off and on again.',
      of: (_, rest) => sql`select domain from zones where zone_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'dns-outside-key:',
      enter: { scope: 'dns:zone:update', at: '/dns', page: (_, rest) => sql`select '/dns/zone/' || ${numberIn(rest)}` },
      what: 'Transfer key of name servers of somebody else',
      again: 'DNS → Options: save them again and give the new key to the other side.',
      of: (_, rest) => sql`select domain from zones where zone_id = ${numberIn(rest)}`,
    },
    {
      prefix: 'dns-transfer-key',
      what: 'Transfer key between our name servers',
      again: 'A new key is made. DNS → Synchronise writes it to every name server.',
    },
  ],
}

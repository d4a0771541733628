import type { dns as contract } from '@innkeeper/contract/net/dns/calls'
import { type SQL, sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { refused } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { step } from '../../../kit/work/action.ts'
import { cancelStopped } from '../../../kit/work/cancel.ts'
import { describe, onEnd, start } from '../../../kit/work/workflow.ts'
import { zonesCompare } from '../actions.ts'
import { readNameServers } from '../settings.ts'
import { readZone } from '../view.ts'
import { visibleTo } from '../visible.ts'
import { type By, lockOf } from './publish.ts'
import { zonesRepair, zonesTurn } from './repair.ts'

const AT_ONCE = 500

/** Compares the database with every name server, 500 zones per step. */
export const syncHandlers: Pick<Handlers<typeof contract>, 'sync'> = {
  async sync({ zoneId, repair }, { db, staff, audit }) {
    const zone = zoneId === undefined ? undefined : await readZone(db, zoneId, staff)
    if (zone && !zone.active) throw refused(`${zone.domain} is not active: name servers do not serve it`)
    const started = await startSync(db, staff, {
      repair,
      ...(!staff.isAdmin && { which: visibleTo(staff) }),
      ...(zone && { zone }),
    })
    if (zone) audit.of('zone', zone.id)
    audit.workflow(started.workflowId)
    return started
  },
}

export async function startSync(
  tx: Db,
  by: By,
  { zone, repair, which }: { zone?: { id: number; domain: string }; repair: boolean; which?: SQL },
): Promise<{ workflowId: number; zones: number; servers: number }> {
  const servers = await readNameServers(tx)
  if (!servers.length) throw refused('There is no name server yet: add a server of type dns')
  const wanted = await rows<{ domain: string; serial: number; digest: string; dnskeys?: string[] }>(
    tx,
    sql`select domain, serial::float8 as serial, digest,
      case when not dnssec then '[]'::jsonb when keys <> '[]'::jsonb then jsonb_path_query_array(keys, '$[*].dnskey') end as dnskeys
      from zones where deleted_at is null and active
      and ${which ?? sql`true`} and (${zone?.id ?? null}::int is null or zone_id = ${zone?.id ?? null}::int) order by domain`,
  )
  // zones deleted in the last 90 days, or inactive, must be on no name server
  const absent =
    zone || which
      ? []
      : await rows<{ domain: string }>(
          tx,
          sql`select distinct domain from zones z where (deleted_at > now() - interval '90 days' or (deleted_at is null and not active))
          and not exists (select from zones o where o.domain = z.domain and o.deleted_at is null and o.active) order by domain`,
        )
  const request = `zones.sync ${crypto.randomUUID()}`
  const batches = Math.max(1, Math.ceil(Math.max(wanted.length, absent.length) / AT_ONCE))
  const part = <T>(all: T[], n: number) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE)
  const workflowId = await start(tx, {
    kind: 'zones.sync',
    subject: zone ? { type: 'zone', id: zone.id, name: zone.domain } : { type: 'dns', id: 1, name: 'All zones' },
    holder: by.name,
    startedById: by.id,
    request,
    plan: [
      ...servers.flatMap(({ id, name, primary }) =>
        Array.from({ length: batches }, (_, n) =>
          step(
            zonesCompare,
            {
              from: primary ? null : (servers[0]?.address ?? null),
              zones: part(wanted, n).map(({ dnskeys, ...zone }) => ({ ...zone, ...(dnskeys && { dnskeys }) })),
              absent: part(absent, n).map(({ domain }) => domain),
            },
            { server: id, resource: { type: 'name-server', id, name } },
          ),
        ),
      ),
      step(zonesRepair, { request, repair, by: by.name }, { resource: { type: 'dns', id: 1, name: 'All zones' } }),
    ],
    locks: zone ? [lockOf(zone.domain)] : ['zones:sync'],
  })
  return { workflowId, zones: wanted.length, servers: servers.length }
}

/** Moves every zone with its keys to another primary. */
export async function startTurn(tx: Db, by: By, primary: string): Promise<number> {
  await cancelStoppedSyncs(tx, by.name)
  return start(tx, {
    kind: 'zones.turn',
    subject: { type: 'dns', id: 1, name: 'All zones' },
    holder: by.name,
    startedById: by.id,
    plan: [step(zonesTurn, { primary, by: by.name }, { resource: { type: 'dns', id: 1, name: 'All zones' } })],
    locks: ['zones:turn'],
  })
}

/** A new sync of all zones makes stopped ones obsolete, and cancels them. */
export async function cancelStoppedSyncs(tx: Db, by: string): Promise<void> {
  const stopped = await rows<{ id: number }>(
    tx,
    sql`select workflow_id as id from workflows where kind in ('zones.sync', 'zones.turn') and subject_type = 'dns'
      and status = 'failed' and ended_at is null`,
  )
  for (const { id } of stopped) await cancelStopped(tx, id, by)
}

/** Declares the workflows of this file, for domain.ts. */
export function syncWorkflows(): void {
  describe('zones.turn', { title: 'Move zones to another primary', doing: 'being moved to another primary' })
  onEnd('zones.turn', (tx) => changed(tx, 'dns'))
  describe('zones.sync', { title: 'Sync name servers', doing: 'being compared with the name servers' })
  onEnd('zones.sync', (tx) => changed(tx, 'dns'))
}

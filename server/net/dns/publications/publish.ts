import { randomBytes } from 'node:crypto'
import { USUAL_OPTIONS } from '@innkeeper/contract/net/dns/options'
import { eq, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { type PlanStep, secret, step } from '../../../kit/work/action.ts'
import { start } from '../../../kit/work/workflow.ts'
import { zoneEnsure, zoneFetch, zoneProbe, zoneRemove } from '../actions.ts'
import { readNameServers, readSettings, type ZoneServer } from '../settings.ts'
import { keysSecret, outsideSecret, zoneKeysTake } from '../signing/keys.ts'
import { zones } from '../tables.ts'
import type { KeptZone } from '../view.ts'
import { allSets, setsOf } from './sets.ts'
export interface By {
  id: number | null
  name: string
}
/** Name of the TSIG key that authenticates zone transfers between the name servers. */
const TRANSFER_KEY = 'dns-transfer-key'

export const lockOf = (domain: string): string => `zone:${domain}`

/**
 * Starts a workflow that publishes a zone to all name servers. The workflow sends every record set changed since all
 * servers had the zone, so that a later publication includes each earlier one and may overtake it. Returns the workflow
 * id, or null for an inactive zone and when there is no name server. `whole` sends all records; `alone` refuses while
 * another workflow holds the lock of the zone; `behind` uses the long lane for agent steps, so that publications
 * started by people overtake bulk ones.
 */
export async function publish(
  tx: Db,
  { secrets }: Pick<App, 'secrets'>,
  zone: KeptZone,
  by: By,
  { whole = false, alone = false, behind = false } = {},
): Promise<number | null> {
  const servers = await readNameServers(tx)
  const [primary, ...secondaries] = servers
  if (!zone.active || !primary) return null
  await secrets.readOrMake(tx, TRANSFER_KEY, () => randomBytes(32).toString('base64'))
  const { change, sets } = await setsOf(tx, zone, whole)
  const options = { ...USUAL_OPTIONS, ...zone.options }
  const { nameServers, hostmaster } = await readSettings(tx)
  const { domain, serial, dnssec: signed } = zone
  const resource = { type: 'zone', id: zone.id, name: domain }
  const zoneKey = secret(TRANSFER_KEY)
  const dnskeys = signed && zone.keys.length ? zone.keys.map(({ dnskey }) => dnskey) : undefined
  const plan: PlanStep[] = [
    // zones that were signed before Innkeeper stored keys
    ...(signed && !dnskeys
      ? [
          step(
            zoneKeysTake,
            { zoneId: zone.id, domain, servers: servers.map(({ id, name }) => ({ id, name })) },
            { resource },
          ),
        ]
      : []),
    step(
      zoneEnsure,
      {
        ...{ domain, serial, signed, hostmaster, zoneKey },
        ...(signed && { keys: secret(keysSecret(zone.id)) }),
        whole: sets === undefined,
        sets: sets ?? (await allSets(tx, zone)),
        nameServer: nameServers[0] ?? domain,
        secondaries: secondaries.map(({ address }) => address),
        ...options,
        ...(options.outside.length && { outsideKey: secret(outsideSecret(zone.id)) }),
      },
      { server: primary.id, resource },
    ),
    ...secondaries.map(({ id }) =>
      step(zoneFetch, { domain, serial, signed, primary: primary.address, zoneKey }, { server: id, resource }),
    ),
    step(zoneProbe, { domain, serial, change, servers: servers.map(bare), ...(dnskeys && { dnskeys }) }, { resource }),
  ]
  // the probe runs on this node and stays in its usual lane: in the long lane it could wait for a repair that itself
  // waits for the probe
  const laid = behind ? plan.map((one) => (one.serverId === null ? one : { ...one, lane: 'long' as const })) : plan
  return begin(tx, zone, 'zone.publish', laid, by, alone ? [lockOf(domain)] : [])
}

/** The newest open publication of a zone, leaving out the workflow `besides`. */
export async function openPublication(tx: Db, zoneId: number, besides = 0): Promise<number | undefined> {
  const [found] = await rows<{ id: number }>(
    tx,
    sql`select workflow_id as id from workflows where subject_type = 'zone' and subject_id = ${zoneId}
      and kind = 'zone.publish' and ended_at is null and workflow_id <> ${besides} order by workflow_id desc limit 1`,
  )
  return found?.id
}

/**
 * Starts a workflow that removes a zone from all name servers, the primary first, so that no secondary can fetch it
 * again.
 */
export async function withdraw(tx: Db, zone: KeptZone, by: By): Promise<number | null> {
  const servers = await readNameServers(tx)
  const resource = { type: 'zone', id: zone.id, name: zone.domain }
  const plan = servers.map(({ id }) => step(zoneRemove, { domain: zone.domain }, { server: id, resource }))
  return plan.length ? begin(tx, zone, 'zone.withdraw', plan, by, [lockOf(zone.domain)]) : null
}

async function begin(tx: Db, zone: KeptZone, kind: string, plan: PlanStep[], by: By, locks: string[]): Promise<number> {
  const workflowId = await start(tx, {
    kind,
    subject: { type: 'zone', id: zone.id, name: zone.domain },
    holder: by.name,
    startedById: by.id,
    plan,
    locks,
  })
  await tx.update(zones).set({ workflowId }).where(eq(zones.id, zone.id))
  await changed(tx, 'dns', zone.id)
  return workflowId
}

const bare = ({ id, name, address }: ZoneServer) => ({ id, name, address })

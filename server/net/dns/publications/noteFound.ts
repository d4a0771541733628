import { isLater, nextSerial } from '@innkeeper/contract/net/dns/records'
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { zones } from '../tables.ts'
import type { KeptZone } from '../view.ts'
import { comparedIn, type Drift } from './comparison.ts'
import { type By, withdraw } from './publish.ts'

/** Saves the comparison results of one sync per zone and server, and logs one line for each difference. */
export async function noteFound(
  tx: Db,
  request: string,
  objections: ReadonlyMap<string, string>,
  say: (text: string) => void,
): Promise<{ drifted: Map<string, Drift[]>; leftovers: Set<string> }> {
  const found = await comparedIn(tx, request)
  const drifted = new Map<string, Drift[]>()
  const leftovers = new Set<string>()
  for (const { serverId, name, zones: all, differing, present } of found) {
    if (!differing) {
      say(`${name}: its answer was not understood`)
      continue
    }
    const asked = new Map(all.map(({ domain, serial }) => [domain, serial]))
    for (const [domain, serial] of asked) {
      const fault = objections.get(`${serverId} ${domain}`)
      const found = differing.find((one) => one.domain === domain)
      if (fault !== undefined && !found) differing.push({ domain, serial, digest: null, fault })
    }
    const differs = new Set(differing.map(({ domain }) => domain))
    await noteSame(
      tx,
      serverId,
      [...asked.keys()].filter((domain) => !differs.has(domain)),
    )
    const noted: ({ domain: string } & Drift)[] = []
    for (const { domain, serial, fault } of differing) {
      const objection = objections.get(`${serverId} ${domain}`)
      const drift = driftOf(asked.get(domain) ?? 0, serial, objection, fault ?? null)
      noted.push({ domain, ...drift })
      drifted.set(domain, [...(drifted.get(domain) ?? []), drift])
      say(
        `${name}: ${domain} is ${drift.seen}${serial === null ? '' : `, serial ${serial}`}${drift.why ? `: ${drift.why}` : ''}`,
      )
    }
    await noteDrift(tx, serverId, noted)
    for (const domain of present) {
      leftovers.add(domain)
      say(`${name}: ${domain} should not be there`)
    }
  }
  return { drifted, leftovers }
}
export async function withdrawLeftover(tx: Db, domain: string, by: By): Promise<void> {
  const [zone] = await tx.select().from(zones).where(eq(zones.domain, domain)).orderBy(desc(zones.id)).limit(1)
  if (zone && (zone.deletedAt || !zone.active)) await withdraw(tx, zone, by)
}
const driftOf = (
  wanted: number,
  serial: number | null,
  objection: string | undefined,
  fault: string | null,
): Drift => ({
  serial,
  seen: serial === null ? 'missing' : objection ? 'bogus' : isLater(wanted, serial) ? 'behind' : 'different',
  why: serial === null ? null : (objection ?? fault),
})
const noteSame = (tx: Db, serverId: number, domains: string[]) =>
  tx.execute(sql`insert into zone_states (zone_id, server_id, seen, serial)
    select zone_id, ${serverId}::int, 'same', serial from zones where domain = any(${sql.param(domains)}::text[]) and deleted_at is null
    on conflict (zone_id, server_id) do update set seen = 'same', why = null, serial = excluded.serial, at = now()`)
const noteDrift = (tx: Db, serverId: number, all: ({ domain: string } & Drift)[]) =>
  tx.execute(sql`insert into zone_states (zone_id, server_id, seen, serial, why)
    select z.zone_id, ${serverId}::int, d.seen, d.serial, d.why from json_to_recordset(${JSON.stringify(all)}::json)
        d(domain text, seen text, serial bigint, why text)
      join zones z on z.domain = d.domain and z.deleted_at is null
    on conflict (zone_id, server_id) do update set seen = excluded.seen, why = excluded.why, serial = excluded.serial, at = now()`)
/** Raises the serial above those of all drifted servers: a secondary fetches only a later serial. */
export async function risenAbove(tx: Db, domain: string, drifts: Drift[]): Promise<KeptZone | undefined> {
  const [zone] = await tx
    .select()
    .from(zones)
    .where(sql`${zones.domain} = ${domain} and ${zones.deletedAt} is null and ${zones.active}`)
    .for('update')
  if (!zone) return undefined
  let { serial } = zone
  for (const { serial: theirs } of drifts) if (theirs !== null && !isLater(serial, theirs)) serial = nextSerial(theirs)
  if (serial === zone.serial) return zone
  const [after] = await tx
    .update(zones)
    .set({ serial, version: sql`version + 1` })
    .where(eq(zones.id, zone.id))
    .returning()
  return after
}

import { setTimeout as sleep } from 'node:timers/promises'
import { isLater, nextSerial } from '@innkeeper/contract/dns/records'
import { objectionTo } from '@innkeeper/contract/dns/validate'
import { desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { offlineBefore } from '../../kit/agents/online.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { action } from '../../kit/work/action.ts'
import { askAt } from '../signing/ask.ts'
import { zones } from '../tables.ts'
import type { KeptZone } from '../view.ts'
import { type By, publish, withdraw } from './publish.ts'

const Compared = z.object({
  /** Zones in which the server differs; nulls: the server lacks the zone. */
  differing: z.array(
    z.object({
      domain: z.string(),
      serial: z.int().nullable(),
      digest: z.string().nullable(),
      fault: z.string().nullable().optional(),
    }),
  ),
  /** Zones on the server that should be on no server. */
  present: z.array(z.string()),
})
const Asked = z.object({
  zones: z.array(z.object({ domain: z.string(), serial: z.int(), dnskeys: z.array(z.string()).optional() })),
})
interface Drift {
  seen: 'missing' | 'behind' | 'different' | 'bogus'
  why: string | null
  serial: number | null
}

/**
 * Saves the results of the comparisons in its workflow. With `repair` it publishes each zone that differs and withdraws
 * each zone that should be on no server, one workflow per zone.
 */
export const zonesRepair = action(
  'zones.repair',
  z.object({ request: z.string(), repair: z.boolean(), by: z.string() }),
  {
    title: 'Repair',
    what: ({ repair }) => (repair ? 'sends differing zones to the name servers again' : 'records differing zones'),
    lane: 'long',
    async run({ request, repair, by }, { app, say, fence, signal }) {
      fence()
      const objections = await validated(app.db, request, say, signal)
      const { drifted, leftovers } = await app.db.transaction((tx) => noteFound(tx, request, objections, say))
      if (!drifted.size && !leftovers.size) say('All zones are correct on all name servers')
      const holder = { id: null, name: by }
      const mend: ((tx: Db) => Promise<unknown>)[] = repair
        ? [
            ...[...drifted].map(([domain, drifts]) => async (tx: Db) => {
              const zone = await risenAbove(tx, domain, drifts)
              if (zone) await publish(tx, app, zone, holder, { whole: true, behind: true })
            }),
            ...[...leftovers].map((domain) => (tx: Db) => withdrawLeftover(tx, domain, holder)),
          ]
        : []
      for (const one of mend) {
        await roomFor(app.db, signal)
        fence()
        await app.db.transaction(one)
      }
      await changed(app.db, 'dns')
      return { zones: drifted.size, leftovers: leftovers.size, repaired: repair }
    },
  },
)

/**
 * After a change of the primary: publishes every zone whole, with its keys, to the new primary and from there to the
 * others. Does not compare first, because the former primary may never return.
 */
export const zonesTurn = action('zones.turn', z.object({ primary: z.string(), by: z.string() }), {
  title: 'Move zones',
  what: ({ primary }) => `every zone to ${primary}, with its keys`,
  lane: 'long',
  async run({ by }, { app, say, fence, signal }) {
    const all = await app.db
      .select({ id: zones.id })
      .from(zones)
      .where(sql`${zones.deletedAt} is null and ${zones.active}`)
      .orderBy(desc(zones.dnssec), zones.id)
    for (const { id } of all) {
      await roomFor(app.db, signal)
      fence()
      await app.db.transaction(async (tx) => {
        const [zone] = await tx
          .select()
          .from(zones)
          .where(sql`${zones.id} = ${id} and ${zones.deletedAt} is null and ${zones.active}`)
          .for('update')
        if (zone) await publish(tx, app, zone, { id: null, name: by }, { whole: true, behind: true })
      })
    }
    say(`${all.length} ${all.length === 1 ? 'zone is' : 'zones are'} being published`)
    return { zones: all.length }
  },
})

/** Maximum of open publications at a time; more would only fill the queue. */
const AT_ONCE = 24

/**
 * Waits until few publications are open. Publications that wait for an absent server do not count: a new name server
 * lacks every zone and would fill the queue.
 */
async function roomFor(db: Db, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const [open] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from (select from workflows w join actions a on a.workflow_id = w.workflow_id
        where w.ended_at is null and w.kind = 'zone.publish' and a.status in ('ready', 'running')
          and not exists (select from server_states s where s.server_id = a.server_id and s.last_seen_at < ${offlineBefore})
        limit ${AT_ONCE}) busy`,
    )
    if ((open?.n ?? 0) < AT_ONCE) return
    await sleep(250, undefined, { signal })
  }
}

/** The comparisons of a sync. */
const comparedIn = (db: Db, request: string) =>
  rows<{ serverId: number; name: string; address: string | null; input: unknown; output: unknown }>(
    db,
    sql`select a.server_id as "serverId", a.resource_name as name, s.address, a.input, a.output from actions a
      join workflows w on w.workflow_id = a.workflow_id join servers s on s.server_id = a.server_id
      where w.request = ${request} and a.name = 'dns-zones.compare' and a.status = 'done' order by a.position`,
  )

/** Number of signed zones that are validated at the same time. */
const VALIDATED_AT_ONCE = 8

/**
 * Validates the signed zones of each name server like a resolver, because equal serials and records do not prove the
 * signatures. Answers the objections by server id and domain.
 */
async function validated(
  db: Db,
  request: string,
  say: (text: string) => void,
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const objections = new Map<string, string>()
  for (const { serverId, name, address, input, output } of await comparedIn(db, request)) {
    if (!address) continue
    const lacks = new Set(Compared.parse(output).differing.flatMap(({ domain, serial }) => (serial ? [] : [domain])))
    const left = Asked.parse(input).zones.filter(({ domain, dnskeys }) => dnskeys?.length && !lacks.has(domain))
    const ask = askAt(address)
    const work = async () => {
      for (let zone = left.pop(); zone && !signal.aborted; zone = left.pop()) {
        const { domain, dnskeys = [] } = zone
        try {
          const why = await objectionTo(domain, dnskeys, ask)
          if (why) objections.set(`${serverId} ${domain}`, why)
        } catch (error) {
          left.length = 0
          say(`${name}: signatures were not checked: ${error instanceof Error ? error.message : error}`)
        }
      }
    }
    await Promise.all(Array.from({ length: VALIDATED_AT_ONCE }, work))
  }
  return objections
}

/** Saves the comparison results of one sync per zone and server, and logs one line for each difference. */
async function noteFound(
  tx: Db,
  request: string,
  objections: ReadonlyMap<string, string>,
  say: (text: string) => void,
): Promise<{ drifted: Map<string, Drift[]>; leftovers: Set<string> }> {
  const found = await comparedIn(tx, request)
  const drifted = new Map<string, Drift[]>()
  const leftovers = new Set<string>()
  for (const { serverId, name, input, output } of found) {
    const { differing, present } = Compared.parse(output)
    const asked = new Map(Asked.parse(input).zones.map(({ domain, serial }) => [domain, serial]))
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

async function withdrawLeftover(tx: Db, domain: string, by: By): Promise<void> {
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
async function risenAbove(tx: Db, domain: string, drifts: Drift[]): Promise<KeptZone | undefined> {
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

import { isLater, nextSerial } from '@innkeeper/contract/dns/records'
import { desc, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { action } from '../kit/action.ts'
import { type Db, rows } from '../kit/db.ts'
import { changed } from '../kit/live.ts'
import { publish, withdraw } from './publish.ts'
import { zones } from './tables.ts'
import type { KeptZone } from './view.ts'

const Compared = z.object({
  /** What the server has otherwise; nulls: it has no such zone. */
  differing: z.array(z.object({ domain: z.string(), serial: z.int().nullable(), digest: z.string().nullable() })),
  /** Zones that should be nowhere. */
  present: z.array(z.string()),
})
const Asked = z.object({ zones: z.array(z.object({ domain: z.string(), serial: z.int() })) })
interface Drift {
  seen: 'missing' | 'behind' | 'different'
  serial: number | null
}

/** Reads what the comparisons of its workflow found, notes it, and has what differs told anew, each by a workflow of its own. */
export const zonesRepair = action(
  'zones.repair',
  z.object({ request: z.string(), repair: z.boolean(), by: z.string() }),
  {
    title: 'Repair',
    what: ({ repair }) => (repair ? 'what differs is told anew' : 'what differs is noted'),
    run: ({ request, repair, by }, { app, say, fence }) =>
      app.db.transaction(async (tx) => {
        const found = await rows<{ serverId: number; name: string; input: unknown; output: unknown }>(
          tx,
          sql`select a.server_id as "serverId", a.resource_name as name, a.input, a.output from actions a
            join workflows w on w.workflow_id = a.workflow_id
            where w.request = ${request} and a.name = 'dns-zones.compare' and a.status = 'done' order by a.position`,
        )
        fence()
        const drifted = new Map<string, Drift[]>()
        const leftovers = new Set<string>()
        for (const { serverId, name, input, output } of found) {
          const { differing, present } = Compared.parse(output)
          const asked = Asked.parse(input).zones
          await noteSame(
            tx,
            serverId,
            asked.map(({ domain }) => domain).filter((d) => !differing.some((x) => x.domain === d)),
          )
          for (const { domain, serial } of differing) {
            const drift = driftOf(asked.find((one) => one.domain === domain)?.serial ?? 0, serial)
            await noteDrift(tx, serverId, domain, drift)
            drifted.set(domain, [...(drifted.get(domain) ?? []), drift])
            say(`${name}: ${domain} is ${drift.seen}${serial === null ? '' : `, serial ${serial}`}`)
          }
          for (const domain of present) {
            leftovers.add(domain)
            say(`${name}: ${domain} should not be there`)
          }
        }
        const holder = { id: null, name: by }
        if (repair) {
          for (const [domain, drifts] of drifted) {
            const zone = await risenAbove(tx, domain, drifts)
            if (zone) await publish(tx, app, zone, holder, { whole: true })
          }
          for (const domain of leftovers) {
            const [zone] = await tx
              .select()
              .from(zones)
              .where(eq(zones.domain, domain))
              .orderBy(desc(zones.id))
              .limit(1)
            if (zone && (zone.deletedAt || !zone.active)) await withdraw(tx, zone, holder)
          }
        }
        await changed(tx, 'dns')
        if (!drifted.size && !leftovers.size) say('Every name server has every zone as it should be')
        return { zones: drifted.size, leftovers: leftovers.size, repaired: repair }
      }),
  },
)

const driftOf = (wanted: number, serial: number | null): Drift => ({
  serial,
  seen: serial === null ? 'missing' : isLater(wanted, serial) ? 'behind' : 'different',
})

const noteSame = (tx: Db, serverId: number, domains: string[]) =>
  tx.execute(sql`insert into zone_states (zone_id, server_id, seen, serial)
    select zone_id, ${serverId}::int, 'same', serial from zones where domain = any(${sql.param(domains)}::text[]) and deleted_at is null
    on conflict (zone_id, server_id) do update set seen = 'same', serial = excluded.serial, at = now()`)

const noteDrift = (tx: Db, serverId: number, domain: string, { seen, serial }: Drift) =>
  tx.execute(sql`insert into zone_states (zone_id, server_id, seen, serial)
    select zone_id, ${serverId}::int, ${seen}, ${serial}::bigint from zones where domain = ${domain} and deleted_at is null
    on conflict (zone_id, server_id) do update set seen = excluded.seen, serial = excluded.serial, at = now()`)

/** A server that has another zone under the same serial, or a later one, reads anew only what has a later serial still. */
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

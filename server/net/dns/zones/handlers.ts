import type { dns as contract, NameServer, Zone, ZoneChange, ZoneView } from '@innkeeper/contract/net/dns/calls'
import type { ZoneKey } from '@innkeeper/contract/net/dns/dnskey'
import { generations, withKinds } from '@innkeeper/contract/net/dns/keyKinds'
import { soaText, USUAL_OPTIONS } from '@innkeeper/contract/net/dns/options'
import { lineOf } from '@innkeeper/contract/net/dns/records'
import { desc, eq, type SQL, sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { byIds } from '../../../kit/db/byIds.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { inOrder, pageKeys } from '../../../kit/db/page.ts'
import type { Handlers } from '../../../kit/http/api.ts'
import { conflict, notFound, Refusal } from '../../../kit/http/errors.ts'
import { changed } from '../../../kit/live/live.ts'
import { objectionAt } from '../actions.ts'
import { publish } from '../publications/publish.ts'
import { entriesOf } from '../publications/sets.ts'
import { applyChange } from '../records/apply.ts'
import { readNameServers, readSettings } from '../settings.ts'
import { samplesOf } from '../signing/samples.ts'
import { zoneChangeLines, zoneChanges, zoneStates, zones } from '../tables.ts'
import { holdZone, readZone } from '../view.ts'
import { checkVersion } from './zones.ts'

/** Answer of the agent about a zone on a name server: the serial, and the record lines without SOA and signatures. */
const Read = z.object({
  serial: z.int().nullable(),
  lines: z.array(z.string()),
  fault: z.string().nullable().optional(),
})
const SHOWN = 500

/** Calls for one zone: details with its name servers, comparison with them, change log and revert. */
export const oneHandlers: Pick<Handlers<typeof contract>, 'zone' | 'compare' | 'changes' | 'revert'> = {
  async zone({ id }, { db, staff }) {
    const zone = await readZone(db, id, staff)
    const [[kept], servers, states, fading, departments, [website], soa] = await Promise.all([
      db.select({ ds: zones.ds, keys: zones.keys, options: zones.options }).from(zones).where(eq(zones.id, id)),
      readNameServers(db),
      db.select().from(zoneStates).where(eq(zoneStates.zoneId, id)),
      fadingOf(db, id),
      departmentsOf(db, zone.departmentIds),
      rows<{ id: number; domain: string }>(
        db,
        sql`select website_id as id, domain from websites where domain = ${zone.domain} and deleted_at is null limit 1`,
      ),
      soaOf(db, zone),
    ])
    return {
      ...zone,
      ...{ fading, departments, soa, ds: kept?.ds ?? [], website: website ?? null },
      options: { ...USUAL_OPTIONS, ...kept?.options },
      keys: keysShown(kept?.keys ?? []),
      servers: servers.map(({ id: serverId, name, address, primary, away }) => {
        const state = states.find((one) => one.serverId === serverId)
        const last = state?.seen ?? 'unknown'
        return {
          serverId,
          name,
          address,
          primary,
          // a name server that does not answer still has the state of its last comparison
          seen: away ? 'silent' : last === 'same' && state?.serial !== zone.serial ? 'behind' : last,
          why: state?.why ?? null,
          serial: state?.serial ?? null,
          at: state?.at ?? null,
        }
      }),
    }
  },

  async compare({ id }, { db, staff, app }) {
    const zone = await readZone(db, id, staff)
    const [kept] = await db.select({ keys: zones.keys }).from(zones).where(eq(zones.id, id))
    const keys = kept?.keys.map(({ dnskey }) => dnskey) ?? []
    const dnskeys = zone.dnssec ? (keys.length ? keys : undefined) : []
    const wanted = new Set((await entriesOf(db, id)).map((entry) => lineOf(entry, zone.domain)))
    const samples = dnskeys?.length ? await samplesOf(db, zone.domain) : []
    const servers = await readNameServers(db)
    const items = await Promise.all(
      servers.map(async ({ id: serverId, name, address, primary }) => {
        const from = primary ? null : servers[0]?.address
        const found = await liveRead(app, serverId, 'dns-zone.read', { domain: zone.domain, from, dnskeys }).then(
          (output) => Read.parse(output),
          (error: unknown) => {
            if (error instanceof Refusal) return undefined // server unreachable: shown beside its name
            throw error
          },
        )
        if (!found) return { serverId, name, seen: 'silent' as const, why: null, serial: null, lines: [] }
        const lines = differing(wanted, new Set(found.lines)).slice(0, SHOWN)
        const objection =
          found.serial !== null && dnskeys?.length
            ? await objectionAt(address, zone.domain, dnskeys, samples)
            : undefined
        const seen: NameServer['seen'] =
          found.serial === null
            ? 'missing'
            : objection
              ? 'bogus'
              : lines.length || found.fault
                ? 'different'
                : found.serial === zone.serial
                  ? 'same'
                  : 'behind'
        const why = found.serial === null ? null : (objection ?? found.fault ?? null)
        return { serverId, name, seen, why, serial: found.serial, lines }
      }),
    )
    return { items }
  },

  async changes({ id, ...input }, { db, staff }) {
    await readZone(db, id, staff)
    const where: SQL[] = [eq(zoneChanges.zoneId, id)]
    const of = (column: SQL) =>
      sql`exists (select from zone_change_lines l where l.change_id = ${zoneChanges.id} and ${column})`
    if (input.name) where.push(of(sql`l.zone_id = ${id} and l.name = ${input.name}`))
    if (input.type) where.push(of(sql`l.type = ${input.type}`))
    const order = { column: zoneChanges.at, type: 'instant', direction: 'DESC' } as const
    const { ids, ...page } = await pageKeys(db, input, { from: sql`${zoneChanges}`, where, key: zoneChanges.id, order })
    return { items: await readChanges(db, ids), ...page }
  },

  async revert({ id, change, version }, { db, staff, app, audit }) {
    const held = await holdZone(db, id, staff)
    checkVersion(held, version)
    const [found] = await db
      .select()
      .from(zoneChanges)
      .where(sql`${eq(zoneChanges.id, change)} and ${eq(zoneChanges.zoneId, id)}`)
    if (!found) throw notFound('change', change)
    if (found.revertedBy) throw conflict(`${found.revertedBy} has already reverted this change`, { current: held })
    const lines = await db.select().from(zoneChangeLines).where(eq(zoneChangeLines.changeId, change))
    const added = lines.filter(({ sign }) => sign === '+')
    const there = await entriesOf(db, id, [...new Set(added.map(({ name }) => name))])
    const same = (line: (typeof lines)[number]) =>
      there.find(
        (r) =>
          r.name === line.name && r.type === line.type && r.priority === line.priority && r.content === line.content,
      )
    const gone = added.find((line) => !same(line))
    if (gone)
      throw conflict(`${lineOf(gone, held.domain)} was changed since: revert that change first`, { current: held })
    const delta = {
      create: [],
      kept: lines
        .filter(({ sign }) => sign === '-')
        .map(({ name, type, ttl, priority, content }) => ({ name, type, ttl, priority, content })),
      delete: added.flatMap((line) => same(line)?.id ?? []),
    }
    const { zone } = await applyChange(db, held, delta, staff.name, 'revert')
    await db.update(zoneChanges).set({ revertedBy: staff.name }).where(eq(zoneChanges.id, change))
    const workflowId = await publish(db, app, zone, staff)
    audit.of('zone', id)
    audit.after({
      domain: zone.domain,
      reverted: change,
      lines: lines.map((line) => `${line.sign} ${lineOf(line, zone.domain)}`),
    })
    if (workflowId !== null) audit.workflow(workflowId)
    await changed(db, 'dns', id)
    return { zone: await readZone(db, id, staff), workflowId }
  },
}

/** What people see of the keys of a zone. */
function keysShown(keys: readonly ZoneKey[]): ZoneView['keys'] {
  const { next } = generations(keys)
  const shown = withKinds(keys).map(({ tag, ds, active, since, kind, dnskey }) => ({
    ...{ tag, ds, active, since, kind },
    next: next.some((key) => key.dnskey === dnskey),
  }))
  return shown.sort((a, b) => Number(a.next) - Number(b.next) || a.kind.localeCompare(b.kind))
}

/** `-`: the line is on the server only; `+`: in the database only. */
const differing = (wanted: Set<string>, found: Set<string>): string[] => [
  ...[...found.difference(wanted)].map((line) => `- ${line}`),
  ...[...wanted.difference(found)].map((line) => `+ ${line}`),
]

/** Record sets whose removed records resolvers may still answer from their caches. */
const fadingOf = (db: Db, id: number) =>
  rows<{ name: string; type: string; until: string }>(
    db,
    sql`select name, type, to_char(max(until) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until
      from zone_change_lines where zone_id = ${id} and until > now() group by name, type order by max(until) desc limit 200`,
  )

const departmentsOf = (db: Db, ids: number[]) =>
  rows<{ id: number; name: string; promoted: boolean }>(
    db,
    sql`select d.department_id as id, d.name, p.department_id is not null as promoted from departments d
      left join dns_departments p on p.department_id = d.department_id
      where d.department_id = any(${sql.param(ids)}::int[]) and d.deleted_at is null order by d.name`,
  )

/** The SOA record in the format of the primary. */
export async function soaOf(db: Db, { id, serial, domain }: Pick<Zone, 'id' | 'serial' | 'domain'>): Promise<string> {
  const { nameServers, hostmaster } = await readSettings(db)
  const [kept] = await db.select({ options: zones.options }).from(zones).where(eq(zones.id, id))
  return `${nameServers[0] ?? domain}. ${hostmaster}. ${serial} ${soaText(kept?.options.soa ?? USUAL_OPTIONS.soa)}`
}

const selectChanges = byIds((db, isWanted) => db.select().from(zoneChanges).where(isWanted(zoneChanges.id)))
const selectLines = byIds((db, isWanted) =>
  db
    .select()
    .from(zoneChangeLines)
    .where(isWanted(zoneChangeLines.changeId))
    .orderBy(zoneChangeLines.changeId, desc(zoneChangeLines.sign), zoneChangeLines.id)
    .limit(5000),
)

async function readChanges(db: Db, ids: number[]): Promise<ZoneChange[]> {
  if (!ids.length) return []
  const [changes, lines] = await Promise.all([selectChanges(db, ids), selectLines(db, ids)])
  const found = changes.map(({ zoneId: _, ...change }) => ({
    ...change,
    lines: lines
      .filter(({ changeId }) => changeId === change.id)
      .map(({ sign, name, type, ttl, priority, content }) => ({ sign, name, type, ttl, priority, content })),
  }))
  return inOrder(ids, found)
}

import { isIPv6 } from 'node:net'
import { TTL } from '@innkeeper/contract/net/dns/records'
import { and, eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { allNames } from '../../../hosting/websites/names.ts'
import type { Site } from '../../../hosting/websites/siteSteps.ts'
import type { Staff } from '../../../kit/access/sessions.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { type PlanStep, step } from '../../../kit/work/action.ts'
import { servers } from '../../../machines/servers/tables.ts'
import { zones } from '../tables.ts'
import { visibleTo } from '../visible.ts'
import { websiteDns, websiteTtl } from './actions.ts'
import { type AddressRecord, answersOf, type NameRecords, zonesOf } from './ensure.ts'

/** TTL in seconds while a website moves. */
const LOW_TTL = 60

const on = ({ id, domain }: Pick<Site, 'id' | 'domain'>) => ({
  resource: { type: 'dns-record', id, name: domain },
  optional: true,
})
export const linesOf = ({ records }: NameRecords): string =>
  records.map(({ type, content }) => `${type} ${content}`).join(', ')

async function addressOf(db: Db, serverId: number): Promise<string | null> {
  const [server] = await db.select({ address: servers.address }).from(servers).where(eq(servers.id, serverId))
  return server?.address ?? null
}
const recordOf = (address: string, ttl: number): AddressRecord => ({
  type: isIPv6(address) ? 'AAAA' : 'A',
  content: address,
  ttl,
})

/**
 * Innkeeper's zone that contains a name, and the name's current records; null also if the caller may not see the zone.
 */
export async function zoneFor(db: Db, name: string, staff: Staff): Promise<{ domain: string; now: string[] } | null> {
  const zone = (await zonesOf(db, [name])).get(name)
  if (!zone) return null
  const [seen] = await db
    .select({ id: zones.id })
    .from(zones)
    .where(and(eq(zones.id, zone.id), visibleTo(staff)))
  if (!seen) return null
  const [answer] = await answersOf(db, [name])
  return { domain: zone.domain, now: (answer?.records ?? []).map(({ type, content }) => `${type} ${content}`) }
}

/** Points each of these names in Innkeeper's zones to the server of the website, replacing other address records. */
export async function leading(db: Db, site: Site, names: readonly string[] = allNames(site)): Promise<PlanStep[]> {
  const address = await addressOf(db, site.server.id)
  const was = await answersOf(db, names)
  if (!address || !was.length) return []
  const wanted = was.map(({ name }) => ({ name, records: [recordOf(address, TTL.usual)] }))
  return [step(websiteDns, { names: wanted, was: copied(was) }, on(site))]
}

/** Removes the records of names that point only to the server of the website; names that point elsewhere stay. */
export async function leavingNames(db: Db, site: Site, names: readonly string[]): Promise<PlanStep[]> {
  const address = await addressOf(db, site.server.id)
  const was = (await answersOf(db, names)).filter(
    ({ records }) => records.length && records.every(({ content }) => content === address),
  )
  if (!was.length) return []
  return [step(websiteDns, { names: was.map(({ name }) => ({ name, records: [] })), was: copied(was) }, on(site))]
}

/** DNS changes of a move: names that point to the old server will point to the new one. */
export interface Turn {
  /** Names in Innkeeper's zones that point to the old server, with their current records. */
  turned: NameRecords[]
  /** Names in Innkeeper's zones that point elsewhere; the move leaves them unchanged. */
  elsewhere: NameRecords[]
  /** Names in no zone of Innkeeper. */
  foreign: string[]
  ttl: PlanStep[]
  steps: PlanStep[]
}
export async function turnOf(db: Db, site: Site, fromServerId: number, toServerId: number): Promise<Turn> {
  const [from, to] = [await addressOf(db, fromServerId), await addressOf(db, toServerId)]
  const names = allNames(site)
  const answers = await answersOf(db, names)
  const leadsThere = ({ records }: NameRecords) => from !== null && records.some(({ content }) => content === from)
  const turned = answers.filter(leadsThere)
  const found = {
    turned,
    elsewhere: answers.filter((one) => one.records.length > 0 && !leadsThere(one)),
    foreign: names.filter((name) => !answers.some((one) => one.name === name)),
  }
  if (!turned.length || !to) return { ...found, ttl: [], steps: [] }
  const low = turned.map(({ name, records }) => ({
    name,
    records: records.map((one) => ({ ...one, ttl: Math.min(one.ttl, LOW_TTL) })),
  }))
  const there = low.map(({ name, records }) => ({
    name,
    records: records.map((one) => (one.content === from ? recordOf(to, one.ttl) : one)),
  }))
  const high = turned.filter(({ records }) => records.some(({ ttl }) => ttl > LOW_TTL))
  const lowered = low.filter(({ name }) => high.some((one) => one.name === name))
  return {
    ...found,
    ttl: high.length ? [step(websiteTtl, { names: lowered, was: copied(high) }, on(site))] : [],
    steps: [step(websiteDns, { names: there, was: low }, on(site))],
  }
}

const Lowered = z.object({ was: z.array(z.object({ name: z.string(), records: z.array(z.object({ ttl: z.int() })) })) })

/** After a move: restores the TTLs that the move lowered, unless somebody has changed them since. */
export async function ttlBack(db: Db, site: Site): Promise<PlanStep[]> {
  const [last] = await rows<{ input: unknown }>(
    db,
    sql`select input from actions where resource_type = 'dns-record' and resource_id = ${site.id}
      and name = ${websiteTtl.name} and status = 'done' order by action_id desc limit 1`,
  )
  const { success, data } = Lowered.safeParse(last?.input)
  if (!success) return []
  const before = new Map(data.was.map(({ name, records }) => [name, Math.max(...records.map(({ ttl }) => ttl))]))
  const low = (await answersOf(db, [...before.keys()])).filter(
    ({ name, records }) =>
      records.length && records.every(({ ttl }) => ttl === LOW_TTL) && (before.get(name) ?? 0) > LOW_TTL,
  )
  if (!low.length) return []
  const names = low.map(({ name, records }) => ({
    name,
    records: records.map((one) => ({ ...one, ttl: before.get(name) ?? one.ttl })),
  }))
  return [step(websiteTtl, { names, was: copied(low) }, on(site))]
}

const copied = (all: readonly NameRecords[]) => all.map(({ name, records }) => ({ name, records: [...records] }))

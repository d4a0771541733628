import type { ZoneChange } from '@innkeeper/contract/net/dns/calls'
import { readRecord, type Typed } from '@innkeeper/contract/net/dns/records'
import { inArray, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import type { Db } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { type By, publish } from '../publications/publish.ts'
import { entriesOf } from '../publications/sets.ts'
import { applyChange } from '../records/apply.ts'
import { zones } from '../tables.ts'
import type { KeptZone } from '../view.ts'

/**
 * Record types that decide where a name leads. A website manages only these types and leaves all other records of its
 * names unchanged.
 */
export const addressTypes = ['A', 'AAAA', 'CNAME', 'ALIAS'] as const
export interface AddressRecord {
  type: (typeof addressTypes)[number]
  content: string
  /** TTL in seconds. */
  ttl: number
}
/** All address records of one name, such as `www.shop.example`. An empty list: the name leads nowhere. */
export interface NameRecords {
  name: string
  records: readonly AddressRecord[]
}

/** Maps each name to the longest zone of Innkeeper that contains the name. Other names are left out. */
export async function zonesOf(db: Db, names: readonly string[]): Promise<Map<string, KeptZone>> {
  const suffixesOf = (name: string) => name.split('.').map((_, i, labels) => labels.slice(i).join('.'))
  const suffixes = [...new Set(names.flatMap(suffixesOf))]
  if (!suffixes.length) return new Map()
  const found = await db
    .select()
    .from(zones)
    .where(sql`${zones.deletedAt} is null and ${zones.domain} = any(${sql.param(suffixes)}::text[])`)
  const byDomain = new Map(found.map((zone) => [zone.domain, zone]))
  return new Map(
    names.flatMap((name) => {
      const zone = suffixesOf(name)
        .map((suffix) => byDomain.get(suffix))
        .find((one) => one !== undefined)
      return zone ? [[name, zone] as const] : []
    }),
  )
}

/** The name relative to its zone; `@` is the apex. */
const belowOf = (name: string, { domain }: Pick<KeptZone, 'domain'>) =>
  name === domain ? '@' : name.slice(0, -domain.length - 1)

/** The current address records of the names that are in a zone of Innkeeper. */
export async function answersOf(db: Db, names: readonly string[]): Promise<NameRecords[]> {
  const found = await zonesOf(db, names)
  const answers: NameRecords[] = []
  for (const [zone, theirs] of byZone([...found.keys()], found)) {
    const entries = await entriesOf(
      db,
      zone.id,
      theirs.map((name) => belowOf(name, zone)),
    )
    for (const name of theirs)
      answers.push({
        name,
        records: entries.flatMap(({ name: below, type, content, ttl }) =>
          below === belowOf(name, zone) && isAddress(type) ? { type, content, ttl } : [],
        ),
      })
  }
  return answers
}

const isAddress = (type: string): type is AddressRecord['type'] => (addressTypes as readonly string[]).includes(type)
const byZone = (names: readonly string[], of: Map<string, KeptZone>): [KeptZone, string[]][] => {
  const found = new Map<number, [KeptZone, string[]]>()
  for (const name of names) {
    const zone = of.get(name)
    if (zone) found.set(zone.id, [zone, [...(found.get(zone.id)?.[1] ?? []), name]])
  }
  return [...found.values()].sort(([a], [b]) => a.id - b.id)
}

/**
 * Gives each name exactly these address records in the zone that contains the name, and publishes the changed zones;
 * runs in the caller's transaction. Replaces other address and CNAME records of the name; correct names stay unchanged.
 * Used when websites are created, renamed or moved. Returns the publication workflows and the names outside Innkeeper's
 * zones; 422 if a zone refuses the records.
 */
export async function ensureRecords(
  tx: Db,
  app: Pick<App, 'secrets'>,
  wanted: readonly NameRecords[],
  by: By,
  kind: ZoneChange['kind'] = 'website',
): Promise<{ workflowIds: number[]; foreign: string[] }> {
  const names = wanted.map(({ name }) => name)
  const found = await zonesOf(tx, names)
  const foreign = names.filter((name) => !found.has(name))
  const workflowIds: number[] = []
  for (const [zone, theirs] of byZone(names, found)) {
    const [held] = await tx
      .select()
      .from(zones)
      .where(inArray(zones.id, [zone.id]))
      .for('update')
    if (!held) continue
    const create: Typed[] = []
    const gone: number[] = []
    for (const { name, records } of wanted.filter((one) => theirs.includes(one.name))) {
      const below = belowOf(name, held)
      const there = (await entriesOf(tx, held.id, [below])).filter(({ type }) => isAddress(type))
      const typed = records.map((one): Typed => ({ name: `${name}.`, ...one }))
      // compares normalised records: an IPv6 address has many spellings
      const kept = typed.map((one) => readRecord(one, held.domain))
      const isSame = (one: (typeof there)[number], other: (typeof kept)[number] | undefined) =>
        other !== undefined &&
        'entry' in other &&
        other.entry.type === one.type &&
        other.entry.content === one.content &&
        other.entry.ttl === one.ttl
      gone.push(...there.filter((one) => !kept.some((other) => isSame(one, other))).map(({ id }) => id))
      create.push(...typed.filter((_, i) => !there.some((one) => isSame(one, kept[i]))))
    }
    const { zone: after, changeId } = await applyChange(tx, held, { create, delete: gone }, by.name, kind)
    if (changeId === null) continue
    const workflowId = await publish(tx, app, after, by)
    if (workflowId !== null) workflowIds.push(workflowId)
    await changed(tx, 'dns', held.id)
  }
  return { workflowIds, foreign }
}

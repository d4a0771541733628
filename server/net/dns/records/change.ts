import { type Finding, lint, namesAbove } from '@innkeeper/contract/net/dns/lint'
import { fullName, looksLike } from '@innkeeper/contract/net/dns/names'
import { type Entry, readRecord, TTL, type Typed } from '@innkeeper/contract/net/dns/records'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { refused } from '../../../kit/http/errors.ts'
import { entriesOf } from '../publications/sets.ts'
import { records } from '../tables.ts'
import type { KeptZone } from '../view.ts'

export type TypedRecord = Omit<Typed, 'ttl'> & { ttl?: number | undefined }
export interface Delta {
  create: readonly TypedRecord[]
  /**
   * Records in stored form. Their names are not parsed again: the stored `example.org` is a name below the zone
   * example.org.
   */
  kept?: readonly Entry[]
  /** Record ids. */
  delete: readonly number[]
}
export interface Judged {
  entries: Entry[]
  gone: (Entry & { id: number })[]
  problems: Finding[]
  warnings: Finding[]
  /** Ids to delete that no longer exist in the zone. */
  missing: number[]
}

/** Validates a change without saving: the normalised records, and all problems and warnings. */
export async function judge(db: Db, zone: Pick<KeptZone, 'id' | 'domain' | 'dnssec'>, delta: Delta): Promise<Judged> {
  const problems: Finding[] = []
  const odd: Finding[] = []
  const entries: Entry[] = []
  const places: number[] = [] // for each entry, its index in the request
  const ids = [...new Set(delta.delete)]
  const found = ids.length
    ? await db
        .select()
        .from(records)
        .where(sql`${eq(records.zoneId, zone.id)} and ${records.id} = any(${sql.param(ids)}::int[])`)
    : []
  const gone = found.map(({ zoneId: _, ...entry }) => entry)
  const stored = new Set(gone.map(({ name }) => name))
  for (const [index, typed] of delta.create.entries()) {
    // an edited record keeps its stored name, which would be parsed differently if it ends in the zone
    const name = stored.has(typed.name) ? `${fullName(typed.name, zone.domain)}.` : typed.name
    const read = readRecord({ ...typed, name, ttl: typed.ttl ?? TTL.usual }, zone.domain)
    if ('entry' in read) {
      entries.push(read.entry)
      places.push(index)
      for (const message of lookalikes(typed, read.entry)) odd.push({ index, field: null, message })
    } else
      for (const [field, message] of Object.entries(read.problems))
        problems.push({ index, field: field as keyof Entry, message }) // the keys of Problems
  }
  for (const [n, entry] of (delta.kept ?? []).entries()) {
    entries.push(entry)
    places.push(delta.create.length + n)
  }
  const there = new Set(gone.map(({ id }) => id))
  const missing = ids.filter((id) => !there.has(id))
  const names = new Set([
    '@',
    ...entries.flatMap((entry) => [entry.name, ...namesAbove(entry.name), ...pointedTo(entry, zone.domain)]),
  ])
  const hosts = entries.flatMap(({ name, type }) =>
    (type === 'A' || type === 'AAAA') && name.includes('.') ? [`${fullName(name, zone.domain)}.`] : [],
  )
  const goes = new Set(ids)
  const stays = [
    ...(await entriesOf(db, zone.id, [...names])),
    ...(await delegationsTo(db, zone.id, hosts)).filter(({ name }) => !names.has(name)),
  ].filter(({ id }) => !goes.has(id))
  const others = entries.some(({ type }) => type === 'DNAME') ? await namesBeside(db, zone.id, ids) : []
  const linted = lint(zone.domain, stays, entries, zone.dnssec, others)
  const placed = (finding: Finding): Finding => ({
    ...finding,
    index: finding.index === null ? null : (places[finding.index] ?? null),
  })
  return {
    ...{ entries, gone, missing },
    problems: [...problems, ...linted.problems.map(placed)],
    warnings: [...odd, ...linted.warnings.map(placed)],
  }
}

/** NS records of the zone that point to one of these hosts, whose addresses are then glue. */
async function delegationsTo(db: Db, zoneId: number, hosts: readonly string[]): Promise<(Entry & { id: number })[]> {
  if (!hosts.length) return []
  const found = await db
    .select()
    .from(records)
    .where(
      sql`${eq(records.zoneId, zoneId)} and ${records.type} = 'NS' and ${records.content} = any(${sql.param(hosts)}::text[])`,
    )
  return found.map(({ zoneId: _, ...entry }) => entry)
}

/** The names of the zone without these records. */
async function namesBeside(db: Db, zoneId: number, ids: readonly number[]): Promise<string[]> {
  const found = await db
    .selectDistinct({ name: records.name })
    .from(records)
    .where(sql`${eq(records.zoneId, zoneId)} and ${records.id} <> all(${sql.param(ids)}::int[])`)
  return found.map(({ name }) => name)
}

const pointing: ReadonlySet<string> = new Set(['CNAME', 'MX', 'NS', 'PTR', 'SRV', 'ALIAS'])
/** Warns about letters that look like those of another script, because the stored punycode no longer shows them. */
function* lookalikes(typed: TypedRecord, { name, type, content }: Entry): Generator<string> {
  const target = pointing.has(type) ? typed.content.trim().split(/\s+/).at(-1) : undefined
  for (const [said, kept] of [
    [typed.name, name],
    [target, content.split(' ').at(-1)],
  ]) {
    const why = said && looksLike(said.trim())
    if (why) yield `${why}. It is kept as ${kept}`
  }
}

/** The name in this zone that an MX, NS or SRV record points to, to check that the name is not a CNAME. */
function pointedTo({ type, content }: Entry, domain: string): string[] {
  if (!['MX', 'NS', 'SRV'].includes(type)) return []
  const name = content.split(' ').at(-1)?.slice(0, -1) ?? ''
  return name.endsWith(`.${domain}`) ? [name.slice(0, -domain.length - 1)] : []
}

/** Refuses with 422; each problem names its field, such as `create.0.content`. */
export function refuse(problems: readonly Finding[], place = 'create'): void {
  if (!problems.length) return
  const fields: Record<string, string> = {}
  for (const { index, field, message } of problems)
    fields[index === null ? 'delete' : [place, index, field ?? 'name'].join('.')] ??= message
  throw refused(
    problems
      .map(({ message }) => message)
      .slice(0, 20)
      .join('\n'),
    fields,
  )
}

import { getServers } from 'node:dns'
import { dsOf, type ZoneKey } from '@innkeeper/contract/net/dns/dnskey'
import { entryKeys } from '@innkeeper/contract/net/dns/keyKinds'
import { typeNumbers } from '@innkeeper/contract/net/dns/wire'
import { type SQL, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { zones } from '../tables.ts'
import { askAt } from './ask.ts'

/** A resolver that asks far servers may take this long; one that is not there is noticed within two seconds. */
const SLOW_MS = 30_000

/** The resolver of the settings, or those of this machine. */
export const resolversOf = ({ settings }: Pick<App, 'settings'>): string[] =>
  settings.resolver ? [settings.resolver] : getServers()

/** The DS records in the parent zone as text, with their TTL; or why they are unknown. */
async function dsAtParent(
  domain: string,
  resolvers: readonly string[],
): Promise<{ all: string[]; ttl: number } | { unknown: string }> {
  let last = 'this machine has no resolver'
  for (const resolver of resolvers) {
    const [, host = resolver, port = '53'] =
      /^\[?([^\]]+?)\]?(?::(\d+))?$/.exec(
        resolver.includes('.') || resolver.startsWith('[') ? resolver : `[${resolver}]`,
      ) ?? []
    try {
      const { code, answers } = await askAt(host, {
        port: Number(port),
        recursive: true,
        patienceMs: 2000,
        answerMs: SLOW_MS,
      })(domain, typeNumbers.DS)
      const ds = answers.filter(({ type }) => type === typeNumbers.DS)
      if (ds.length || code === 0 || code === 3)
        return { all: ds.map(({ data }) => textOf(data)), ttl: Math.max(0, ...ds.map(({ ttl }) => ttl)) }
      last = `the resolver ${host} answers code ${code}`
    } catch (error) {
      last = error instanceof Error ? error.message : String(error)
    }
  }
  return { unknown: last }
}

/** `12345 13 2 …` of the data of a DS record. */
const textOf = (data: Uint8Array): string => {
  const hex = [...data.slice(4)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${((data[0] ?? 0) << 8) | (data[1] ?? 0)} ${data[2]} ${data[3]} ${hex}`
}

/**
 * Why a zone must stay signed: its parent zone has a DS record, cannot be asked, or had one that resolvers may still keep.
 * Undefined: resolvers do not expect signatures.
 */
export async function stillTrusted(
  domain: string,
  resolvers: readonly string[],
  kept?: KeptDs,
): Promise<string | undefined> {
  const found = await dsAtParent(domain, resolvers)
  if ('unknown' in found)
    return `Whether the parent zone of ${domain} has a DS record is unknown: ${found.unknown}. With a DS record and without signatures, every validating resolver refuses the domain.`
  if (found.all.length)
    return `The parent zone of ${domain} still has a DS record: without signatures, every validating resolver refuses the domain. Remove the DS record at the registry first. Resolvers keep it for ${lasting(Math.max(found.ttl, kept?.dsTtl ?? 0))} after that.`
  const safe = kept && safeFrom(kept)
  return safe && safe > new Date()
    ? `The parent zone of ${domain} no longer has its DS record. Resolvers may keep it for its TTL of ${lasting(kept.dsTtl ?? 0)}, and would refuse the domain without signatures. It is safe from ${sinceText(safe.toISOString())}.`
    : undefined
}

/** What is remembered of the DS record of a zone. */
export type KeptDs = Pick<typeof zones.$inferSelect, 'dsSeenAt' | 'dsTtl' | 'dsGoneAt'>

/** When no resolver can have the DS record any more. It was taken away before it was first missed, so that moment counts. */
const safeFrom = ({ dsSeenAt, dsTtl, dsGoneAt }: KeptDs): Date | undefined =>
  dsSeenAt === null ? undefined : new Date((dsGoneAt ? Date.parse(dsGoneAt) : Date.now()) + (dsTtl ?? 0) * 1000)

const lasting = (seconds: number): string =>
  seconds >= 7200
    ? `${Math.ceil(seconds / 3600)} hours`
    : seconds >= 120
      ? `${Math.ceil(seconds / 60)} minutes`
      : `${seconds} s`

/** Parts of all signed zones, of which one is asked about in each minute. */
const PARTS = 60
const MOST = 1000

/**
 * Remembers of the signed zones of this minute whether their parents have a DS record, and for how long resolvers keep it: a
 * resolver says the rest of the time, so the longest counts. A parent that cannot be asked changes nothing.
 */
export async function dsRound(
  app: App,
  part: SQL = sql`(extract(epoch from now())::bigint / 60 % ${PARTS})`,
): Promise<void> {
  const due = await app.db
    .select({ id: zones.id, domain: zones.domain })
    .from(zones)
    .where(sql`${zones.dnssec} and ${zones.active} and ${zones.deletedAt} is null and ${zones.id} % ${PARTS} = ${part}`)
    .limit(MOST)
  const ask = async ({ id, domain }: { id: number; domain: string }) => {
    const found = await dsAtParent(domain, resolversOf(app))
    if ('unknown' in found) return
    await app.db.execute(
      found.all.length
        ? sql`update zones set ds_seen_at = now(), ds_gone_at = null,
            ds_ttl = greatest(${found.ttl}::int, case when ds_gone_at is null then ds_ttl end) where zone_id = ${id}`
        : sql`update zones set ds_gone_at = now()
            where zone_id = ${id} and ds_seen_at is not null and ds_gone_at is null`,
    )
  }
  await eachOf(app, 'a parent zone could not be asked for its DS record', due, ask, { atOnce: 8 })
}

/** Why these keys alone must not sign a zone: the parent zone has DS records but none of theirs, or cannot be asked. */
export async function untrusting(
  domain: string,
  keys: readonly ZoneKey[],
  resolvers: readonly string[],
): Promise<string | undefined> {
  const entries = entryKeys(keys)
  const tag = entries.map(({ tag }) => tag).join(' or ')
  const found = await dsAtParent(domain, resolvers)
  if ('unknown' in found)
    return `Whether the parent zone of ${domain} has the DS record of the key ${tag} is unknown: ${found.unknown}. Without that DS record, every validating resolver refuses the domain.`
  if (!found.all.length) return undefined
  // parent zones may have digests other than the one that people see
  const types = new Set(found.all.map((ds) => Number(ds.split(' ')[2])))
  const theirs = await Promise.all(
    entries.flatMap(({ dnskey }) => [...types].map((type) => dsOf(domain, dnskey, type))),
  )
  return !theirs.some((ds) => ds !== undefined && found.all.includes(ds))
    ? `The parent zone of ${domain} has no DS record of the key ${tag}: with this key alone, every validating resolver refuses the domain. Add the DS record at the registry and wait for the TTL of the former one first.`
    : undefined
}

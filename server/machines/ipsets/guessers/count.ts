import type { Guessers } from '@innkeeper/contract/machines/ipsets/guessers'
import { networkOf, readNetwork } from '@innkeeper/contract/machines/ipsets/networks'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../kit/db/db.ts'
import { bans, guessers, ipSets } from '../tables.ts'
import type { GuessedService } from './ban.ts'

/** Failed sign-ins from an address: their number, or fingerprints of which each counts once a day. */
export interface Guesses {
  address: string
  tries?: number
  pairs?: readonly string[]
}
/** One client usually has a whole IPv6 network of this prefix length. */
const IPV6_PREFIX = 64
/** Maximum number of fingerprints that are stored for an address. */
const MOST_PAIRS = 20
const SHOWN = 50

const loopback = /^(?:127\.|::1$)/

/**
 * What is counted and banned for an address: the address itself, or its IPv6 network. Undefined if the text is no
 * address, and for loopback addresses, because a server signs in to test its own service.
 */
export function countedAs(address: string): string | undefined {
  const read = readNetwork(address)
  if (!read || loopback.test(read.text)) return undefined
  return read.family === 4 ? read.text : networkOf(6, read.first, IPV6_PREFIX).text
}

/** Adds failed sign-ins to the counters of a server. A counter begins anew a day after its first sign-in. */
export async function countGuesses(
  tx: Db,
  { name }: GuessedService,
  serverId: number,
  found: readonly Guesses[],
): Promise<void> {
  const which = sql`service = ${name} and server_id = ${serverId}`
  await tx.execute(sql`delete from guessers where ${which} and first_at < now() - interval '1 day'`)
  const sums = [...Map.groupBy(found, ({ address }) => countedAs(address))].flatMap(([address, all]) => {
    if (address === undefined) return []
    const pairs = [...new Set(all.flatMap((one) => one.pairs ?? []))].slice(0, MOST_PAIRS)
    return { address, pairs, tries: all.reduce((sum, one) => sum + (one.tries ?? 0), 0) }
  })
  if (!sums.length) return
  const both = sql`(select coalesce(array_agg(pair), '{}') from (
    select distinct unnest(g.pairs || excluded.pairs) as pair limit ${MOST_PAIRS}) p)`
  await tx.execute(sql`insert into guessers as g (service, server_id, address, tries, pairs)
    select ${name}, ${serverId}, m.address, m.tries + cardinality(m.pairs), m.pairs
    from jsonb_to_recordset(${JSON.stringify(sums)}::jsonb) as m(address text, tries int, pairs text[])
    on conflict (service, server_id, address) do update set last_at = now(), pairs = ${both},
      tries = g.tries + excluded.tries - cardinality(g.pairs) - cardinality(excluded.pairs) + cardinality(${both})`)
}

/** The addresses with the most failed sign-ins on a server, and the newest bans of the service. */
export async function readGuessers(db: Db, { name, set }: GuessedService, serverId: number): Promise<Guessers> {
  const found = await db
    .select({ address: guessers.address, tries: guessers.tries, lastAt: guessers.lastAt })
    .from(guessers)
    .where(
      sql`${guessers.service} = ${name} and ${guessers.serverId} = ${serverId} and ${guessers.firstAt} > now() - interval '1 day'`,
    )
    .orderBy(desc(guessers.tries), guessers.address)
    .limit(SHOWN)
  const banned = await db
    .select({ address: bans.ip, reason: bans.reason, at: bans.at, until: bans.expiresAt })
    .from(bans)
    .innerJoin(ipSets, and(eq(ipSets.id, bans.setId), eq(ipSets.name, set), isNull(ipSets.deletedAt)))
    .where(sql`${bans.endedAt} is null and coalesce(${bans.expiresAt} > now(), true)`)
    .orderBy(desc(bans.at), bans.ip)
    .limit(SHOWN)
  return { guessers: found, set, banned }
}

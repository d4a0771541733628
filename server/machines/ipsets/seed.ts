import { keyOf, networkOf } from '@innkeeper/contract/machines/ipsets/networks'
import { eq, sql } from 'drizzle-orm'
import { chunks } from '../../kit/db/chunks.ts'
import type { Db } from '../../kit/db/db.ts'
import { type Dice, dice } from '../../seed/dice.ts'
import * as tables from '../../tables.ts'

const HOUR = 3_600_000
const AT_ONCE = 1000
const sets = [
  { name: 'brute-force', description: 'Guesses passwords of mailboxes and WordPress', many: 3200, hours: 24 * 7 },
  { name: 'floods', description: 'Floods from single networks', many: 140, hours: 6 },
  { name: 'spam-sources', description: 'Sends spam, by our own mail logs', many: 900, hours: 0 },
  { name: 'mail-only', description: 'Refused by the mail servers only', many: 25, hours: 24 * 30 },
]
const reasons = [
  '40 wrong passwords in a minute',
  'xmlrpc.php, 900 requests a minute',
  'spam trap',
  'port scan',
  'SYN flood',
]

/** Adds IP sets, most of them on all servers. No delivery runs, because seeded servers are not real. */
export async function seedSets(
  db: Db,
  say: (line: string) => void,
  now = Date.parse('2026-11-21T09:00:00Z'),
): Promise<void> {
  const [known] = await db.select().from(tables.ipSets).where(eq(tables.ipSets.name, 'brute-force')).limit(1)
  if (known) throw new Error('The IP sets are seeded already')
  const d = dice(1337)
  let total = 0
  await db.transaction(async (tx) => {
    const mail = await tx.select().from(tables.servers).where(eq(tables.servers.type, 'mail'))
    for (const { name, description, many, hours } of sets) {
      const chosen = name === 'mail-only' ? mail.map(({ id }) => id) : []
      const [set] = await tx
        .insert(tables.ipSets)
        .values({ name, description, everywhere: !chosen.length, serverIds: chosen })
        .returning()
      if (!set) throw new Error('a set was not inserted')
      const rows = bansOf(d, set.id, many, hours, now)
      for (const some of chunks(rows, AT_ONCE)) await tx.insert(tables.bans).values(some).onConflictDoNothing()
      await tx.execute(sql`update ip_sets s set change = 1, bans = (select count(*) from bans b
        where b.set_id = s.ip_set_id and b.ended_at is null) where ip_set_id = ${set.id}`)
      total += many
    }
    await tx.execute(sql`insert into ip_set_servers (set_id, server_id) select ip_set_id, server_id from ip_sets s, servers v
      where v.deleted_at is null and ((s.everywhere and v.credential_hash is not null) or v.server_id = any(s.server_ids)) on conflict do nothing`)
  })
  say(`${sets.length} IP sets with ${total} bans`)
}

/** Uses only documentation and test networks. */
function bansOf(d: Dice, setId: number, many: number, hours: number, now: number): (typeof tables.bans.$inferInsert)[] {
  return Array.from({ length: many }, () => {
    const isV6 = d.chance(0.15)
    const network = isV6
      ? networkOf(
          6,
          (0x2001_0db8n << 96n) | (BigInt(d.below(1 << 20)) << 64n) | BigInt(d.below(1000)),
          d.chance(0.5) ? 64 : 128,
        )
      : networkOf(4, (198n << 24n) | (18n << 16n) | BigInt(d.below(1 << 17)), d.chance(0.06) ? 26 : 32)
    const at = now - d.below(60 * 24) * HOUR
    const end = hours ? at + hours * HOUR : undefined
    const over = end !== undefined && end < now
    return {
      setId,
      ip: network.text,
      first: keyOf(network.family, network.first),
      reason: d.chance(0.9) ? d.pick(reasons) : null,
      origin: d.chance(0.7) ? ('import' as const) : ('person' as const),
      bannedBy: d.pick(['Erik Lindqvist', 'Ingrid Solberg', 'Kari Nordmann', 'Innkeeper']),
      at: new Date(at).toISOString(),
      // active bans end late, so that they are still active when people look at the data weeks later
      expiresAt: end === undefined ? null : new Date(over ? end : end + 365 * 24 * HOUR).toISOString(),
      change: 1,
      ...(over && { endedAt: new Date(end).toISOString(), endedBy: 'its end' }),
    }
  })
}

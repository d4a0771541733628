import { FTP_GUESSERS } from '@innkeeper/contract/ftpUsers'
import { keyOf } from '@innkeeper/contract/ipsets/networks'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { judge } from '../ipsets/bans/checkBans.ts'
import { type Guard, readGuard } from '../ipsets/bans/protectedNetworks.ts'
import { changeSet, itself, type KeptSet, settle } from '../ipsets/publications/publish.ts'
import { bans, ipSets } from '../ipsets/tables.ts'
import type { App } from '../kit/app/app.ts'
import { type Db, rows } from '../kit/db/db.ts'
import { changed } from '../kit/live/live.ts'
import { ftpGuessers } from './tables.ts'

/** Number of failed sign-ins within a day that leads to a ban. */
export const MOST_TRIES = 10
/** Seconds of the first ban, the second ban within 30 days, and so on; further bans are as long as the last value. */
export const TERMS_S = [600, 3600, 86_400, 604_800] as const

interface Guesser {
  address: string
  tries: number
  /** Number of bans in the last 30 days that nobody lifted. */
  before: number
}

/**
 * Bans the addresses that guess passwords on a server, on all servers with FTP, for longer each time. Innkeeper,
 * servers and the addresses of signed-in staff are never banned. Returns the number of bans.
 */
export async function banGuessers(app: App, serverId: number): Promise<number> {
  const due = await rows<Guesser>(
    app.db,
    sql`select g.address, g.tries, (select count(*)::int from bans b join ip_sets s on s.ip_set_id = b.set_id
        where s.name = ${FTP_GUESSERS} and b.ip = g.address and b.at > now() - interval '30 days'
          and (b.ended_by is null or b.ended_by = 'its end')) as before
      from ftp_guessers g where g.server_id = ${serverId} and g.tries >= ${MOST_TRIES}
        and g.last_at > now() - interval '1 day' order by g.tries desc limit 200`,
  )
  if (!due.length) return 0
  const guard = await readGuard(app.db, app, '')
  return app.db.transaction(async (tx) => {
    const [server] = await rows<{ name: string }>(tx, sql`select name from servers where server_id = ${serverId}`)
    const set = await heldSet(tx)
    if (!server || !set) return 0
    let made = 0
    for (const one of due) if (await ban(tx, { set, guard, server: server.name }, one)) made++
    if (made) await changeSet(tx, set, made, itself)
    // resets the counter of addresses that are banned now or can never be banned
    const addresses = due.map(({ address }) => address)
    await tx.delete(ftpGuessers).where(and(eq(ftpGuessers.serverId, serverId), inArray(ftpGuessers.address, addresses)))
    await changed(tx, 'ftpUsers')
    return made
  })
}

async function ban(
  tx: Db,
  { set, guard, server }: { set: KeptSet; guard: Guard; server: string },
  { address, tries, before }: Guesser,
): Promise<boolean> {
  const seconds = TERMS_S[Math.min(before, TERMS_S.length - 1)] ?? TERMS_S[0]
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString()
  const { network, problem } = await judge(tx, set.id, guard, address, expiresAt)
  if (problem || !network) return false
  const time = before ? `, ban ${before + 1} within 30 days` : ''
  await tx.insert(bans).values({
    ...{ setId: set.id, ip: network.text, first: keyOf(network.family, network.first), expiresAt },
    reason: `${tries} failed FTP sign-ins on ${server}${time}`,
    origin: 'innkeeper',
    bannedBy: 'Innkeeper',
    change: set.change + 1,
  })
  return true
}

/**
 * The set on all servers with FTP, created when first needed. Undefined while a former set is being removed from
 * servers.
 */
async function heldSet(tx: Db): Promise<KeptSet | undefined> {
  const wanted = (
    await rows<{ id: number }>(
      tx,
      sql`select f.server_id as id from ftp_servers f join servers s on s.server_id = f.server_id and s.deleted_at is null
        where f.ready_at is not null order by f.server_id`,
    )
  ).map(({ id }) => id)
  const [set] = await tx
    .select()
    .from(ipSets)
    .where(and(eq(ipSets.name, FTP_GUESSERS), isNull(ipSets.deletedAt)))
    .for('update')
  if (!set) {
    const [leaving] = await rows(
      tx,
      sql`select from ip_sets s join ip_set_servers t on t.set_id = s.ip_set_id where s.name = ${FTP_GUESSERS}`,
    )
    if (leaving) return undefined
    const [made] = await tx
      .insert(ipSets)
      .values({
        name: FTP_GUESSERS,
        description: 'Addresses that guess passwords of FTP users. Innkeeper adds and ends them.',
        everywhere: false,
        serverIds: wanted,
      })
      .returning()
    await changed(tx, 'ipsets')
    return made
  }
  if (set.everywhere || wanted.every((id) => set.serverIds.includes(id))) return set
  const [after] = await tx
    .update(ipSets)
    .set({ serverIds: [...new Set([...set.serverIds, ...wanted])] })
    .where(eq(ipSets.id, set.id))
    .returning()
  if (after) await settle(tx, after, itself)
  return after
}

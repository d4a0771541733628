import { keyOf } from '@innkeeper/contract/machines/ipsets/networks'
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { App } from '../../../kit/app/app.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { judge } from '../bans/checkBans.ts'
import { type Guard, readGuard } from '../bans/protectedNetworks.ts'
import { changeSet, itself, type KeptSet, settle } from '../publications/publish.ts'
import { bans, guessers, ipSets } from '../tables.ts'

/** Number of failed sign-ins within a day that leads to a ban. */
const MOST_TRIES = 10
/** Seconds of the first ban, the second ban within 30 days, and so on; further bans are as long as the last value. */
export const TERMS_S = [600, 3600, 86_400, 604_800] as const

/** A service whose users sign in with passwords. */
export interface GuessedService {
  name: 'ftp' | 'mail'
  /** In reasons of bans: `12 failed FTP sign-ins`. */
  word: string
  /** The IP set with the bans, which Innkeeper creates with the first ban. */
  set: string
  description: string
  /** Ports from which banned addresses are kept; absent: all. */
  ports?: readonly number[]
  /** SQL query of the ids (`server_id`) of the servers with the service. */
  servers: SQL
  /** Name of the event after a change. */
  event: string
}

interface Guesser {
  address: string
  tries: number
  /** Number of bans in the last 30 days that nobody lifted. */
  before: number
}

/**
 * Bans the addresses that guess passwords on a server, on all servers with the service, for longer each time. Innkeeper,
 * servers and the addresses of signed-in staff are never banned. Returns the number of bans.
 */
export async function banGuessers(app: App, service: GuessedService, serverId: number): Promise<number> {
  const due = await rows<Guesser>(
    app.db,
    sql`select g.address, g.tries, (select count(*)::int from bans b join ip_sets s on s.ip_set_id = b.set_id
        where s.name = ${service.set} and b.ip = g.address and b.at > now() - interval '30 days'
          and (b.ended_by is null or b.ended_by = 'its end')) as before
      from guessers g where g.service = ${service.name} and g.server_id = ${serverId} and g.tries >= ${MOST_TRIES}
        and g.last_at > now() - interval '1 day' order by g.tries desc limit 200`,
  )
  if (!due.length) return 0
  const guard = await readGuard(app.db, app, '')
  return app.db.transaction(async (tx) => {
    const [server] = await rows<{ name: string }>(tx, sql`select name from servers where server_id = ${serverId}`)
    const set = await heldSet(tx, service)
    if (!server || !set) return 0
    const on = `failed ${service.word} sign-ins on ${server.name}`
    let made = 0
    for (const one of due) if (await ban(tx, { set, guard, on }, one)) made++
    if (made) await changeSet(tx, set, made, itself)
    // resets the counter of addresses that are banned now or can never be banned
    const addresses = due.map(({ address }) => address)
    await tx
      .delete(guessers)
      .where(
        and(eq(guessers.service, service.name), eq(guessers.serverId, serverId), inArray(guessers.address, addresses)),
      )
    await changed(tx, service.event)
    return made
  })
}

async function ban(
  tx: Db,
  { set, guard, on }: { set: KeptSet; guard: Guard; on: string },
  { address, tries, before }: Guesser,
): Promise<boolean> {
  const seconds = TERMS_S[Math.min(before, TERMS_S.length - 1)] ?? TERMS_S[0]
  const expiresAt = new Date(Date.now() + seconds * 1000).toISOString()
  const { network, problem } = await judge(tx, set.id, guard, address, expiresAt)
  if (problem || !network) return false
  const time = before ? `, ban ${before + 1} within 30 days` : ''
  await tx.insert(bans).values({
    ...{ setId: set.id, ip: network.text, first: keyOf(network.family, network.first), expiresAt },
    reason: `${tries} ${on}${time}`,
    origin: 'innkeeper',
    bannedBy: 'Innkeeper',
    change: set.change + 1,
  })
  return true
}

/**
 * The set on all servers with the service, created when first needed. Undefined while a former set is being removed from
 * servers.
 */
async function heldSet(
  tx: Db,
  { set: name, description, ports, servers }: GuessedService,
): Promise<KeptSet | undefined> {
  const wanted = (await rows<{ id: number }>(tx, sql`select server_id as id from (${servers}) s order by 1`)).map(
    ({ id }) => id,
  )
  const [set] = await tx
    .select()
    .from(ipSets)
    .where(and(eq(ipSets.name, name), isNull(ipSets.deletedAt)))
    .for('update')
  if (!set) {
    const [leaving] = await rows(
      tx,
      sql`select from ip_sets s join ip_set_servers t on t.set_id = s.ip_set_id where s.name = ${name}`,
    )
    if (leaving) return undefined
    const values = { name, description, everywhere: false, serverIds: wanted, ...(ports && { ports: [...ports] }) }
    const [made] = await tx.insert(ipSets).values(values).returning()
    await changed(tx, 'ipsets')
    return made
  }
  const isEverywhere = set.everywhere || wanted.every((id) => set.serverIds.includes(id))
  // a set that was made before its service had ports gets them with its next ban
  if (isEverywhere && `${set.ports ?? ''}` === `${ports ?? ''}`) return set
  const [after] = await tx
    .update(ipSets)
    .set({
      ...(!isEverywhere && { serverIds: [...new Set([...set.serverIds, ...wanted])] }),
      ports: ports ? [...ports] : null,
    })
    .where(eq(ipSets.id, set.id))
    .returning()
  if (after) await settle(tx, after, itself)
  return after
}

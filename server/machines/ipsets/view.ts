import type { Ban, IpSet, IpSetView, OnServer } from '@innkeeper/contract/machines/ipsets/shapes'
import { type SQL, sql } from 'drizzle-orm'
import { STALE_S } from '../../kit/agents/online.ts'
import { byIds, rowsByIds } from '../../kit/db/byIds.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { statement } from '../../kit/db/driver/prepared.ts'
import { inOrder } from '../../kit/db/page.ts'
import { conflict, notFound } from '../../kit/http/errors.ts'
import type { KeptSet } from './publications/publish.ts'
import { bans, ipSets } from './tables.ts'

const selectSets = byIds((db, isWanted) => db.select().from(ipSets).where(isWanted(ipSets.id)))
const countServers = rowsByIds<{ id: number; servers: number; applied: number }>(
  (isWanted) => sql`select s.ip_set_id as id, count(t.server_id)::int as servers,
        count(t.server_id) filter (where t.applied = s.change and t.seen = 'same')::int as applied
      from ip_sets s left join ip_set_servers t on t.set_id = s.ip_set_id where ${isWanted(sql`s.ip_set_id`)}
      group by 1`,
)

/** Reads sets in the order of `ids`. */
export async function readSets(db: Db, ids: number[]): Promise<IpSet[]> {
  const found = await selectSets(db, ids)
  const counts = await countServers(db, ids)
  const all = found.map(({ change: _, createdBy: _by, deletedAt: _at, ...set }) => ({
    ...set,
    servers: 0,
    applied: 0,
    ...counts.find(({ id }) => id === set.id),
  }))
  return inOrder(ids, all)
}

const byName = statement((db) =>
  db
    .select()
    .from(ipSets)
    .where(sql`${ipSets.name} = ${sql.placeholder('name')} and ${ipSets.deletedAt} is null`)
    .prepare('ip_set_by_name'),
)

const isId = (key: string) => /^\d+$/.test(key)

/** Finds a set by name or id; throws 404 if there is none. */
export async function findSet(db: Db, key: string): Promise<KeptSet> {
  const [found] = isId(key) ? await db.select().from(ipSets).where(keyed(key)) : await byName(db).execute({ name: key })
  if (!found) throw notFound('IP set', key)
  return found
}

const keyed = (key: string) =>
  sql`${isId(key) ? sql`${ipSets.id} = ${Number(key)}` : sql`${ipSets.name} = ${key}`} and ${ipSets.deletedAt} is null`

/**
 * Finds a set and locks its row until the transaction ends, so that changes run one after the other. 409 for a stale
 * version.
 */
export async function holdSet(db: Db, key: string, version?: number): Promise<KeptSet> {
  const [found] = await db.select().from(ipSets).where(keyed(key)).for('update')
  if (!found) throw notFound('IP set', key)
  if (version !== undefined && version !== found.version)
    throw conflict(`${found.name} was changed by somebody else meanwhile`, { current: await viewSet(db, found.id) })
  return found
}

export async function viewSet(db: Db, id: number): Promise<IpSetView> {
  const [set] = await readSets(db, [id])
  if (!set) throw notFound('IP set', id)
  return { ...set, onServers: await onServers(db, id) }
}

interface Standing extends Omit<OnServer, 'standing' | 'reason'> {
  applied: boolean
  seen: 'same' | 'different' | 'missing' | null
  wanted: boolean
  status: string | null
  error: string | null
  away: string | null
}

async function onServers(db: Db, setId: number): Promise<OnServer[]> {
  const found = await rows<Standing>(
    db,
    sql`select t.server_id as "serverId", v.name, t.elements, t.packets::float8 as packets,
        to_char(t.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, t.workflow_id as "workflowId", t.seen,
        t.applied is not distinct from s.change as applied, w.status,
        (v.deleted_at is null and s.deleted_at is null and (s.everywhere or v.server_id = any(s.server_ids))) as wanted,
        (select coalesce(a.reason, '') from actions a where a.workflow_id = w.workflow_id and a.status in ('failed', 'blocked') limit 1) as error,
        case when v.credential_hash is null then 'Its agent has not enrolled yet'
          when v.credential_revoked_at is not null then 'The credential of its agent is revoked'
          when v.status = 'down' then 'The server is set Down'
          when h.last_seen_at is null or h.last_seen_at < now() - make_interval(secs => ${sql.raw(String(STALE_S))})
            then 'The server is offline: the set is sent as soon as it is online' end as away
      from ip_set_servers t join ip_sets s on s.ip_set_id = t.set_id join servers v on v.server_id = t.server_id
        left join server_states h on h.server_id = t.server_id left join workflows w on w.workflow_id = t.workflow_id
      where t.set_id = ${setId} order by v.name`,
  )
  return found.map(({ applied, seen, wanted, status, error, away, ...one }) => {
    const of = (standing: OnServer['standing'], reason: string | null = null): OnServer => ({
      ...one,
      standing,
      reason,
    })
    if (status === 'failed') return of('failed', error)
    if (!wanted) return of('leaving', away)
    if (applied && seen !== null) return of(seen)
    return away ? of('waiting', away) : of('telling')
  })
}

const selectBans = byIds((db, isWanted) => db.select().from(bans).where(isWanted(bans.id)))

const serversOf = rowsByIds<{ name: string; applied: number | null }>(
  (isWanted) => sql`select v.name, t.applied from ip_set_servers t join servers v on v.server_id = t.server_id
    where ${isWanted(sql`t.set_id`)} order by v.name`,
)

/** Bans of one set in the order of `ids`, each with the servers to which it was published. */
export async function readBans(db: Db, ids: number[]): Promise<Ban[]> {
  const found = await selectBans(db, ids)
  const servers = await serversOf(
    db,
    found.slice(0, 1).map(({ setId }) => setId),
  )
  const all = found.map(({ setId: _, first: _first, change, endedChange: _ended, ...ban }) => {
    const has = (applied: number | null) => ban.endedAt === null && applied !== null && applied >= change
    const named = (yes: boolean) =>
      ban.endedAt === null ? servers.filter(({ applied }) => has(applied) === yes).map(({ name }) => name) : []
    return { ...ban, appliedOn: named(true), missingOn: named(false) }
  })
  return inOrder(ids, all)
}

export async function readBan(db: Db, which: SQL): Promise<Ban | undefined> {
  const [found] = await db.select({ id: bans.id }).from(bans).where(which)
  return found && (await readBans(db, [found.id]))[0]
}

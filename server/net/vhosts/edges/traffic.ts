import type { TrafficPoint } from '@innkeeper/contract/net/vhosts/shapes'
import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../../kit/agents/online.ts'
import type { App } from '../../../kit/app/app.ts'
import { isoOf } from '../../../kit/db/columns.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { eachOf } from '../../../kit/work/round.ts'
import { readVhost } from './view.ts'

const count = z.int().min(0).max(2_147_483_647)
const Answer = z.object({
  buckets: z.array(
    z.object({
      vhostId: z.int(),
      /** In seconds since the epoch. */
      at: z.int(),
      ...{ hits: count, misses: count, passed: count, bytes: z.int().min(0) },
    }),
  ),
})
/** Number of edges per run. */
const AT_ONCE = 20

/**
 * Traffic of the last hours, oldest first, as the sum of both networks; quarters of an hour without requests are left
 * out.
 */
export async function readTraffic(
  db: Db,
  id: number,
  hours: number,
): Promise<{ items: TrafficPoint[]; total: number }> {
  await readVhost(db, id)
  const found = await rows<TrafficPoint & { at: string }>(
    db,
    sql`select at, sum(hits)::float8 as hits, sum(misses)::float8 as misses, sum(passed)::float8 as passed, sum(bytes)::float8 as bytes
      from vhost_traffic where vhost_id = ${id} and at > now() - make_interval(hours => ${hours}::int)
      group by at order by at`,
  )
  const items = found.map(({ at, ...figures }) => ({ at: isoOf(at), ...figures }))
  return { items, total: items.length }
}

/**
 * Reads from each online edge the requests since its last saved quarter of an hour, which may have been incomplete and
 * is overwritten. Several nodes may collect at the same time, because they write equal figures. Returns the number of
 * edges that answered.
 */
export async function collectTraffic(app: App): Promise<number> {
  const { db } = app
  const due = await rows<{ id: number; since: number }>(
    db,
    sql`select s.server_id as id, extract(epoch from coalesce(
        (select max(t.at) from vhost_traffic t join vhost_edges o on o.vhost_id = t.vhost_id and o.network = t.network
          where o.server_id = s.server_id), now() - interval '1 day'))::float8 as since
      from servers s join server_states t on t.server_id = s.server_id
      where s.deleted_at is null and s.status = 'up'
        and t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}) and 'edge-traffic.read' = any(t.operations)
        and exists (select from vhost_edges e where e.server_id = s.server_id)
      order by s.server_id`,
  )
  // of an edge that does not answer, the next round fetches all missing quarters
  await eachOf(
    app,
    'the traffic of an edge could not be read',
    due,
    async ({ id, since }) => {
      const said = await liveRead(app, id, 'edge-traffic.read', { since: Math.floor(since) })
      await keep(db, id, Answer.parse(said).buckets)
    },
    { atOnce: AT_ONCE },
  )
  return due.length
}

type Bucket = z.output<typeof Answer>['buckets'][number]

async function keep(db: Db, serverId: number, buckets: Bucket[]): Promise<void> {
  if (!buckets.length) return
  // leaves out websites that were removed from this edge meanwhile, and the future, after which no edge is read again
  const kept = await rows<{ id: number }>(
    db,
    sql`insert into vhost_traffic (vhost_id, network, at, hits, misses, passed, bytes)
      select n."vhostId", e.network, to_timestamp(n.at), n.hits, n.misses, n.passed, n.bytes
      from jsonb_to_recordset(${JSON.stringify(buckets)}::jsonb)
        n("vhostId" int, at bigint, hits int, misses int, passed int, bytes bigint)
      join vhost_edges e on e.vhost_id = n."vhostId" and e.server_id = ${serverId}
      where n.at <= extract(epoch from now()) + 900
      on conflict (vhost_id, at, network) do update
        set hits = excluded.hits, misses = excluded.misses, passed = excluded.passed, bytes = excluded.bytes
      returning vhost_id as id`,
  )
  if (kept.length) await changed(db, 'vhosts')
}

import { setTimeout as sleep } from 'node:timers/promises'
import { desc, sql } from 'drizzle-orm'
import * as z from 'zod'
import { offlineBefore } from '../../../kit/agents/online.ts'
import { type Db, rows } from '../../../kit/db/db.ts'
import { changed } from '../../../kit/live/live.ts'
import { action } from '../../../kit/work/action.ts'
import { zones } from '../tables.ts'
import { noteFound, risenAbove, withdrawLeftover } from './noteFound.ts'
import { publish } from './publish.ts'
import { validated } from './validated.ts'

/**
 * Saves the results of the comparisons in its workflow. With `repair` it publishes each zone that differs and withdraws
 * each zone that should be on no server, one workflow per zone.
 */
export const zonesRepair = action(
  'zones.repair',
  z.object({ request: z.string(), repair: z.boolean(), by: z.string() }),
  {
    title: 'Repair',
    what: ({ repair }) => (repair ? 'sends differing zones to the name servers again' : 'records differing zones'),
    lane: 'long',
    async run({ request, repair, by }, { app, say, fence, signal }) {
      fence()
      const objections = await validated(app.db, request, say, signal)
      const { drifted, leftovers } = await app.db.transaction((tx) => noteFound(tx, request, objections, say))
      if (!drifted.size && !leftovers.size) say('All zones are correct on all name servers')
      const holder = { id: null, name: by }
      const mend: ((tx: Db) => Promise<unknown>)[] = repair
        ? [
            ...[...drifted].map(([domain, drifts]) => async (tx: Db) => {
              const zone = await risenAbove(tx, domain, drifts)
              if (zone) await publish(tx, app, zone, holder, { whole: true, behind: true })
            }),
            ...[...leftovers].map((domain) => (tx: Db) => withdrawLeftover(tx, domain, holder)),
          ]
        : []
      for (const one of mend) {
        await roomFor(app.db, signal)
        fence()
        await app.db.transaction(one)
      }
      await changed(app.db, 'dns')
      return { zones: drifted.size, leftovers: leftovers.size, repaired: repair }
    },
  },
)

/**
 * After a change of the primary: publishes every zone whole, with its keys, to the new primary and from there to the
 * others. Does not compare first, because the former primary may never return.
 */
export const zonesTurn = action('zones.turn', z.object({ primary: z.string(), by: z.string() }), {
  title: 'Move zones',
  what: ({ primary }) => `every zone to ${primary}, with its keys`,
  lane: 'long',
  async run({ by }, { app, say, fence, signal }) {
    const all = await app.db
      .select({ id: zones.id })
      .from(zones)
      .where(sql`${zones.deletedAt} is null and ${zones.active}`)
      .orderBy(desc(zones.dnssec), zones.id)
    for (const { id } of all) {
      await roomFor(app.db, signal)
      fence()
      await app.db.transaction(async (tx) => {
        const [zone] = await tx
          .select()
          .from(zones)
          .where(sql`${zones.id} = ${id} and ${zones.deletedAt} is null and ${zones.active}`)
          .for('update')
        if (zone) await publish(tx, app, zone, { id: null, name: by }, { whole: true, behind: true })
      })
    }
    say(`${all.length} ${all.length === 1 ? 'zone is' : 'zones are'} being published`)
    return { zones: all.length }
  },
})

/** Maximum of open publications at a time; more would only fill the queue. */
const AT_ONCE = 24

/**
 * Waits until few publications are open. Publications that wait for an absent server do not count: a new name server
 * lacks every zone and would fill the queue.
 */
async function roomFor(db: Db, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const [open] = await rows<{ n: number }>(
      db,
      sql`select count(*)::int as n from (select from workflows w join actions a on a.workflow_id = w.workflow_id
        where w.ended_at is null and w.kind = 'zone.publish' and a.status in ('ready', 'running')
          and not exists (select from server_states s where s.server_id = a.server_id and s.last_seen_at < ${offlineBefore})
        limit ${AT_ONCE}) busy`,
    )
    if ((open?.n ?? 0) < AT_ONCE) return
    await sleep(250, undefined, { signal })
  }
}

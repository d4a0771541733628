import { sql } from 'drizzle-orm'
import { holdersOf } from '../../../access/notifications/holders.ts'
import { notify } from '../../../access/notifications/notify.ts'
import { STALE_S } from '../../../kit/agents/online.ts'
import { sinceText } from '../../../kit/app/sinceText.ts'
import { type Db, rows } from '../../../kit/db/db.ts'

/** The permission of the people who are notified. */
const KEEPERS = 'server:server:update'
const NAMED = 5

/**
 * Notifies once when servers with the status `up` go offline; several at a time share one notification. With several
 * workers, the one whose update sets `offline_told_at` notifies.
 */
export async function notifyOffline(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const gone = await rows<{ id: number; name: string; seen: string }>(
      tx,
      sql`update server_states t set offline_told_at = now() from servers s
        where s.server_id = t.server_id and s.status = 'up' and s.deleted_at is null and t.offline_told_at is null
          and s.credential_hash is not null and s.credential_revoked_at is null
          and t.last_seen_at < now() - make_interval(secs => ${sql.raw(String(STALE_S))})
        returning s.server_id as id, s.name, t.last_seen_at as seen`,
    )
    const [first, ...others] = gone
    if (!first) return
    const names = gone.map(({ name }) => name).sort()
    const more = names.length - NAMED
    await notify(tx, {
      to: await holdersOf(tx, KEEPERS),
      reason: 'server',
      level: 'error',
      title: others.length ? `${gone.length} servers are offline` : `${first.name} is offline`,
      body: others.length
        ? `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
        : `Not heard from since ${sinceText(first.seen)}. Its work waits.`,
      link: others.length ? '/server?observed=offline' : `/server/${first.id}`,
    })
  })
}

/** Notifies that a server is online again; called at its first heartbeat after an offline notification. */
export async function notifyBack(db: Db, serverId: number, toldAt: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [back] = await rows<{ name: string }>(
      tx,
      sql`update server_states t set offline_told_at = null from servers s
        where t.server_id = ${serverId} and s.server_id = t.server_id and t.offline_told_at is not null
        returning s.name`,
    )
    if (!back) return
    await notify(tx, {
      to: await holdersOf(tx, KEEPERS),
      reason: 'server',
      level: 'success',
      title: `${back.name} is online again`,
      body: `The server had been offline since ${sinceText(toldAt)}. Its waiting work continues.`,
      link: `/server/${serverId}`,
    })
  })
}

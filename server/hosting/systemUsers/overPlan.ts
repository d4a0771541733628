import { type SQL, sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import { type Db, rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'

const NAMED = 5

interface Crossed {
  id: number
  username: string
  serverName: string
  planName: string
  usedMb: number
  planMb: number
  isOver: boolean
}

/**
 * Marks accounts whose last reported disk use exceeds their plan, and clears the mark of the others. Users who may read
 * accounts get one notification for all newly marked accounts.
 */
export async function markOver(db: Db, which: SQL = sql`true`): Promise<void> {
  await db.transaction(async (tx) => {
    const crossed = await rows<Crossed>(
      tx,
      sql`update system_users u
        set disk_over_since = case when coalesce(u.disk_used_mb, 0) > p.disk_mb then now() end
        from plans p, servers s
        where p.plan_id = u.plan_id and s.server_id = u.server_id and u.deleted_at is null and ${which}
          and (coalesce(u.disk_used_mb, 0) > p.disk_mb) <> (u.disk_over_since is not null)
        returning u.system_user_id as id, u.username, s.name as "serverName", p.name as "planName",
          u.disk_used_mb as "usedMb", p.disk_mb as "planMb", u.disk_over_since is not null as "isOver"`,
    )
    if (!crossed.length) return
    await changed(tx, 'systemUsers', crossed.length === 1 ? crossed[0]?.id : undefined)
    const over = crossed.filter(({ isOver }) => isOver)
    const [first, ...others] = over
    if (!first) return
    const names = over.map(({ username }) => username).sort()
    const more = names.length - NAMED
    await notify(tx, {
      to: await holdersOf(tx, 'system-user:user:read'),
      reason: 'disk',
      level: 'warning',
      title: others.length
        ? `${over.length} system users use more disk than their plans allow`
        : `${first.username} uses more disk than its plan allows`,
      body: others.length
        ? `${names.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
        : `${first.usedMb} MB on ${first.serverName}; ${first.planName} has ${first.planMb} MB. What runs goes on; imports and moves to it are refused.`,
      link: others.length ? '/system-users/list?over=true' : `/system-users/edit/${first.id}`,
    })
  })
}

import { eq, sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { eachOf } from '../../kit/work/round.ts'
import { markOver } from './overPlan.ts'
import { systemUsers } from './tables.ts'
import { readSystemUser } from './view.ts'

const Use = z.object({
  diskMb: z.int(),
  files: z.int(),
  memoryMb: z.int().nullable(),
  tasks: z.int().nullable(),
  /** Older agents do not enforce disk limits. */
  diskLimit: z
    .object({ enforced: z.boolean(), why: z.string().nullable() })
    .default({ enforced: false, why: 'its agent is too old' }),
})

/**
 * Reads the resource usage of an account from its server and stores the disk use for the list. 503 if the server is
 * offline.
 */
export async function readUsage(app: App, id: number) {
  const { serverId, username } = await readSystemUser(app.db, id)
  const use = Use.parse(await liveRead(app, serverId, 'system-user.usage', { username }))
  const at = new Date().toISOString()
  await app.db.update(systemUsers).set({ diskUsedMb: use.diskMb, diskSeenAt: at }).where(eq(systemUsers.id, id))
  await markOver(app.db, sql`u.system_user_id = ${id}`)
  return { ...use, at }
}

/** Number of servers that are asked in parallel. Each counts one home directory at a time, which is expensive. */
const AT_ONCE = 20

/**
 * Reads the usage of accounts that were not requested in the last day, oldest first, one account per online server. The
 * node that updates `disk_asked_at` sends the request. Returns the number of accounts.
 */
export async function askDue(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`update system_users set disk_asked_at = now() where system_user_id in (
        select u.system_user_id from server_states t
        join servers s on s.server_id = t.server_id and s.deleted_at is null
        cross join lateral (
          select system_user_id, disk_asked_at from system_users
          where server_id = t.server_id and deleted_at is null
          order by disk_asked_at nulls first limit 1
        ) u
        where t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}) and 'system-user.usage' = any(t.operations)
          and coalesce(u.disk_asked_at < now() - interval '1 day', true)
        order by u.disk_asked_at nulls first limit ${AT_ONCE})
      and coalesce(disk_asked_at < now() - interval '1 day', true)
      returning system_user_id as id`,
  )
  await eachOf(app, 'the usage of an account could not be read', due, ({ id }) => readUsage(app, id), {
    atOnce: AT_ONCE,
    refused: () => undefined, // no answer, or the home is too large to be counted: tried again the next day
  })
  return due.length
}

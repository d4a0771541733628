import { sql } from 'drizzle-orm'
import * as z from 'zod'
import { liveRead } from '../../kit/agents/liveRead.ts'
import { ONLINE_S } from '../../kit/agents/online.ts'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'
import { changed } from '../../kit/live/live.ts'
import { eachOf, failedLast } from '../../kit/work/round.ts'

/** Title of the round. */
const ROUND = 'mailboxes could not be measured'

const Measured = z.object({
  mailboxes: z.array(z.object({ userId: z.int(), bytes: z.number(), messages: z.int() })),
})
const AT_ONCE = 20

/** Asks a server for the sizes of all its mailboxes and stores them in one statement. */
async function measureServer(app: App, serverId: number): Promise<void> {
  const { mailboxes } = Measured.parse(await liveRead(app, serverId, 'mail-usage.read', {}))
  await app.db.transaction(async (tx) => {
    await tx.execute(sql`update mailbox_users u set used = coalesce(f.bytes, 0), messages = coalesce(f.messages, 0),
        used_seen_at = now()
      from mailboxes m, mailbox_users e
        left join jsonb_to_recordset(${JSON.stringify(mailboxes)}::jsonb) as f("userId" int, bytes bigint, messages int)
          on f."userId" = e.mailbox_user_id
      where e.mailbox_user_id = u.mailbox_user_id and m.mailbox_id = u.mailbox_id and m.server_id = ${serverId}
        and u.deleted_at is null`)
    await changed(tx, 'mailboxes')
  })
}

/** Measures servers with a mailbox that was not measured in the last 15 minutes. Returns the number of servers. */
export async function measureDue(app: App): Promise<number> {
  const due = await rows<{ id: number }>(
    app.db,
    sql`select t.server_id as id from server_states t join servers s on s.server_id = t.server_id and s.deleted_at is null
      where t.last_seen_at > now() - make_interval(secs => ${ONLINE_S}) and 'mail-usage.read' = any(t.operations)
        and exists (select 1 from mailboxes m join mailbox_users u on u.mailbox_id = m.mailbox_id and u.deleted_at is null
          where m.server_id = t.server_id and m.deleted_at is null and m.state = 'applied'
          and coalesce(u.used_seen_at < now() - interval '15 minutes', true))
      order by ${failedLast(app, ROUND, sql`t.server_id`)}, t.server_id limit ${AT_ONCE}`,
  )
  await eachOf(app, ROUND, due, ({ id }) => measureServer(app, id), { atOnce: AT_ONCE })
  return due.length
}

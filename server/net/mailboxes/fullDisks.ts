import { sql } from 'drizzle-orm'
import { holdersOf } from '../../access/notifications/holders.ts'
import { notify } from '../../access/notifications/notify.ts'
import type { App } from '../../kit/app/app.ts'
import { rows } from '../../kit/db/db.ts'

/** Told from this share of the disk on, once a day. */
const FULL = 0.95

/** Notifies people of mail servers whose disk is nearly full. Returns the number of these servers. */
export async function notifyFullDisks({ db }: App): Promise<number> {
  const full = await rows<{ id: number; name: string; free: number }>(
    db,
    sql`select s.server_id as id, s.name, (t.disk_total - t.disk_used)::float8 / 1048576 as free
      from servers s join server_states t on t.server_id = s.server_id
      where s.deleted_at is null and t.disk_total > 0 and t.disk_used >= t.disk_total * ${FULL}::float8
        and exists (select from mailboxes m where m.server_id = s.server_id and m.deleted_at is null)`,
  )
  let told = 0
  for (const { id, name, free } of full) {
    const title = `The mail server ${name} has hardly any room left`
    const lately = await rows(
      db,
      sql`select from notifications where reason = 'server' and title = ${title} and date > now() - interval '1 day' limit 1`,
    )
    if (lately.length) continue
    await notify(db, {
      to: await holdersOf(db, 'mailbox:queue:read'),
      reason: 'server',
      level: 'error',
      title,
      body: `${Math.floor(free)} MB are free. Without room new mail waits in the queue, senders try again later, and nothing is lost as long as that takes no more than some days.`,
      link: `/mailboxes/list?server=${id}`,
    })
    told++
  }
  return told
}

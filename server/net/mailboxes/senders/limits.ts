import { createHash } from 'node:crypto'
import { planDefaults } from '@innkeeper/contract/hosting/plans'
import { limitLines, type MailLimits } from '@innkeeper/contract/net/mailboxes/mailLimits'
import { sql } from 'drizzle-orm'
import { type Db, rows } from '../../../kit/db/db.ts'

/** What a mailbox without an account may send. */
export const usual = { own: planDefaults.mailHourly, together: planDefaults.mailTogether }

/** The usual limits of the accounts that are on a server, or whose mail is there, from their plans. */
export async function limitsOn(db: Db, serverId: number): Promise<MailLimits> {
  const found = await rows<{ accountId: number; username: string | null; own: number; together: number }>(
    db,
    sql`select u.system_user_id as "accountId", case when u.server_id = ${serverId} then u.username end as username,
        p.mail_hourly as own, p.mail_together as together
      from system_users u join plans p on p.plan_id = u.plan_id
      where u.deleted_at is null and (u.server_id = ${serverId} or u.system_user_id in (
        select w.system_user_id from mailboxes m join websites w on w.website_id = m.website_id
        where m.server_id = ${serverId} and m.deleted_at is null))
      order by u.system_user_id limit 20000`,
  )
  return { accounts: found.map(({ username, ...one }) => ({ ...one, ...(username && { username }) })), others: usual }
}

/** The mark of a server that has these limits. */
export const markOf = (limits: MailLimits): string => createHash('sha256').update(limitLines(limits)).digest('hex')
